//! `--format json`: one object, described by `schemas/report.schema.json`.

use std::io::{self, Write};

use serde::Serialize;

use super::object::{Array, object, range, tool, write_json};
use super::results::Report;
use crate::lint::Omitted;
use crate::text::diagnostic::{Diagnostic, Edit, FileId, Fix, Label};

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let summary = report.outcome.summary;
    let omitted = Array(|| report.outcome.omitted.iter().map(|omitted| of_omitted(report, omitted)));
    let totals = object()
        .with("files", summary.files)
        .with("skipped", summary.skipped)
        .with("errors", summary.errors)
        .with("warnings", summary.warnings)
        .with("infos", summary.infos)
        .with("fixable", summary.fixable)
        .with("fixed", summary.fixed)
        .with("suppressed", summary.suppressed)
        .with("baselined", summary.baselined)
        .with_some("ownRulesNotRun", Some(summary.rules_not_run).filter(|&number| number > 0))
        .with_some("omitted", Some(omitted).filter(|_| !report.outcome.omitted.is_empty()));
    let json = object()
        .with("schemaVersion", 1)
        .with("tool", tool())
        .with("diagnostics", Array(|| report.diagnostics().iter().map(|finding| of_finding(report, finding))))
        .with("summary", totals);
    write_json(&json, out)
}

fn of_finding<'r>(report: &Report<'r>, finding: &'r Diagnostic) -> impl Serialize + use<'r> {
    let report = *report;
    let label = move |label: &'r Label| object().with_place(&report, &label.location).with("message", &*label.message);
    let alternative = move |fix: &'r Fix| of_fix(&report, finding.location.file, fix);
    object()
        .with("code", finding.code)
        .with("name", finding.name)
        .with("severity", finding.severity.word())
        .with("message", &*finding.message)
        .with_place(&report, &finding.location)
        .with("activity", finding.activity.as_deref())
        .with("help", finding.help.as_deref())
        .with("related", Array(move || finding.related.iter().map(label)))
        .with("fix", finding.fix.as_ref().map(|fix| of_fix(&report, finding.location.file, fix)))
        .with("alternatives", Array(move || finding.alternatives.iter().map(alternative)))
        .with("fixWithheld", finding.fix_withheld.as_deref())
}

/// Findings of one rule in one file that are counted, but not listed.
fn of_omitted<'r>(report: &Report<'r>, omitted: &Omitted) -> impl Serialize + use<'r> {
    object()
        .with("code", omitted.code)
        .with("name", omitted.name)
        .with("severity", omitted.severity.word())
        .with("file", report.file_name(omitted.file))
        .with("count", omitted.count)
}

fn of_fix<'r>(report: &Report<'r>, file: FileId, fix: &'r Fix) -> impl Serialize + use<'r> {
    let report = *report;
    let edit = move |edit: &'r Edit| {
        object()
            .with_some("file", (edit.file != file).then(|| report.file_name(edit.file)))
            .with("range", range(&report, edit.file, edit.span))
            .with("newText", &*edit.new_text)
    };
    object()
        .with("applicability", fix.applicability.word())
        .with("title", &*fix.title)
        .with("edits", Array(move || fix.edits.iter().map(edit)))
}
