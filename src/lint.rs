//! The pipeline: check every service in parallel, choose what is reported, sort.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use rayon::prelude::*;

use crate::collections::HashMap;
use crate::config::{Config, glob};
use crate::diagnostic::{Applicability, Diagnostic, FileId, Severity};
use crate::project::{File, Project, Service, ServiceModel};
use crate::rules::{CaseText, Context, Hidden, REGISTRY, Reporter, Rule, Stage};
use crate::script::Evaluator;
use crate::source::SourceFile;
use crate::suggest::{self, Suggester};

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

/// How to lint.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Choices of the command line, in their order.
    pub choices: Vec<Choice>,
    /// Threads; as many as the machine has cores when `None`.
    pub jobs: Option<usize>,
    /// Findings in files that were not asked for are dropped even when those asked for cause them.
    pub only_reported: bool,
    /// This program, to run the scripts of Code activities in a process of their own; none are run
    /// without it.
    pub program: Option<PathBuf>,
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
    let filters: Vec<Filter> =
        project.configs.iter().map(|config| Filter::new(config, &options.choices)).collect::<Result<_, _>>()?;
    let evaluator = options.program.clone().map(Evaluator::new);
    let checked: Vec<Outcome> = project
        .services
        .par_iter()
        .map(|service| {
            let filter = filters.get(service.config);
            filter
                .map(|filter| check_service(project, service, filter, options, evaluator.as_ref()))
                .unwrap_or_default()
        })
        .collect();
    let notes = evaluator.iter().filter_map(Evaluator::note).collect();
    let mut outcome = Outcome { unreadable: project.unreadable.clone(), notes, ..Outcome::default() };
    for part in checked {
        outcome.add(part);
    }
    outcome.diagnostics.sort_by(|a, b| {
        let key = |diagnostic: &Diagnostic| (diagnostic.location.file, diagnostic.location.span, diagnostic.code);
        key(a).cmp(&key(b)).then_with(|| a.message.cmp(&b.message))
    });
    Ok(outcome)
}

impl Outcome {
    fn add(&mut self, part: Self) {
        self.sources.extend(part.sources);
        self.diagnostics.extend(part.diagnostics);
        self.unreadable.extend(part.unreadable);
        self.summary.add(part.summary);
    }
}

impl Summary {
    fn of(diagnostics: &[Diagnostic]) -> Self {
        let count = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
        let is_safe = |diagnostic: &&Diagnostic| {
            diagnostic.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe)
        };
        Self {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            infos: count(Severity::Info),
            fixable: diagnostics.iter().filter(is_safe).count(),
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
    }
}

/// Reads and checks one service; of its files only those are kept that a report needs.
fn check_service(
    project: &Project,
    service: &Service,
    filter: &Filter,
    options: &Options,
    evaluator: Option<&Evaluator>,
) -> Outcome {
    let Some(config) = project.configs.get(service.config) else { return Outcome::default() };
    let read = project.read(service);
    let files: Vec<&File> = read.files.iter().collect();
    let check = Check { config, filter, evaluator: evaluator.filter(|_| config.evaluate_scripts) };
    let (mut diagnostics, hidden) = check.asked_for(&files, options);
    for diagnostic in &mut diagnostics {
        hidden.cover(diagnostic);
    }
    let mut summary = Summary::of(&diagnostics);
    summary.files = read.files.iter().filter(|file| file.reported).count();
    summary.skipped = read.skipped;
    let needed: BTreeSet<FileId> = diagnostics
        .iter()
        .flat_map(|diagnostic| {
            std::iter::once(&diagnostic.location).chain(diagnostic.related.iter().map(|label| &label.location))
        })
        .map(|location| location.file)
        .collect();
    let sources = read.files.into_iter().filter(|file| needed.contains(&file.id)).map(|mut file| {
        file.source.hidden = hidden.spans(file.id).to_vec();
        (file.id, file.source)
    });
    let sources = sources.collect();
    Outcome { sources, diagnostics, summary, unreadable: read.unreadable, notes: Vec::new() }
}

/// How the documents of a service are checked.
struct Check<'c> {
    config: &'c Config,
    filter: &'c Filter,
    evaluator: Option<&'c Evaluator>,
}

