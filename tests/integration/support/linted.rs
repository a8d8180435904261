//! Lints documents in memory. The only place in the tests that depends on how this is done.

use std::ops::Range;

use wflint::lint::{self, Choice, Options, Outcome};
use wflint::project::{self, Buffer, ConfigSource, Request};
use wflint::report::{Format, Report, Style};
use wflint::text::diagnostic::{Diagnostic, FileId, Location, Severity};
use wflint::text::source::Span;

/// The result of a run.
pub struct Linted {
    outcome: Outcome,
}

/// A place that a finding names.
#[derive(Debug, Clone)]
pub struct ReportedPlace<'l> {
    pub file: &'l str,
    pub text: &'l str,
    pub bytes: Range<usize>,
    pub pointer: &'l str,
}

#[derive(Debug)]
pub struct Finding<'l> {
    pub code: &'l str,
    pub place: ReportedPlace<'l>,
    pub related: Vec<ReportedPlace<'l>>,
    /// The places that its fix replaces, also in other files.
    pub edits: Vec<ReportedPlace<'l>>,
}

/// Lints the files of one folder, given by name and content, by all rules.
pub fn lint_texts(files: &[(&str, &[u8])], jobs: usize) -> Linted {
    let text = |&(name, bytes): &(&str, &[u8])| Buffer::new(Some(name.into()), bytes);
    let request = Request {
        current: std::env::temp_dir(),
        buffers: files.iter().map(text).collect(),
        in_memory: true,
        config: ConfigSource::Isolated,
        ..Request::default()
    };
    lint::on_pool(Some(jobs), || {
        let project = project::find(&request).unwrap();
        let outcome = lint::lint(
            &project,
            &Options { choices: vec![Choice::Select("ALL".to_owned())], jobs: Some(jobs), ..Options::default() },
        )
        .unwrap();
        Linted { outcome }
    })
    .unwrap()
}

impl<'l> Finding<'l> {
    /// All that it names, and what its fix replaces.
    pub fn places(&self) -> impl Iterator<Item = &ReportedPlace<'l>> {
        self.related.iter().chain(&self.edits).chain([&self.place])
    }
}

impl Linted {
    /// The findings, in the order in which they are reported.
    pub fn findings(&self) -> Vec<Finding<'_>> {
        self.outcome.diagnostics.iter().map(|diagnostic| self.finding(diagnostic)).collect()
    }

    /// The codes of the findings, sorted; that of an info with a final `i`.
    pub fn codes(&self) -> Vec<String> {
        let code = |found: &Diagnostic| {
            let mark = if found.severity == Severity::Info { "i" } else { "" };
            format!("{}{mark}", found.code)
        };
        let mut codes: Vec<String> = self.outcome.diagnostics.iter().map(|found| code(found)).collect();
        codes.sort();
        codes
    }

    /// The report in a format, without color.
    pub fn report(&self, format: Format) -> Vec<u8> {
        self.styled(format, Style::default())
    }

    /// The human report for a narrow terminal.
    pub fn on_a_terminal(&self) -> Vec<u8> {
        self.styled(Format::Human, Style { color: true, width: 40, ..Style::default() })
    }

    fn styled(&self, format: Format, style: Style) -> Vec<u8> {
        let report = Report { outcome: &self.outcome, style };
        let mut bytes = Vec::new();
        report.write(format, &mut bytes).unwrap();
        bytes
    }

    fn finding<'l>(&'l self, diagnostic: &'l Diagnostic) -> Finding<'l> {
        let edits = diagnostic.fix.iter().flat_map(|fix| &fix.edits);
        Finding {
            code: diagnostic.code,
            place: self.location(&diagnostic.location),
            related: diagnostic.related.iter().map(|label| self.location(&label.location)).collect(),
            edits: edits.map(|edit| self.place(edit.file, edit.span, "")).collect(),
        }
    }

    fn location<'l>(&'l self, location: &'l Location) -> ReportedPlace<'l> {
        self.place(location.file, location.span, &location.pointer)
    }

    fn place<'l>(&'l self, file: FileId, span: Span, pointer: &'l str) -> ReportedPlace<'l> {
        let source = &self.outcome.sources[&file];
        ReportedPlace { file: &source.name, text: &source.text, bytes: span.range(), pointer }
    }
}
