//! What every command ends in: findings, a summary, and what was checked. A format renders these parts, whatever the
//! command; only `human` and `json` know what else there is.

use std::borrow::Cow;

use super::markup::Table;
use super::style::Style;
use crate::lint::{Omitted, Outcome};
use crate::text::count;
use crate::text::diagnostic::{Diagnostic, FileId, Location};
use crate::text::source::{Position, SourceFile, Span};

/// The results of a command. Only what a format shows is made.
pub(super) trait Results {
    /// The files, and the style.
    fn report(&self) -> &Report<'_>;

    fn findings(&self) -> Vec<Finding<'_>>;

    /// The findings that are only counted.
    fn omitted(&self) -> &[Omitted] {
        &[]
    }

    /// The lines of the summary, without their ends.
    fn summary(&self) -> Vec<String>;

    /// What was checked, for formats that also show what passed.
    fn suites(&self) -> Vec<Suite>;

    /// The findings, and what else people want to see of all results, for pages.
    fn tables(&self) -> Vec<Table>;

    /// Lines below the tables, in Markdown.
    fn notes(&self) -> Vec<String>;
}

/// A finding in a list.
pub(super) struct Finding<'r> {
    pub diagnostic: Cow<'r, Diagnostic>,
    /// What it is, in words; `None` for code and name of its rule. Not escaped.
    pub title: Option<String>,
}

/// Test cases. Nothing is escaped.
pub(super) struct Suite {
    pub name: String,
    pub cases: Vec<Case>,
}

/// Something that was checked.
#[derive(Clone)]
pub(super) struct Case {
    pub name: String,
    /// Empty if it is about none.
    pub file: String,
    /// Further attributes.
    pub attributes: Vec<(&'static str, String)>,
    pub verdict: Verdict,
}

#[derive(Clone)]
pub(super) enum Verdict {
    Passed,
    /// It passed, with remarks.
    Noted(String),
    /// It failed, but that is accepted, for a reason.
    Accepted(String),
    Failed {
        message: String,
        kind: Option<&'static str>,
        /// Lines with more about it.
        details: Vec<String>,
    },
    /// It could not be checked, for a reason.
    Undecided(String),
}

impl Case {
    /// A case with its file as an attribute, as for runs.
    pub fn of_run(name: impl Into<String>, file: &str, verdict: Verdict) -> Self {
        Self { name: name.into(), file: file.to_owned(), attributes: vec![("file", file.to_owned())], verdict }
    }
}

/// Findings with their files. It is all that lint ends in; the other commands have their findings elsewhere.
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

    /// The listed and omitted findings of each file that has any.
    pub(super) fn by_file(&self) -> Vec<FileFindings<'r>> {
        let mut files: Vec<FileFindings<'_>> = Vec::new();
        for listed in self.diagnostics().chunk_by(|a, b| a.location.file == b.location.file) {
            let Some(file) = listed.first().map(|finding| finding.location.file) else { continue };
            files.push(FileFindings { file, listed, omitted: Vec::new() });
        }
        for omitted in &self.outcome.omitted {
            match files.iter_mut().find(|known| known.file == omitted.file) {
                Some(known) => known.omitted.push(omitted),
                None => files.push(FileFindings { file: omitted.file, listed: &[], omitted: vec![omitted] }),
            }
        }
        files
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

    /// `file:line:column`. Not escaped.
    pub(super) fn place(&self, location: &Location) -> String {
        let (start, _) = self.range(location.file, location.span);
        format!("{}:{}:{}", self.file_name(location.file), start.line, start.column)
    }
}

impl Omitted {
    /// The number of findings of a rule that are not listed, in words.
    pub fn message(&self) -> String {
        format!("{} of {} {} not listed", count(self.count, "more finding"), self.code, self.name)
    }
}
