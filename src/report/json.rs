//! `--format json`: one object, described by `schemas/report.schema.json`.

use std::io::{self, Write};

use jiff::SignedDuration;
use serde::Serialize;
use serde_json::Number;

use super::escape::Printable;
use super::findings::Report;
use super::tool::{TOOL, Tool};
use crate::diagnostic::{Diagnostic, Edit, FileId, Fix, Label, Location};
use crate::lint::Omitted;
use crate::source::{Position, Span};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonReport<'r> {
    schema_version: u32,
    tool: Tool,
    diagnostics: Vec<JsonDiagnostic<'r>>,
    summary: JsonSummary<'r>,
}

#[derive(Serialize)]
struct JsonDiagnostic<'r> {
    code: &'r str,
    name: &'r str,
    severity: &'r str,
    message: &'r str,
    #[serde(flatten)]
    place: JsonPlace<'r>,
    activity: Option<&'r str>,
    help: Option<&'r str>,
    related: Vec<JsonLabel<'r>>,
    fix: Option<JsonFix<'r>>,
}

#[derive(Serialize)]
struct JsonPlace<'r> {
    file: &'r str,
    pointer: &'r str,
    range: JsonRange,
}

#[derive(Serialize)]
pub(super) struct JsonRange {
    start: JsonPosition,
    end: JsonPosition,
}

#[derive(Serialize)]
struct JsonPosition {
    line: u32,
    column: u32,
    offset: u32,
}

#[derive(Serialize)]
struct JsonLabel<'r> {
    #[serde(flatten)]
    place: JsonPlace<'r>,
    message: &'r str,
}

#[derive(Serialize)]
struct JsonFix<'r> {
    applicability: &'r str,
    title: &'r str,
    edits: Vec<JsonEdit<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonEdit<'r> {
    /// Only if it is another file than that of the finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'r str>,
    range: JsonRange,
    new_text: &'r str,
}

#[derive(Serialize)]
struct JsonSummary<'r> {
    files: usize,
    skipped: usize,
    errors: usize,
    warnings: usize,
    infos: usize,
    fixable: usize,
    fixed: usize,
    suppressed: usize,
    baselined: usize,
    /// Only if there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    omitted: Vec<JsonOmitted<'r>>,
}

/// Findings of one rule in one file that are counted, but not in `diagnostics`.
#[derive(Serialize)]
struct JsonOmitted<'r> {
    code: &'r str,
    name: &'r str,
    severity: &'r str,
    file: &'r str,
    count: usize,
}

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let summary = report.summary();
    let json = JsonReport {
        schema_version: 1,
        tool: TOOL,
        diagnostics: report.diagnostics().iter().map(|diagnostic| convert(report, diagnostic)).collect(),
        summary: JsonSummary {
            files: summary.files,
            skipped: summary.skipped,
            errors: summary.errors,
            warnings: summary.warnings,
            infos: summary.infos,
            fixable: summary.fixable,
            fixed: summary.fixed,
            suppressed: summary.suppressed,
            baselined: summary.baselined,
            omitted: report.omitted().iter().map(|omitted| convert_omitted(report, omitted)).collect(),
        },
    };
    write_json(&json, out)
}

/// Writes a value as indented JSON that is safe to print.
///
/// # Errors
/// When it cannot be written.
pub fn write_json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Printable::default()))?;
    writeln!(out)
}

fn convert<'r>(report: &Report<'r>, diagnostic: &'r Diagnostic) -> JsonDiagnostic<'r> {
    let label = |label: &'r Label| JsonLabel { place: place(report, &label.location), message: &label.message };
    JsonDiagnostic {
        code: diagnostic.code,
        name: diagnostic.name,
        severity: diagnostic.severity.word(),
        message: &diagnostic.message,
        place: place(report, &diagnostic.location),
        activity: diagnostic.activity.as_deref(),
        help: diagnostic.help.as_deref(),
        related: diagnostic.related.iter().map(label).collect(),
        fix: diagnostic.fix.as_ref().map(|fix| convert_fix(report, diagnostic.location.file, fix)),
    }
}

fn convert_omitted<'r>(report: &Report<'r>, omitted: &Omitted) -> JsonOmitted<'r> {
    JsonOmitted {
        code: omitted.code,
        name: omitted.name,
        severity: omitted.severity.word(),
        file: report.file_name(omitted.file),
        count: omitted.count,
    }
}

fn convert_fix<'r>(report: &Report<'r>, file: FileId, fix: &'r Fix) -> JsonFix<'r> {
    let edit = |edit: &'r Edit| JsonEdit {
        file: (edit.file != file).then(|| report.file_name(edit.file)),
        range: range(report, edit.file, edit.span),
        new_text: &edit.new_text,
    };
    JsonFix { applicability: fix.applicability.word(), title: &fix.title, edits: fix.edits.iter().map(edit).collect() }
}

fn place<'r>(report: &Report<'r>, location: &'r Location) -> JsonPlace<'r> {
    JsonPlace {
        file: report.file_name(location.file),
        pointer: &location.pointer,
        range: range(report, location.file, location.span),
    }
}

pub(super) fn range(report: &Report<'_>, file: FileId, span: Span) -> JsonRange {
    let (start, end) = report.range(file, span);
    JsonRange::new(start, end)
}

/// A duration in seconds; whole ones without a decimal point.
#[expect(clippy::cast_precision_loss, reason = "a run has fewer milliseconds than 2^53, about 280,000 years")]
pub(super) fn seconds(duration: SignedDuration) -> Number {
    if duration.subsec_millis() == 0 {
        return duration.as_secs().into();
    }
    Number::from_f64(duration.as_millis() as f64 / 1000.0).unwrap_or_else(|| duration.as_secs().into())
}

impl JsonRange {
    pub const fn new(start: Position, end: Position) -> Self {
        Self { start: JsonPosition::new(start), end: JsonPosition::new(end) }
    }
}

impl JsonPosition {
    const fn new(position: Position) -> Self {
        Self { line: position.line, column: position.column, offset: position.offset }
    }
}
