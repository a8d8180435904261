//! The input of every report: findings, their files, and the style.

use crate::diagnostic::{Diagnostic, FileId};
use crate::lint::{Omitted, Outcome, Summary};
use crate::source::{Position, SourceFile, Span};
use crate::text::count;

/// The width of a report without a terminal.
pub const DEFAULT_WIDTH: usize = 100;

/// The look of human-readable reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    pub color: bool,
    /// Whether codes are links to the pages of their rules (OSC 8).
    pub links: bool,
    /// Columns at which lines are wrapped and cut, at least 40.
    pub width: usize,
    /// Without the summary.
    pub quiet: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self { color: false, links: false, width: DEFAULT_WIDTH, quiet: false }
    }
}

/// The input of a report.
#[derive(Debug, Clone, Copy)]
pub struct Report<'r> {
    pub outcome: &'r Outcome,
    pub style: Style,
}

/// The findings of one file.
pub(super) struct FileFindings<'r> {
    pub file: FileId,
    pub listed: &'r [Box<Diagnostic>],
    pub omitted: Vec<&'r Omitted>,
}

impl<'r> Report<'r> {
    pub(super) fn diagnostics(&self) -> &'r [Box<Diagnostic>] {
        &self.outcome.diagnostics
    }

    /// The findings that are not listed, sorted by file and code.
    pub(super) fn omitted(&self) -> &'r [Omitted] {
        &self.outcome.omitted
    }

    /// The listed and omitted findings of each file that has any.
    pub(super) fn by_file(&self) -> Vec<FileFindings<'r>> {
        let mut files: Vec<FileFindings<'_>> = Vec::new();
        for listed in self.diagnostics().chunk_by(|a, b| a.location.file == b.location.file) {
            let Some(file) = listed.first().map(|finding| finding.location.file) else { continue };
            files.push(FileFindings { file, listed, omitted: Vec::new() });
        }
        for omitted in self.omitted() {
            match files.iter_mut().find(|known| known.file == omitted.file) {
                Some(known) => known.omitted.push(omitted),
                None => files.push(FileFindings { file: omitted.file, listed: &[], omitted: vec![omitted] }),
            }
        }
        files
    }

    pub(super) fn summary(&self) -> Summary {
        self.outcome.summary
    }

    pub(super) fn source(&self, file: FileId) -> Option<&'r SourceFile> {
        self.outcome.sources.get(&file)
    }

    pub(super) fn file_name(&self, file: FileId) -> &'r str {
        self.source(file).map_or("", |source| &source.name)
    }

    /// Where a span starts and ends.
    pub fn range(&self, file: FileId, span: Span) -> (Position, Position) {
        let nowhere = Position { line: 1, column: 1, offset: 0 };
        self.source(file).map_or((nowhere, nowhere), |source| (source.position(span.start), source.position(span.end)))
    }
}

impl Omitted {
    /// The number of findings of a rule that are not listed, in words.
    pub fn message(&self) -> String {
        format!("{} of {} {} not listed", count(self.count, "more finding"), self.code, self.name)
    }
}
