//! `--format rdjson`: the Reviewdog Diagnostic Format.

use std::borrow::Cow;
use std::io::{self, Write};

use serde::Serialize;

use super::escape::visible;
use super::findings::Report;
use super::json::write_json;
use crate::diagnostic::{Diagnostic, FileId, Fix, Label, Severity};
use crate::lint::Omitted;
use crate::rules::page_address;
use crate::source::{SourceFile, Span};

/// Bytes of a suggestion. A fix whose edits are far apart would repeat all that is between them.
const MAX_SUGGESTION: usize = 4096;

#[derive(Serialize)]
struct RdResult<'r> {
    source: Source,
    diagnostics: Vec<RdDiagnostic<'r>>,
}

#[derive(Serialize)]
struct Source {
    name: &'static str,
    url: &'static str,
}

#[derive(Serialize)]
struct RdDiagnostic<'r> {
    message: Cow<'r, str>,
    location: RdLocation<'r>,
    severity: &'static str,
    code: Code,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    suggestions: Vec<Suggestion>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<RelatedLocation<'r>>,
}

#[derive(Serialize)]
struct Code {
    value: &'static str,
    url: String,
}

#[derive(Serialize)]
struct RdLocation<'r> {
    path: &'r str,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<Range>,
}

#[derive(Serialize)]
struct RelatedLocation<'r> {
    message: Cow<'r, str>,
    location: RdLocation<'r>,
}

#[derive(Serialize)]
struct Suggestion {
    range: Range,
    text: String,
}

#[derive(Serialize)]
struct Range {
    start: RdPosition,
    /// Exclusive.
    end: RdPosition,
}

/// From 1; the column counts the bytes of UTF-8.
#[derive(Serialize)]
struct RdPosition {
    line: u32,
    column: u32,
}

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let findings = report.diagnostics().iter().map(|diagnostic| of_finding(report, diagnostic));
    let omitted = report.omitted().iter().map(|omitted| of_omitted(report, omitted));
    let source = Source { name: env!("CARGO_PKG_NAME"), url: env!("CARGO_PKG_REPOSITORY") };
    write_json(&RdResult { source, diagnostics: findings.chain(omitted).collect() }, out)
}

fn of_finding<'r>(report: &Report<'r>, diagnostic: &'r Diagnostic) -> RdDiagnostic<'r> {
    let file = diagnostic.location.file;
    let help = diagnostic.help.as_deref().map_or_else(String::new, |help| format!("; {help}"));
    let related = |label: &'r Label| RelatedLocation {
        message: visible(&label.message),
        location: location(report, label.location.file, label.location.span),
    };
    RdDiagnostic {
        message: visible(&format!("{}{help}", diagnostic.message)).into_owned().into(),
        location: location(report, file, diagnostic.location.span),
        severity: severity(diagnostic.severity),
        code: code(diagnostic.code, diagnostic.name),
        suggestions: diagnostic.fix.iter().filter_map(|fix| suggestion(report, file, fix)).collect(),
        related_locations: diagnostic.related.iter().map(related).collect(),
    }
}

fn of_omitted<'r>(report: &Report<'r>, omitted: &Omitted) -> RdDiagnostic<'r> {
    RdDiagnostic {
        message: omitted.message().into(),
        location: RdLocation { path: report.file_name(omitted.file), range: None },
        severity: severity(omitted.severity),
        code: code(omitted.code, omitted.name),
        suggestions: Vec::new(),
        related_locations: Vec::new(),
    }
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "ERROR",
        Severity::Warning => "WARNING",
        Severity::Info => "INFO",
    }
}

fn code(code: &'static str, name: &str) -> Code {
    Code { value: code, url: page_address(code, name) }
}

fn location<'r>(report: &Report<'r>, file: FileId, span: Span) -> RdLocation<'r> {
    RdLocation { path: report.file_name(file), range: report.source(file).map(|source| range(source, span)) }
}

fn range(source: &SourceFile, span: Span) -> Range {
    let position = |offset| {
        let line = source.position(offset).line;
        RdPosition { line, column: offset - source.line_start(line).min(offset) + 1 }
    };
    Range { start: position(span.start), end: position(span.end) }
}

/// A fix as one replacement, since suggestions are applied one by one. `None` if it changes other files too, is long, or
/// would show what reports hide.
fn suggestion(report: &Report<'_>, file: FileId, fix: &Fix) -> Option<Suggestion> {
    let source = report.source(file)?;
    let span = Span::new(fix.edits.first()?.span.start, fix.edits.last()?.span.end);
    let is_hidden = source.hidden.iter().any(|hidden| hidden.start < span.end && span.start < hidden.end);
    if is_hidden || fix.edits.iter().any(|edit| edit.file != file) {
        return None;
    }
    let mut text = String::new();
    let mut end = span.start;
    for edit in &fix.edits {
        text.push_str(source.text.get(Span::new(end, edit.span.start).range())?);
        text.push_str(&edit.new_text);
        end = edit.span.end;
    }
    (text.len() <= MAX_SUGGESTION).then(|| Suggestion { range: range(source, span), text })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::diagnostic::{Applicability, Edit};
    use crate::lint::Outcome;
    use crate::report::findings::Style;

    /// The suggestion of a fix that replaces these bytes of a file by `x`; the second file has a hidden place.
    fn suggested(edits: &[(u32, u32, u32)]) -> Option<String> {
        let mut files = [SourceFile::new("a".into(), "a".to_owned(), "0123456789".into()), {
            let text = "a secret b".to_owned() + &" ".repeat(MAX_SUGGESTION);
            SourceFile::new("b".into(), "b".to_owned(), text.into())
        }];
        files[1].hidden = vec![Span::new(2, 8)];
        let sources: BTreeMap<FileId, SourceFile> = (0..).map(FileId).zip(files).collect();
        let outcome = Outcome { sources, ..Outcome::default() };
        let report = Report { outcome: &outcome, style: Style::default() };
        let edit = |&(file, start, end): &(u32, u32, u32)| Edit {
            file: FileId(file),
            span: Span::new(start, end),
            new_text: "x".to_owned(),
        };
        let edits: Vec<Edit> = edits.iter().map(edit).collect();
        let file = edits[0].file;
        let fix = Fix { applicability: Applicability::Safe, title: String::new(), edits };
        suggestion(&report, file, &fix).map(|suggestion| suggestion.text)
    }

    #[test]
    fn suggestion_joins_the_edits_of_a_fix() {
        assert_eq!(suggested(&[(0, 2, 4)]).as_deref(), Some("x"));
        assert_eq!(suggested(&[(0, 2, 4), (0, 5, 6)]).as_deref(), Some("x4x"));
    }

    #[test]
    fn fix_that_is_no_single_place_or_shows_what_is_hidden_has_none() {
        assert_eq!(suggested(&[(0, 2, 4), (1, 0, 1)]), None, "two files");
        assert_eq!(suggested(&[(1, 0, 1), (1, 9, 10)]), None, "a hidden place between them");
        assert_eq!(suggested(&[(1, 9, 10), (1, 4_105, 4_106)]), None, "too long");
        assert_eq!(suggested(&[(1, 9, 10)]).as_deref(), Some("x"));
    }
}
