//! Slow work, done by worker threads while the server keeps answering. A job owns all of its input.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use super::convert::{Converter, Items};
use super::document_uri::DocumentUri;
use super::load::{Load, Loaded};
use crate::cancellation::Cancellation;
use crate::config::Config;
use crate::diagnostic::FileId;
use crate::fix;
use crate::lint::{Checked, LastLint, Linter, Options, pool, thread};
use crate::project::{ConfigSource, File, Overrides, Project};
use crate::script::Evaluator;
use crate::script::syntax::ParsedScripts;
use crate::simulate::{self, Session};
use crate::suggest::Suggester;

/// The threads, each of which does one job at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// For what takes little time.
    Quick,
    /// For lints that run scripts, which may take long.
    Scripts,
}

/// A thread.
#[derive(Debug)]
pub struct Worker {
    jobs: Sender<Job>,
    /// The job that runs.
    pub running: Option<Running>,
}

/// A job that runs.
#[derive(Debug)]
pub struct Running {
    /// The service that it lints.
    pub linted: Option<ServicePlace>,
    pub cancellation: Cancellation,
}

/// Something to do.
pub enum Job {
    Load {
        root: u64,
        load: Box<Load>,
    },
    Lint(Box<LintJob>),
    /// Looks for problems of configurations.
    Problems {
        root: u64,
        project: Arc<Project>,
        options: Arc<Options>,
        parts: Vec<Arc<Checked>>,
        converter: Converter,
    },
    Scenario(Box<ScenarioJob>),
}

/// Lints a service.
pub struct LintJob {
    pub place: ServicePlace,
    pub project: Arc<Project>,
    pub options: Arc<Options>,
    /// The contents on disk, if they were read before.
    pub disk: Option<Overrides>,
    /// The files that were read for the last lint, sorted by id.
    pub read_before: Arc<[File]>,
    /// The scripts that were parsed for earlier lints.
    pub scripts: Arc<ParsedScripts>,
    /// The texts of open documents.
    pub open: Overrides,
    /// `None` if no script is to be run.
    pub evaluator: Option<Evaluator>,
    pub cancellation: Cancellation,
    pub converter: Converter,
}

/// A service as it was when a job began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServicePlace {
    pub root: u64,
    /// The number of times that the root was loaded.
    pub generation: u64,
    pub service: usize,
    /// The number of changes of the service.
    pub revision: u64,
}

/// Reads a scenario.
pub struct ScenarioJob {
    pub uri: DocumentUri,
    pub revision: u64,
    pub path: PathBuf,
    pub text: Arc<str>,
    pub request: simulate::Request,
    pub converter: Converter,
}

/// The result of a job.
pub enum Done {
    Loaded {
        root: u64,
        loaded: Box<Loaded>,
    },
    Linted {
        place: ServicePlace,
        checked: Arc<Checked>,
        items: Items,
        is_complete: bool,
        disk: Overrides,
        read: Arc<[File]>,
        last_valid: Vec<(PathBuf, Arc<str>)>,
        note: Option<String>,
    },
    Problems {
        root: u64,
        items: Items,
    },
    Scenario {
        uri: DocumentUri,
        revision: u64,
        items: Items,
    },
    /// A job was canceled.
    Canceled,
    /// A job has failed; its result counts as empty.
    Failed(Failed),
}

/// Which job has failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failed {
    Load(u64),
    Lint(ServicePlace),
    Problems(u64),
    Scenario(DocumentUri, u64),
}

/// Starts a thread, which passes each result to `done`.
///
/// # Errors
/// When no threads can be created.
pub fn start(done: impl Fn(Done) -> bool + Send + 'static) -> Result<Worker, String> {
    let threads = pool(None)?;
    let (sender, jobs) = channel::<Job>();
    let work = move || {
        for job in jobs {
            let failed = job.failed();
            let run = || if job.has_one_part() { job.run() } else { threads.install(|| job.run()) };
            let result = catch_unwind(AssertUnwindSafe(run));
            if !done(result.unwrap_or(Done::Failed(failed))) {
                break;
            }
        }
    };
    thread().spawn(work).map_err(|error| format!("cannot create threads: {error}"))?;
    Ok(Worker::new(sender))
}

impl Worker {
    pub const fn new(jobs: Sender<Job>) -> Self {
        Self { jobs, running: None }
    }

