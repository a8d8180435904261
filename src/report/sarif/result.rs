//! One result.

use std::collections::BTreeMap;

use super::log::{ArtifactChange, CodeFlow, Fix, InsertedContent, Location, Message, Replacement, SarifResult};
use super::log::{ThreadFlow, ThreadFlowLocation, level};
use super::rules::RuleIndex;
use super::{message, place};
use crate::diagnostic::{self, Diagnostic, Edit, Label};
use crate::report::findings::Report;

/// Places, and steps of flows, that GitHub accepts of a result.
const MAX_PLACES: usize = 1_000;
/// The fingerprint by which GitHub recognizes an alert.
const PRIMARY: &str = "primaryLocationLineHash";
/// The name of wflint's own fingerprint. Its version changes with its input.
const OWN: &str = "wflintIdentity/v1";

pub(super) fn of(report: &Report<'_>, rules: &RuleIndex, finding: &Diagnostic, fingerprint: &str) -> SarifResult {
    SarifResult {
        rule_id: finding.code,
        rule_index: rules.index(finding.code),
        level: level(finding.severity),
        message: Message { text: message::of(finding) },
        locations: [place::of(report, &finding.location, finding.activity.as_deref())],
        related_locations: related(report, &finding.related),
        code_flows: code_flow(report, &finding.flow).into_iter().collect(),
        fixes: finding.fix.iter().map(|fix| of_fix(report, fix)).collect(),
        partial_fingerprints: BTreeMap::from([(PRIMARY, fingerprint.to_owned()), (OWN, fingerprint.to_owned())]),
    }
}

fn related(report: &Report<'_>, labels: &[Label]) -> Vec<Location> {
    // One place is that of the finding.
    let labels = (1..).zip(labels).take(MAX_PLACES - 1);
    labels.map(|(id, label)| Location { id: Some(id), ..place::of_label(report, label) }).collect()
}

fn code_flow(report: &Report<'_>, steps: &[Label]) -> Option<CodeFlow> {
    let location = |step| ThreadFlowLocation { location: place::of_label(report, step) };
    let locations: Vec<ThreadFlowLocation> = steps.iter().take(MAX_PLACES).map(location).collect();
    (!locations.is_empty()).then_some(CodeFlow { thread_flows: [ThreadFlow { locations }] })
}

fn of_fix(report: &Report<'_>, fix: &diagnostic::Fix) -> Fix {
    let changes = fix.edits.chunk_by(|a, b| a.file == b.file).filter_map(|edits| {
        let file = edits.first()?.file;
        let replacement = |edit: &Edit| Replacement {
            deleted_region: place::region(report, file, edit.span),
            inserted_content: InsertedContent { text: edit.new_text.clone() },
        };
        let replacements = edits.iter().map(replacement).collect();
        Some(ArtifactChange { artifact_location: place::artifact(report, file), replacements })
    });
    let text = message::plain(&format!("{} ({})", fix.title, fix.applicability.word()));
    Fix { description: Message { text }, artifact_changes: changes.collect() }
}
