//! One result: its message with links to related places, its places as addresses of files and regions, its fixes.

use serde::Serialize;

use super::rules::{RuleIndex, level};
use crate::report::escape::visible;
use crate::report::object::{Array, Members, Object, object};
use crate::report::results::Report;
use crate::text::diagnostic::{Diagnostic, Edit, FileId, Fix, Label, Location};
use crate::text::source::{Position, SourceFile, Span};
use crate::text::uri::percent_encoded;

/// The base of relative addresses: the folder in which wflint ran, which should be the root of the repository.
pub(super) const ROOT: &str = "%SRCROOT%";
/// Places, and steps of flows, that GitHub accepts of a result.
const MAX_PLACES: usize = 1_000;
/// The fingerprint by which GitHub recognizes an alert.
const PRIMARY: &str = "primaryLocationLineHash";
/// The name of wflint's own fingerprint. Its version changes with its input.
const OWN: &str = "wflintIdentity/v1";
/// Related places that a message links to; a reader finds the others beside it.
const MAX_LINKS: usize = 20;

pub(super) fn of<'r>(
    report: &Report<'r>,
    rules: &RuleIndex,
    finding: &'r Diagnostic,
    fingerprint: &str,
) -> impl Serialize + use<'r> {
    let report = *report;
    // One place is that of the finding.
    let related = || (1..).zip(finding.related.iter().take(MAX_PLACES - 1));
    let related = Array(move || related().map(move |(id, label)| labeled(object().with("id", id), &report, label)));
    let step = move |step: &'r Label| object().with("location", labeled(object(), &report, step));
    let steps = Array(move || finding.flow.iter().take(MAX_PLACES).map(step));
    let flow = [object().with("threadFlows", [object().with("locations", steps)])];
    let fixes = Array(move || finding.repairs().map(move |fix| of_fix(&report, fix)));
    let fingerprint = fingerprint.to_owned();
    object()
        .with("ruleId", finding.code)
        .with("ruleIndex", rules.index(finding.code))
        .with("level", level(finding.severity))
        .with("message", object().with("text", message_of(finding)))
        .with("locations", [placed(object(), &report, &finding.location, finding.activity.as_deref())])
        .with_some("relatedLocations", Some(related).filter(|_| !finding.related.is_empty()))
        .with_some("codeFlows", Some(flow).filter(|_| !finding.flow.is_empty()))
        .with_some("fixes", Some(fixes).filter(|_| finding.repairs().next().is_some()))
        .with("partialFingerprints", object().with(PRIMARY, fingerprint.clone()).with(OWN, fingerprint))
}

fn of_fix<'r>(report: &Report<'r>, fix: &'r Fix) -> impl Serialize + use<'r> {
    let report = *report;
    let replacement = move |edit: &'r Edit| {
        let (start, end) = report.range(edit.file, edit.span);
        let inserted = object().with("text", &*edit.new_text);
        object().with("deletedRegion", region(start, end)).with("insertedContent", inserted)
    };
    let changes = move || {
        let by_file = fix.edits.chunk_by(|a, b| a.file == b.file);
        by_file.filter_map(move |edits| {
            let replacements = Array(move || edits.iter().map(replacement));
            let artifact = artifact(&report, edits.first()?.file);
            Some(object().with("artifactLocation", artifact).with("replacements", replacements))
        })
    };
    let description = format!("{} ({})", fix.title, fix.applicability.word());
    object().with("description", message(&description)).with("artifactChanges", Array(changes))
}

/// A string as a message without links.
pub(super) fn message(text: &str) -> impl Serialize + use<> {
    object().with("text", plain(text))
}

/// A string without links, whatever it contains.
fn plain(text: &str) -> String {
    let text = visible(text);
    // Brackets elsewhere are no links, and not every reader removes backslashes.
    if text.contains("](") { escaped(&text) } else { text.into_owned() }
}

/// The message of a result: the finding, its help, and a link to each related place.
fn message_of(diagnostic: &Diagnostic) -> String {
    let mut text = sentence(&plain(&diagnostic.message));
    if let Some(help) = &diagnostic.help {
        text.push_str(" Help: ");
        text.push_str(&sentence(&plain(help)));
    }
    let labels = diagnostic.related.iter().take(MAX_LINKS);
    let links: Vec<String> =
        (1..).zip(labels).map(|(id, label)| format!("[{}]({id})", escaped(&visible(&label.message)))).collect();
    if !links.is_empty() {
        text.push_str(" Related: ");
        text.push_str(&links.join(", "));
        text.push('.');
    }
    text
}

fn sentence(text: &str) -> String {
    format!("{}.", text.trim_end_matches('.'))
}

/// Escapes as section 3.11.6 of the specification says.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 4);
    for character in text.chars() {
        if matches!(character, '\\' | '[' | ']') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}

fn artifact(report: &Report<'_>, file: FileId) -> impl Serialize + use<> {
    object().with("uri", percent_encoded(report.file_name(file))).with("uriBaseId", ROOT)
}

/// A whole file.
pub(super) fn place_of_file(report: &Report<'_>, file: FileId) -> impl Serialize + use<> {
    object().with("physicalLocation", object().with("artifactLocation", artifact(report, file)))
}

/// Adds a place in a document; `activity` is the name of the nearest activity or field.
fn placed<'r, M: Members>(
    to: Object<M>,
    report: &Report<'r>,
    location: &'r Location,
    activity: Option<&'r str>,
) -> Object<impl Members + use<'r, M>> {
    let physical = object()
        .with("artifactLocation", artifact(report, location.file))
        .with("region", short_region(report, location.file, location.span));
    let logical = object().with_some("name", activity).with("fullyQualifiedName", &*location.pointer);
    to.with("physicalLocation", physical)
        .with_some("logicalLocations", Some([logical]).filter(|_| !location.pointer.is_empty()))
}

/// Adds a place, and what is there.
fn labeled<'r, M: Members>(to: Object<M>, report: &Report<'r>, label: &'r Label) -> Object<impl Members + use<'r, M>> {
    placed(to, report, &label.location, None).with("message", message(&label.message))
}

/// A region of one line: GitHub shows a result in a pull request only if all of its lines are in the change.
fn short_region(report: &Report<'_>, file: FileId, span: Span) -> impl Serialize + use<> {
    let (start, end) = report.range(file, span);
    match report.source(file).filter(|_| start.line < end.line) {
        Some(source) => region(start, end_of_line(source, start.line)),
        None => region(start, end),
    }
}

/// The place after the last character of a line.
fn end_of_line(source: &SourceFile, line: u32) -> Position {
    let start = source.line_start(line) as usize;
    let rest = source.text.get(start..).unwrap_or_default();
    let length = rest.find(['\r', '\n']).unwrap_or(rest.len());
    source.position(u32::try_from(start + length).unwrap_or(u32::MAX))
}

/// Lines and columns from 1; the end column is exclusive.
fn region(start: Position, end: Position) -> impl Serialize {
    object()
        .with("startLine", start.line)
        .with("startColumn", start.column)
        .with("endLine", end.line)
        .with("endColumn", end.column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_become_links() {
        assert_eq!(plain("undefined `a[0]`"), "undefined `a[0]`");
        assert_eq!(plain("`[click](https://example.com)`"), "`\\[click\\](https://example.com)`");
        assert_eq!(escaped("para[0]\\x"), "para\\[0\\]\\\\x");
    }
}
