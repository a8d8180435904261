//! Findings that are counted, but not listed.

use std::collections::BTreeMap;

use super::accepted::Accepted;
use super::filter::Filter;
use super::outcome::{Omitted, Used};
use crate::diagnostic::FileId;
use crate::document::Document;
use crate::facts::CountedViolations;
use crate::project::File;
use crate::rules::{ElementNames, Finding, RuleFindings, Stamp};

/// The findings of one service that are counted, but not listed.
#[derive(Default)]
pub(super) struct Counted {
    pub rules: Vec<RuleFindings>,
    /// The places of schema violations in documents and signing cases that were not checked further. There may be one for
    /// every two bytes, so they become findings one at a time.
    pub violations: Vec<(Stamp, CountedViolations)>,
}

impl Counted {
    /// Counts those in reported files that are not accepted.
    pub fn omitted(
        self,
        files: &[&File],
        filter: &Filter,
        accepted: &mut Accepted<'_>,
        used: &mut Used,
    ) -> Vec<Omitted> {
        let mut omitted: BTreeMap<_, Omitted> = BTreeMap::new();
        let mut names = ElementNames::default();
        for (stamp, finding) in self.into_findings() {
            let Stamp { code, name, .. } = stamp;
            let Some(file) = find(files, finding.file).filter(|file| file.reported) else { continue };
            let mut diagnostic = || finding.to_diagnostic(&stamp, document(files, file.id), &mut names);
            if !accepted.is_empty() && accepted.accepts(&diagnostic(), used) {
                continue;
            }
            let severity = filter.severity(code).unwrap_or(finding.severity);
            let entry = Omitted { file: file.id, code, name, severity, count: 0 };
            omitted.entry((file.id, code, severity)).or_insert(entry).count += 1;
        }
        omitted.into_values().collect()
    }

    /// All findings, completed as their rule completes them; equal ones once, as in a list.
    pub fn into_findings(self) -> impl Iterator<Item = (Stamp, Finding)> {
        let findings = self.rules.into_iter().flat_map(|RuleFindings { stamp, mut findings }| {
            findings.sort_unstable_by_key(Finding::key);
            findings.dedup_by_key(|finding| finding.key());
            findings.into_iter().map(move |finding| (stamp, finding))
        });
        let violations = self.violations.into_iter().flat_map(|(stamp, CountedViolations { file, nodes, of_each })| {
            let nodes = nodes.into_iter().flat_map(move |node| std::iter::repeat_n(node, of_each));
            nodes.map(move |node| (stamp, Finding::counted(stamp.severity, file, node)))
        });
        findings.chain(violations)
    }
}

pub(super) fn find<'f>(files: &[&'f File], id: FileId) -> Option<&'f File> {
    let index = files.binary_search_by_key(&id, |file| file.id).ok()?;
    files.get(index).copied()
}

pub(super) fn document<'f>(files: &[&'f File], id: FileId) -> Option<&'f Document> {
    find(files, id)?.document().map(|(_, document)| document)
}