    /// Starts a job, if none runs.
    pub fn start(&mut self, job: Job) {
        let running = match &job {
            Job::Lint(job) => Running { linted: Some(job.place), cancellation: job.cancellation.clone() },
            _ => Running { linted: None, cancellation: Cancellation::default() },
        };
        self.running = self.jobs.send(job).is_ok().then_some(running);
    }
}

impl Job {
    fn failed(&self) -> Failed {
        match self {
            Self::Load { root, .. } => Failed::Load(*root),
            Self::Lint(job) => Failed::Lint(job.place),
            Self::Problems { root, .. } => Failed::Problems(*root),
            Self::Scenario(job) => Failed::Scenario(job.uri.clone(), job.revision),
        }
    }

    /// Whether threads cannot share it: waking them up would take a tenth of the time of a small change.
    const fn has_one_part(&self) -> bool {
        matches!(self, Self::Lint(_) | Self::Scenario(_))
    }

    fn run(self) -> Done {
        match self {
            Self::Load { root, load } => Done::Loaded { root, loaded: Box::new(load.run()) },
            Self::Lint(job) => job.run(),
            Self::Problems { root, project, options, parts, converter } => {
                let items = match Linter::new(&project, &options) {
                    Ok(linter) => {
                        let outcome = linter.problems(parts.iter().map(|part| &**part));
                        converter.items(outcome.diagnostics.iter().map(Box::as_ref), &outcome.omitted, &outcome.sources)
                    }
                    Err(_) => Items::new(),
                };
                Done::Problems { root, items }
            }
            Self::Scenario(job) => job.run(),
        }
    }
}

impl LintJob {
    fn run(self) -> Done {
        let Self { place, project, options, disk, read_before, scripts, open, evaluator, cancellation, converter } =
            self;
        let failed = Done::Failed(Failed::Lint(place));
        let Some(service) = project.services.get(place.service) else { return failed };
        let Ok(linter) = Linter::new(&project, &options) else { return failed };
        let disk = disk.unwrap_or_else(|| project.contents(service));
        let mut overrides = disk.clone();
        let open_files: Vec<FileId> = open.keys().copied().collect();
        overrides.extend(open);
        let read: Arc<[File]> = project.read_again(service, &overrides, &read_before).files.into();
        let last = LastLint::of(service, Arc::clone(&read));
        let linter = linter.with_evaluator(evaluator).with_scripts(scripts).with_last(last.into());
        let linter = linter.with_cancellation(cancellation);
        let checked = fix::check(&linter, service, &overrides);
        if linter.is_canceled() {
            return Done::Canceled;
        }
        let items = converter.items(checked.diagnostics.iter().map(Box::as_ref), &checked.omitted, &checked.sources);
        let is_valid = |file: &&File| open_files.contains(&file.id) && file.document().is_some();
        let last_valid = read.iter().filter(is_valid);
        let last_valid = last_valid.map(|file| (file.source.path.clone(), Arc::clone(&file.source.text))).collect();
        let is_complete = linter.evaluator().is_none_or(|evaluator| !evaluator.has_missed());
        let note = linter.evaluator().and_then(Evaluator::note);
        Done::Linted { place, checked: Arc::new(checked), items, is_complete, disk, read, last_valid, note }
    }
}

impl ScenarioJob {
    fn run(self) -> Done {
        let Self { uri, revision, path, text, mut request, converter } = self;
        let mut loaded = simulate::load_unsaved(&path, &text, &request);
        if loaded.is_err() {
            // The errors are shown in the configuration file.
            request.config = ConfigSource::Isolated;
            loaded = simulate::load_unsaved(&path, &text, &request);
        }
        let items = loaded.map(|loaded| scenario_items(&loaded, &converter)).unwrap_or_default();
        Done::Scenario { uri, revision, items }
    }
}

/// The problems of a scenario: its own errors, and names that its documents do not have.
fn scenario_items(loaded: &simulate::Loaded, converter: &Converter) -> Items {
    let (suggester, fallback) = (Suggester::default(), Config::default());
    let session = Session::new(loaded, &suggester, &fallback);
    let mut problems: Vec<_> = loaded.problems.iter().chain(session.problems()).cloned().collect();
    problems.sort_by_key(|problem| (problem.location.file, problem.location.span));
    converter.items(&problems, &[], &loaded.sources)
}
