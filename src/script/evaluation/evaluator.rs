//! Evaluates scripts on several threads, each request once.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::cache::{Cache, Key};
use super::outcome::{Evaluation, Stopped};
use super::owned::OwnedRequest;
use super::request::{EvaluationRequest, ScriptLimits};
use super::running::Running;
use super::runs::Runs;
use super::stand_ins::StandIns;
use crate::cancellation::Cancellation;
use crate::script::sandbox::{Confinement, Sandbox, SandboxError};

pub struct Evaluator {
    shared: Arc<Shared>,
    /// Whether scripts are run whose results are not known.
    runs_scripts: bool,
    /// Whether the result of some script was not known.
    has_missed: AtomicBool,
    /// Ends its runs, whose results are not kept then.
    cancellation: Cancellation,
}

/// Evaluates the scripts of one service, which share a limit of steps.
pub struct ServiceEvaluator<'e> {
    evaluator: &'e Evaluator,
    polls_left: u32,
}

/// The state that evaluators with equal results share.
struct Shared {
    program: PathBuf,
    /// Sandboxes with a running child that no thread uses now.
    idle: Mutex<Vec<Sandbox>>,
    cache: Mutex<Cache>,
    running: Running,
    /// Why processes cannot be started.
    note: OnceLock<String>,
}

impl Evaluator {
    /// `program` is this program, as for [`Sandbox::new`].
    pub fn new(program: PathBuf) -> Self {
        let shared = Shared {
            program,
            idle: Mutex::default(),
            cache: Mutex::default(),
            running: Running::default(),
            note: OnceLock::new(),
        };
        Self::of(Arc::new(shared), true)
    }

    /// An evaluator with the results and processes of this one.
    #[must_use]
    pub fn share(&self) -> Self {
        Self::of(Arc::clone(&self.shared), self.runs_scripts)
    }

    fn of(shared: Arc<Shared>, runs_scripts: bool) -> Self {
        Self { shared, runs_scripts, has_missed: AtomicBool::default(), cancellation: Cancellation::default() }
    }

    /// Makes the runs cancelable.
    #[must_use]
    pub fn with_cancellation(self, cancellation: Cancellation) -> Self {
        Self { cancellation, ..self }
    }

    /// As [`Self::share`], but it runs nothing and only has the known results.
    #[must_use]
    pub fn without_runs(&self) -> Self {
        Self { runs_scripts: false, ..self.share() }
    }

    /// Whether some result was not known to an evaluator that runs nothing.
    pub fn has_missed(&self) -> bool {
        self.has_missed.load(Ordering::Relaxed)
    }

    /// Why no script can be run, for the user.
    pub fn note(&self) -> Option<String> {
        self.shared.note.get().cloned()
    }

    /// How the processes were confined that ran scripts; `None` if none was run.
    pub fn confinement(&self) -> Option<Confinement> {
        lock(&self.shared.idle).iter().find_map(Sandbox::confinement)
    }

    /// Begins with the scripts of a service.
    pub fn for_service(&self, limits: ScriptLimits) -> ServiceEvaluator<'_> {
        ServiceEvaluator { evaluator: self, polls_left: limits.polls_of_service() }
    }

    /// Whether the result of a script is known, or the script is not run at all.
    pub fn knows(&self, owned: &OwnedRequest) -> bool {
        let request = owned.request();
        let known = |key: &Key| lock(&self.shared.cache).get(key);
        let is_general = || {
            let stand_ins = StandIns::of(&request);
            let key = || Key::new(&stand_ins.request(&request));
            request.syntax.only_combines && !stand_ins.is_empty() && known(&key()).is_some_and(|it| it.is_general)
        };
        known(owned.key()).is_some() || request.is_too_large() || is_general()
    }

    /// Whether new results are kept until services that wait for them are checked.
    pub fn has_room(&self) -> bool {
        lock(&self.shared.cache).has_room()
    }

    /// Evaluates a script. The result depends on the request alone, not on earlier runs or on time.
    pub fn evaluate(&self, request: &EvaluationRequest<'_>) -> Arc<Evaluation> {
        if request.is_too_large() {
            return Arc::new(Evaluation::stopped(Stopped::Size));
        }
        let key = Key::new(request);
        if let Some(known) = lock(&self.shared.cache).get(&key) {
            return known;
        }
        let stand_ins = StandIns::of(request);
        if stand_ins.is_empty() {
            return self.result(key, |sandbox| Runs::new(request, None, sandbox).evaluate());
        }
        let changed = stand_ins.request(request);
        let general =
            self.result(Key::new(&changed), |sandbox| Runs::new(&changed, Some(&stand_ins), sandbox).evaluate());
        if general.stopped == Some(Stopped::Sandbox) {
            return general;
        }
        let replaced = general.is_general.then(|| stand_ins.replaced((*general).clone()));
        match replaced {
            Some(replaced) if request.syntax.only_combines => Arc::new(replaced),
            replaced => self.result(key, |sandbox| match replaced {
                Some(replaced) if Runs::new(request, None, sandbox).end_as_in(&replaced)? => Ok(replaced),
                _ => Runs::new(request, None, sandbox).evaluate(),
            }),
        }
    }

    /// The known result, or that of running a script.
    fn result(&self, key: Key, run: impl FnOnce(&mut Sandbox) -> Result<Evaluation, SandboxError>) -> Arc<Evaluation> {
        let Shared { program, idle, cache, running, note } = &*self.shared;
        if let Some(known) = lock(cache).get(&key) {
            return known;
        }
        if !self.runs_scripts || self.cancellation.is_canceled() {
            self.has_missed.store(true, Ordering::Relaxed);
            return Arc::new(Evaluation::stopped(Stopped::Sandbox));
        }
        if note.get().is_some() {
            return Arc::new(Evaluation::stopped(Stopped::Sandbox));
        }
        let _begun = running.begin(&key, &self.cancellation);
        if let Some(known) = lock(cache).get(&key) {
            return known;
        }
        // No lock is held while the script runs.
        let sandbox = lock(idle).pop();
        let mut sandbox = sandbox.unwrap_or_else(|| Sandbox::new(program.clone()));
        sandbox.cancellation = self.cancellation.clone();
        match run(&mut sandbox) {
            _ if self.cancellation.is_canceled() => {
                self.has_missed.store(true, Ordering::Relaxed);
                Arc::new(Evaluation::stopped(Stopped::Sandbox))
            }
            Ok(evaluation) => {
                let evaluation = Arc::new(evaluation);
                lock(idle).push(sandbox);
                lock(cache).insert(key, Arc::clone(&evaluation));
                evaluation
            }
            Err(error) => {
                note.get_or_init(|| format!("scripts of Code activities were not run: {error}"));
                Arc::new(Evaluation::stopped(Stopped::Sandbox))
            }
        }
    }
}

impl ServiceEvaluator<'_> {
    /// Evaluates the next script.
    pub fn evaluate(&mut self, request: &EvaluationRequest<'_>) -> Arc<Evaluation> {
        if self.polls_left == 0 {
            return Arc::new(Evaluation::stopped(Stopped::ServiceCost));
        }
        let evaluation = self.evaluator.evaluate(request);
        self.polls_left = self.polls_left.saturating_sub(evaluation.polls);
        evaluation
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
