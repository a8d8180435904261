//! The pipeline: check every service in parallel, choose what is reported, sort.

mod baseline;
mod filter;
mod linter;
mod problems;
mod suppress;

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::civil::Date;
use rayon::prelude::*;

use crate::diagnostic::{Applicability, Diagnostic, FileId, Severity};
use crate::identity::Counts;
use crate::project::{Project, Texts};
use crate::source::SourceFile;

pub use baseline::Baseline;
pub use linter::{Checked, Linter};

/// Stack of each worker, in bytes. Schema validation recurses with the depth of a document, which
/// may be 256; a debug build takes some 30 KiB a level.
const STACK: usize = 32 << 20;

/// A choice of rules on the command line; the last that names a rule wins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// Rules that report.
    Select(String),
    /// Rules that do not.
    Ignore(String),
}

/// Findings that are not reported because they are known.
#[derive(Debug, Clone, Default)]
pub enum Known {
    /// None.
    #[default]
    Nothing,
    /// Those that a baseline lists.
    Listed(Baseline),
    /// All that there are: they are going to be the baseline, in place of this one.
    Everything(Baseline),
}

/// How to lint.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Choices of the command line, in their order.
    pub choices: Vec<Choice>,
    /// Threads; as many as the machine has cores when `None`.
    pub jobs: Option<usize>,
    /// Findings in files that were not asked for are dropped even when those asked for cause them.
    pub only_reported: bool,
    /// Findings that are not reported because they are known.
    pub known: Known,
    /// The day, in UTC, by which suppressions end; without one they do not.
    pub today: Option<Date>,
    /// This program, to run the scripts of Code activities in a process of their own; none are run
    /// without it.
    pub program: Option<PathBuf>,
    /// Unsafe fixes are counted, and applied when any are.
    pub unsafe_fixes: bool,
}

/// How many findings there are, of each kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Documents that were reported on.
    pub files: usize,
    /// Files that hold no document.
    pub skipped: usize,
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Infos.
    pub infos: usize,
    /// Findings with a safe fix.
    pub fixable: usize,
    /// Findings with an unsafe fix, when those are asked for.
    pub unsafely_fixable: usize,
    /// Findings that were fixed, which are not among the others.
    pub fixed: usize,
    /// Files in which some were.
    pub fixed_files: usize,
    /// Findings that the configuration suppresses.
    pub suppressed: usize,
    /// Findings that the baseline knows.
    pub baselined: usize,
}

/// What a run found.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The files with findings, and those that findings point to.
    pub sources: BTreeMap<FileId, SourceFile>,
    /// The findings, sorted by file, place and code.
    pub diagnostics: Vec<Diagnostic>,
    /// How many there are.
    pub summary: Summary,
    /// What could not be read, with the reason; the rest was linted nevertheless.
    pub unreadable: Vec<String>,
    /// What the user should know of how the run went, and that is no finding.
    pub notes: Vec<String>,
    /// With [`Known::Everything`]: what the baseline is to list.
    pub known: Counts,
}

/// A pool of threads whose stacks suffice for the deepest document.
///
/// # Errors
/// When no threads can be made.
pub fn pool(jobs: Option<usize>) -> Result<rayon::ThreadPool, String> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(jobs.unwrap_or(0))
        .stack_size(STACK)
        .build()
        .map_err(|error| format!("no threads: {error}"))
}

/// Runs a job on a [`pool`].
///
/// # Errors
/// When no threads can be made.
pub fn on_pool<T: Send>(jobs: Option<usize>, job: impl FnOnce() -> T + Send) -> Result<T, String> {
    Ok(pool(jobs)?.install(job))
}

/// Lints a project. To be called on a pool of [`on_pool`].
///
/// # Errors
/// A choice of rules that names none, with where it was made.
pub fn lint(project: &Project, options: &Options) -> Result<Outcome, String> {
    let linter = Linter::new(project, options)?;
    let texts = Texts::new();
    let parts = project.services.par_iter().map(|service| linter.check(service, &texts)).collect();
    Ok(linter.finish(parts))
}

impl Summary {
    /// Counts findings; unsafe fixes too, if that is asked for.
    fn of(diagnostics: &[Diagnostic], unsafe_fixes: bool) -> Self {
        let count = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
        let fixable = |wanted| {
            let fixes = diagnostics.iter().filter_map(|diagnostic| diagnostic.fix.as_ref());
            fixes.filter(|fix| fix.applicability == wanted).count()
        };
        Self {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
            fixable: fixable(Applicability::Safe),
            unsafely_fixable: if unsafe_fixes { fixable(Applicability::Unsafe) } else { 0 },
            ..Self::default()
        }
    }

    const fn add(&mut self, other: Self) {
        self.files += other.files;
        self.skipped += other.skipped;
        self.errors += other.errors;
        self.warnings += other.warnings;
        self.infos += other.infos;
        self.fixable += other.fixable;
        self.unsafely_fixable += other.unsafely_fixable;
        self.fixed += other.fixed;
        self.fixed_files += other.fixed_files;
        self.suppressed += other.suppressed;
        self.baselined += other.baselined;
    }
}
