//! Findings, places and reports for the tests.

mod exact;
mod look;

use std::ops::Range;

use super::write;
use crate::diagnostic::{Diagnostic, FileId, Label, Location, Severity};
use crate::lint::Outcome;
use crate::report::{Report, Style};
use crate::source::{SourceFile, Span};

/// A finding in the first file.
fn finding(span: Range<u32>) -> Diagnostic {
    Diagnostic {
        code: "WF101",
        name: "unknown-variable",
        severity: Severity::Error,
        message: "no such variable".to_owned(),
        location: place(0, span),
        also: None,
        activity: None,
        help: None,
        related: Vec::new(),
        flow: Vec::new(),
        fix: None,
        fingerprint: None,
    }
}

fn place(file: u32, span: Range<u32>) -> Location {
    Location { file: FileId(file), pointer: String::new(), span: Span::new(span.start, span.end) }
}

fn related(file: u32, span: Range<u32>, message: &str) -> Label {
    Label { location: place(file, span), message: message.to_owned() }
}

/// The bytes of a text's first occurrence.
fn find(text: &str, wanted: &str) -> Range<u32> {
    let start = u32::try_from(text.find(wanted).unwrap()).unwrap();
    start..start + u32::try_from(wanted.len()).unwrap()
}

fn report(files: &[(&str, &str)], diagnostics: Vec<Diagnostic>, style: Style) -> String {
    let source = |(id, &(name, text)): (u32, &(&str, &str))| {
        (FileId(id), SourceFile::new(name.into(), name.to_owned(), text.into()))
    };
    let diagnostics = diagnostics.into_iter().map(Box::new).collect();
    let outcome = Outcome { sources: (0..).zip(files).map(source).collect(), diagnostics, ..Outcome::default() };
    let mut out = Vec::new();
    write(&Report { outcome: &outcome, style }, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// One finding's lines, without the summary and without spaces at their ends.
fn drawn(files: &[(&str, &str)], diagnostic: Diagnostic) -> String {
    let report = report(files, vec![diagnostic], Style::default());
    let lines: Vec<&str> = report.trim_end_matches("Nothing to lint.\n").lines().map(str::trim_end).collect();
    lines.join("\n")
}
