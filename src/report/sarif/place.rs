//! Places: addresses of files, and regions.

use super::log::{ArtifactLocation, Location, LogicalLocation, Message, PhysicalLocation, ROOT, Region};
use super::message;
use crate::diagnostic::{self, FileId, Label};
use crate::report::findings::Report;
use crate::source::{Position, SourceFile, Span};
use crate::uri::percent_encoded;

pub(super) fn artifact(report: &Report<'_>, file: FileId) -> ArtifactLocation {
    ArtifactLocation { uri: percent_encoded(report.file_name(file)), uri_base_id: ROOT }
}

/// A whole file.
pub(super) fn of_file(report: &Report<'_>, file: FileId) -> Location {
    let physical_location = PhysicalLocation { artifact_location: artifact(report, file), region: None };
    Location { id: None, physical_location, logical_locations: Vec::new(), message: None }
}

/// A place in a document; `activity` is the name of the nearest activity or field.
pub(super) fn of(report: &Report<'_>, location: &diagnostic::Location, activity: Option<&str>) -> Location {
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
pub(super) fn of_label(report: &Report<'_>, label: &Label) -> Location {
    let message = Message { text: message::plain(&label.message) };
    Location { message: Some(message), ..of(report, &label.location, None) }
}

pub(super) fn region(report: &Report<'_>, file: FileId, span: Span) -> Region {
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
