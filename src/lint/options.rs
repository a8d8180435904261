//! How to lint: the options, and what follows from them and the configurations.

use std::path::PathBuf;
use std::sync::Arc;

use jiff::civil::Date;

use super::baseline::Baselines;
use super::filter::{Choice, Filter, is_always_reported};
use super::own_files::OwnFiles;
use super::suppressions::Suppressions;
use crate::common::timing::Timing;
use crate::config::selectors;
use crate::project::Project;
use crate::text::diagnostic::Diagnostic;
use crate::text::source::{SourceFile, Span};

#[derive(Debug, Clone, Default)]
pub struct Options {
    /// In the order of the command line.
    pub choices: Vec<Choice>,
    /// Threads; as many as there are cores when `None`.
    pub jobs: Option<usize>,
    /// The only places of interest in their files.
    pub spots: Vec<Spot>,
    /// Drops findings in files that were not named, even when the named files cause them.
    pub only_reported: bool,
    pub baselines: Baselines,
    /// The current day in UTC, for suppressions that expire; without it none does.
    pub today: Option<Date>,
    /// This program, which runs the scripts of Code activities in a child process; without it no
    /// script is run.
    pub program: Option<PathBuf>,
    /// Collects times, if they are wanted.
    pub timing: Option<Arc<Timing>>,
    /// Applies unsafe fixes too when fixes are applied.
    pub unsafe_fixes: bool,
    /// Whether findings get a fingerprint.
    pub fingerprints: bool,
}

/// A line of a file, or a character of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    pub path: PathBuf,
    /// From 1.
    pub line: u32,
    /// From 1.
    pub column: Option<u32>,
}

impl Spot {
    /// Whether some of a span of this file is there.
    pub fn touches(&self, source: &SourceFile, span: Span) -> bool {
        let (start, end) = (source.position(span.start), source.position(span.end));
        let (start, end) = ((start.line, start.column), (end.line, end.column));
        // Of an empty span, where it is.
        let is_inside = |at| start <= at && (at < end || at == start);
        let column = if start.0 == self.line { start.1 } else { 1 };
        is_inside((self.line, self.column.unwrap_or(column)))
    }
}

impl Options {
    /// Whether a finding in a file is where it was asked for. That a document was not linted concerns every place.
    pub(super) fn selects(&self, source: &SourceFile, diagnostic: &Diagnostic) -> bool {
        let mut spots = self.spots.iter().filter(|spot| spot.path == source.path).peekable();
        spots.peek().is_none()
            || is_always_reported(diagnostic.code)
            || spots.any(|spot| spot.touches(source, diagnostic.location.span))
    }

    /// Whether all findings in the files are reported, so that entries of configurations can be judged.
    pub(super) fn judges_entries(&self) -> bool {
        !self.only_reported && self.spots.is_empty()
    }
}

/// A project with the filters and suppressions of each of its configurations, by their index.
pub(super) struct Setup<'p> {
    pub project: &'p Project,
    pub options: &'p Options,
    pub filters: Vec<Filter>,
    pub suppressions: Vec<Suppressions<'p>>,
    /// Of the user's own rules.
    pub own_files: OwnFiles,
}

impl<'p> Setup<'p> {
    pub fn new(project: &'p Project, options: &'p Options) -> Result<Self, String> {
        let own: Vec<&str> = project.configs.iter().flat_map(|config| selectors(&config.own_rules)).collect();
        let filter = |config| Filter::new(config, &options.choices, &own);
        let filters: Vec<Filter> = project.configs.iter().map(filter).collect::<Result<_, _>>()?;
        let suppressions = project.configs.iter().zip(&filters);
        let suppressions =
            suppressions.map(|(config, filter)| Suppressions::new(config, filter, options.today)).collect();
        let own_files = OwnFiles::new(project, options.baselines.all.len());
        Ok(Self { project, options, filters, suppressions, own_files })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spot_is_a_line_or_a_character() {
        let source = SourceFile::new("a".into(), "a".to_owned(), "one\ntwo three\nfour\n".into());
        let touches = |line, column, span: std::ops::Range<u32>| {
            Spot { path: "a".into(), line, column }.touches(&source, Span::new(span.start, span.end))
        };
        assert!(touches(2, None, 4..7) && touches(2, None, 8..13) && touches(2, None, 0..9) && touches(2, None, 4..4));
        assert!(!touches(1, None, 4..7) && !touches(3, None, 4..13) && !touches(2, None, 0..4));
        assert!(touches(2, Some(1), 4..7) && touches(2, Some(3), 4..7) && touches(2, Some(5), 8..8));
        assert!(!touches(2, Some(4), 4..7) && !touches(2, Some(5), 4..7) && !touches(1, Some(1), 4..7));
    }
}