impl Check<'_> {
    /// The findings in the files that were asked for, and those in the service's other files that the
    /// ones asked for cause: that are not there without them. With what is not to be shown of them.
    fn asked_for(&self, files: &[&File], options: &Options) -> (Vec<Diagnostic>, Hidden) {
        let is_reported = |id: FileId| files.iter().any(|file| file.id == id && file.reported);
        let (mut found, hidden) = self.all(files);
        if files.iter().all(|file| file.reported) {
            return (found, hidden);
        }
        let mut without = HashMap::default();
        if !options.only_reported && found.iter().any(|diagnostic| !is_reported(diagnostic.location.file)) {
            let rest: Vec<&File> = files.iter().copied().filter(|file| !file.reported).collect();
            for diagnostic in self.all(&rest).0 {
                let key = (diagnostic.code, diagnostic.location.file, diagnostic.location.pointer);
                *without.entry(key).or_insert(0usize) += 1;
            }
        }
        found.retain(|diagnostic| {
            if is_reported(diagnostic.location.file) {
                return true;
            }
            let key = (diagnostic.code, diagnostic.location.file, diagnostic.location.pointer.clone());
            let known = without.get_mut(&key).filter(|count| **count > 0);
            known.map(|count| *count -= 1).is_none() && !options.only_reported
        });
        (found, hidden)
    }

    /// The findings of one service that are to be reported. All rules are checked, so that which of
    /// them report does not change what gives way to what; the last ones give way to what is reported.
    fn all(&self, files: &[&File]) -> (Vec<Diagnostic>, Hidden) {
        let suggester = Suggester::default();
        let model = ServiceModel::new(files, self.config, &suggester);
        let mut context = Context::new(files.to_vec(), self.config, &model, &suggester);
        if let Some(evaluator) = self.evaluator {
            context.evaluate(evaluator);
        }
        let texts = CaseText::all(&context);
        let context = context.with_cases(&texts);
        let mut found = Vec::new();
        for stage in [Stage::Usual, Stage::Last] {
            for rule in REGISTRY.iter().filter(|rule| rule.stage == stage) {
                (rule.check)(&context, &mut Reporter::new(&context, rule, &mut found));
            }
            found.retain(|diagnostic| self.filter.admits(&context, diagnostic));
        }
        for diagnostic in &mut found {
            self.filter.set_severity(diagnostic);
        }
        let hidden = if found.is_empty() { Hidden::default() } else { Hidden::of(&context) };
        (found, hidden)
    }
}

/// Which findings are reported, and with which severity.
struct Filter {
    enabled: Vec<bool>,
    severity: Vec<Option<Severity>>,
    per_file: Vec<(globset::GlobMatcher, Vec<bool>)>,
    folder: std::path::PathBuf,
}

impl Filter {
    fn new(config: &Config, choices: &[Choice]) -> Result<Self, String> {
        let at = config.path.as_ref().map_or_else(String::new, |path| format!("{}: ", path.display()));
        let in_config = |words: &[String]| -> Result<Vec<Vec<bool>>, String> {
            words.iter().map(|word| meant(word).map_err(|error| format!("{at}{error}"))).collect()
        };
        let selects_anew = choices.iter().any(|choice| matches!(choice, Choice::Select(_)));
        let mut enabled = vec![config.select.is_none() && !selects_anew; REGISTRY.len()];
        let selected = in_config(config.select.as_deref().unwrap_or_default())?;
        for meant in selected.iter().filter(|_| !selects_anew) {
            set(&mut enabled, meant, true);
        }
        for meant in in_config(&config.ignore)? {
            set(&mut enabled, &meant, false);
        }
        for choice in choices {
            match choice {
                Choice::Select(word) => set(&mut enabled, &meant(word)?, true),
                Choice::Ignore(word) => set(&mut enabled, &meant(word)?, false),
            }
        }
        let mut severity = vec![None; REGISTRY.len()];
        for (word, level) in &config.severity {
            let meant = meant(word).map_err(|error| format!("{at}severity: {error}"))?;
            set(&mut severity, &meant, Some(*level));
        }
        let mut per_file = Vec::new();
        for (pattern, words) in &config.per_file_ignores {
            let mut ignored = vec![false; REGISTRY.len()];
            for meant in in_config(words)? {
                set(&mut ignored, &meant, true);
            }
            per_file.push((glob(pattern)?, ignored));
        }
        Ok(Self { enabled, severity, per_file, folder: config.folder.clone() })
    }

    fn admits(&self, context: &Context<'_>, diagnostic: &Diagnostic) -> bool {
        let Some(index) = index_of(diagnostic) else { return true };
        let set = |flags: &[bool]| flags.get(index).copied().unwrap_or(false);
        if !set(&self.enabled) {
            return false;
        }
        let path = context.file(diagnostic.location.file).map(|file| file.source.path.as_path());
        let Some(inside) = path.map(|path| path.strip_prefix(&self.folder).unwrap_or(path)) else { return true };
        !self.per_file.iter().any(|(pattern, ignored)| set(ignored) && pattern.is_match(inside))
    }

    fn set_severity(&self, diagnostic: &mut Diagnostic) {
        let severity = index_of(diagnostic).and_then(|index| self.severity.get(index).copied().flatten());
        diagnostic.severity = severity.unwrap_or(diagnostic.severity);
    }
}

fn index_of(diagnostic: &Diagnostic) -> Option<usize> {
    REGISTRY.iter().position(|rule| rule.code == diagnostic.code)
}

fn set<T: Clone>(flags: &mut [T], meant: &[bool], value: T) {
    for (flag, _) in flags.iter_mut().zip(meant).filter(|(_, meant)| **meant) {
        *flag = value.clone();
    }
}

/// Which rules of the registry a word means.
fn meant(word: &str) -> Result<Vec<bool>, String> {
    let meant: Vec<bool> = REGISTRY.iter().map(|rule| rule.is_meant_by(word)).collect();
    if meant.contains(&true) {
        return Ok(meant);
    }
    Err(format!("`{word}` names no rule{}", suggest::did_you_mean(word, known_words())))
}

/// Every word that means a rule, for suggestions.
fn known_words() -> impl Iterator<Item = &'static str> {
    let groups = crate::rules::Group::ALL.into_iter().map(crate::rules::Group::name);
    REGISTRY.iter().flat_map(|rule: &Rule| [rule.code, rule.name]).chain(groups)
}
