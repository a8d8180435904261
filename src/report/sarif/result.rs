//! One result: its message with links to related places, its places as addresses of files and regions, its fixes.

use std::collections::BTreeMap;

use super::log::{ArtifactChange, ArtifactLocation, CodeFlow, Fix, InsertedContent, Location, LogicalLocation, Message};
use super::log::{PhysicalLocation, ROOT, Region, Replacement, SarifResult, ThreadFlow, ThreadFlowLocation, level};
use super::rules::RuleIndex;
use crate::diagnostic::{self, Diagnostic, Edit, FileId, Label};
use crate::report::escape::visible;
use crate::report::results::Report;
use crate::source::{Position, SourceFile, Span};
use crate::uri::percent_encoded;

/// Places, and steps of flows, that GitHub accepts of a result.
const MAX_PLACES: usize = 1_000;
/// The fingerprint by which GitHub recognizes an alert.
const PRIMARY: &str = "primaryLocationLineHash";
/// The name of wflint's own fingerprint. Its version changes with its input.
const OWN: &str = "wflintIdentity/v1";
/// Related places that a message links to; a reader finds the others beside it.
const MAX_LINKS: usize = 20;

pub(super) fn of(report: &Report<'_>, rules: &RuleIndex, finding: &Diagnostic, fingerprint: &str) -> SarifResult {
    SarifResult {
        rule_id: finding.code,
        rule_index: rules.index(finding.code),
        level: level(finding.severity),
        message: Message { text: message_of(finding) },
        locations: [place_of(report, &finding.location, finding.activity.as_deref())],
        related_locations: related(report, &finding.related),
        code_flows: code_flow(report, &finding.flow).into_iter().collect(),
        fixes: finding.fix.iter().map(|fix| of_fix(report, fix)).collect(),
        partial_fingerprints: BTreeMap::from([(PRIMARY, fingerprint.to_owned()), (OWN, fingerprint.to_owned())]),
    }
}

fn related(report: &Report<'_>, labels: &[Label]) -> Vec<Location> {
    // One place is that of the finding.
    let labels = (1..).zip(labels).take(MAX_PLACES - 1);
    labels.map(|(id, label)| Location { id: Some(id), ..place_of_label(report, label) }).collect()
}

fn code_flow(report: &Report<'_>, steps: &[Label]) -> Option<CodeFlow> {
    let location = |step| ThreadFlowLocation { location: place_of_label(report, step) };
    let locations: Vec<ThreadFlowLocation> = steps.iter().take(MAX_PLACES).map(location).collect();
    (!locations.is_empty()).then_some(CodeFlow { thread_flows: [ThreadFlow { locations }] })
}

fn of_fix(report: &Report<'_>, fix: &diagnostic::Fix) -> Fix {
    let changes = fix.edits.chunk_by(|a, b| a.file == b.file).filter_map(|edits| {
        let file = edits.first()?.file;
        let replacement = |edit: &Edit| Replacement {
            deleted_region: region(report, file, edit.span),
            inserted_content: InsertedContent { text: edit.new_text.clone() },
        };
        let replacements = edits.iter().map(replacement).collect();
        Some(ArtifactChange { artifact_location: artifact(report, file), replacements })
    });
    let text = plain(&format!("{} ({})", fix.title, fix.applicability.word()));
    Fix { description: Message { text }, artifact_changes: changes.collect() }
}

/// A string without links, whatever it contains.
pub(super) fn plain(text: &str) -> String {
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

fn artifact(report: &Report<'_>, file: FileId) -> ArtifactLocation {
    ArtifactLocation { uri: percent_encoded(report.file_name(file)), uri_base_id: ROOT }
}

/// A whole file.
pub(super) fn place_of_file(report: &Report<'_>, file: FileId) -> Location {
    let physical_location = PhysicalLocation { artifact_location: artifact(report, file), region: None };
    Location { id: None, physical_location, logical_locations: Vec::new(), message: None }
}

/// A place in a document; `activity` is the name of the nearest activity or field.
fn place_of(report: &Report<'_>, location: &diagnostic::Location, activity: Option<&str>) -> Location {
    let name = activity.map(str::to_owned);
    let logical = LogicalLocation { name, fully_qualified_name: location.pointer.clone() };
    Location {
        id: None,
        physical_location: PhysicalLocation {
            artifact_location: artifact(report, location.file),
            region: Some(short_region(report, location.file, location.span)),
        },
        logical_locations: if location.pointer.is_empty() { Vec::new() } else { vec![logical] },
        message: None,
    }
}

/// A place, and what is there.
fn place_of_label(report: &Report<'_>, label: &Label) -> Location {
    let message = Message { text: plain(&label.message) };
    Location { message: Some(message), ..place_of(report, &label.location, None) }
}

fn region(report: &Report<'_>, file: FileId, span: Span) -> Region {
    let (start, end) = report.range(file, span);
    of_positions(start, end)
}

/// A region of one line: GitHub shows a result in a pull request only if all of its lines are in the change.
fn short_region(report: &Report<'_>, file: FileId, span: Span) -> Region {
    let (start, end) = report.range(file, span);
    match report.source(file).filter(|_| start.line < end.line) {
        Some(source) => of_positions(start, end_of_line(source, start.line)),
        None => of_positions(start, end),
    }
}

/// The place after the last character of a line.
fn end_of_line(source: &SourceFile, line: u32) -> Position {
    let start = source.line_start(line) as usize;
    let rest = source.text.get(start..).unwrap_or_default();
    let length = rest.find(['\r', '\n']).unwrap_or(rest.len());
    source.position(u32::try_from(start + length).unwrap_or(u32::MAX))
}

const fn of_positions(start: Position, end: Position) -> Region {
    Region { start_line: start.line, start_column: start.column, end_line: end.line, end_column: end.column }
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
