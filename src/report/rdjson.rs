//! `--format rdjson`: the Reviewdog Diagnostic Format.

use std::io::{self, Write};

use serde::Serialize;

use super::escape::visible;
use super::object::{Array, object, write_json};
use super::results::Report;
use crate::lint::Omitted;
use crate::rules::page_address;
use crate::text::diagnostic::{Diagnostic, FileId, Fix, Label, Location, Severity};
use crate::text::source::Span;

/// Bytes of a suggestion. A fix whose edits are far apart would repeat all that is between them.
const MAX_SUGGESTION: usize = 4096;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let omitted: Vec<Diagnostic> = report.outcome.omitted.iter().map(as_diagnostic).collect();
    let findings = || {
        let listed = report.diagnostics().iter().map(|finding| (&**finding, true));
        let all = listed.chain(omitted.iter().map(|omitted| (omitted, false)));
        all.map(|(finding, has_range)| of_finding(report, finding, has_range))
    };
    let source = object().with("name", env!("CARGO_PKG_NAME")).with("url", env!("CARGO_PKG_REPOSITORY"));
    write_json(&object().with("source", source).with("diagnostics", Array(findings)), out)
}

/// The findings of a rule that are only counted, as one about the whole file.
fn as_diagnostic(omitted: &Omitted) -> Diagnostic {
    let location = Location { file: omitted.file, pointer: String::new(), span: Span::default() };
    Diagnostic::new(omitted.code, omitted.name, omitted.severity, omitted.message(), location)
}

fn of_finding<'r>(report: &Report<'r>, finding: &'r Diagnostic, has_range: bool) -> impl Serialize + use<'r> {
    let report = *report;
    let file = finding.location.file;
    let place = |span| range(&report, file, span).filter(|_| has_range);
    let suggestions = finding.repairs().filter_map(|fix| suggestion(&report, file, fix));
    let suggestion = |(span, text)| object().with("range", place(span)).with("text", text);
    let suggestions: Vec<_> = suggestions.map(suggestion).collect();
    let related = move |label: &'r Label| {
        let Location { file, span, .. } = label.location;
        let location = object().with("path", report.file_name(file)).with_some("range", range(&report, file, span));
        object().with("message", visible(&label.message)).with("location", location)
    };
    let related = Some(Array(move || finding.related.iter().map(related)));
    let location = object().with("path", report.file_name(file)).with_some("range", place(finding.location.span));
    object()
        .with("message", visible(&finding.message_with_help()).into_owned())
        .with("location", location)
        .with("severity", severity(finding.severity))
        .with("code", object().with("value", finding.code).with_some("url", page_address(finding.code, finding.name)))
        .with_some("suggestions", Some(suggestions).filter(|suggestions| !suggestions.is_empty()))
        .with_some("related_locations", related.filter(|_| !finding.related.is_empty()))
}

const fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "ERROR",
        Severity::Warning => "WARNING",
        Severity::Info => "INFO",
    }
}

/// From 1, the end exclusive; columns count the bytes of UTF-8.
fn range(report: &Report<'_>, file: FileId, span: Span) -> Option<impl Serialize + use<>> {
    let source = report.source(file)?;
    let position = |offset| {
        let line = source.position(offset).line;
        object().with("line", line).with("column", offset - source.line_start(line).min(offset) + 1)
    };
    Some(object().with("start", position(span.start)).with("end", position(span.end)))
}

/// A fix as one replacement, since suggestions are applied one by one. `None` if it changes other files too, is long, or
/// would show what reports hide.
fn suggestion(report: &Report<'_>, file: FileId, fix: &Fix) -> Option<(Span, String)> {
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
    (text.len() <= MAX_SUGGESTION).then_some((span, text))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::lint::Outcome;
    use crate::report::style::Style;
    use crate::text::diagnostic::{Applicability, Edit};
    use crate::text::source::SourceFile;

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
        suggestion(&report, file, &fix).map(|(_, text)| text)
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
