//! Evaluates scripts in sandboxes that it keeps, and remembers their results.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use super::outcome::{Ending, Evaluation, Run, Stopped};
use super::request::{EvaluationRequest, ScriptInput, ScriptLimits};
use super::script_runs::ScriptRuns;
use crate::common::cancellation::Cancellation;
use crate::common::collections::HashMap;
use crate::script::sandbox::{Confinement, Sandbox};

/// The size of all kept keys and results, in bytes. A result that is not kept costs time, never correctness.
const MAX_BYTES: usize = 16 << 20;

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
    /// Why processes cannot be started.
    note: OnceLock<String>,
}

/// Results by everything that they depend on.
#[derive(Default)]
struct Cache {
    results: HashMap<Key, Arc<Evaluation>>,
    bytes: usize,
}

/// The parts of a request that decide its result. The syntax is left out, because it is a function of the script.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    script: String,
    /// Name, input, and whether an empty value is tried. Services that share a script seldom agree on which of their
    /// fields are optional.
    parameters: Vec<(String, ScriptInput, bool)>,
    hosts: Vec<String>,
    limits: ScriptLimits,
}

impl Evaluator {
    /// `program` is this program, as for [`Sandbox::new`].
    pub fn new(program: PathBuf) -> Self {
        let shared = Shared { program, idle: Mutex::default(), cache: Mutex::default(), note: OnceLock::new() };
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

    /// Lends a sandbox for work of another kind. `None` if this evaluator runs nothing, or its work is canceled.
    pub fn lend<R>(&self, work: impl FnOnce(&mut Sandbox) -> R) -> Option<R> {
        let Shared { program, idle, .. } = &*self.shared;
        if !self.runs_scripts || self.cancellation.is_canceled() {
            self.has_missed.store(true, Ordering::Relaxed);
            return None;
        }
        let sandbox = lock(idle).pop();
        let mut sandbox = sandbox.unwrap_or_else(|| Sandbox::new(program.clone()));
        sandbox.cancellation = self.cancellation.clone();
        let done = work(&mut sandbox);
        if self.cancellation.is_canceled() {
            return None;
        }
        lock(idle).push(sandbox);
        Some(done)
    }

    /// Begins with the scripts of a service.
    pub fn for_service(&self, limits: ScriptLimits) -> ServiceEvaluator<'_> {
        ServiceEvaluator { evaluator: self, polls_left: limits.polls_of_service() }
    }

    /// Evaluates a script. The result depends on the request alone, not on earlier runs or on time.
    pub fn evaluate(&self, request: &EvaluationRequest<'_>) -> Arc<Evaluation> {
        let Shared { program, idle, cache, note } = &*self.shared;
        let stopped = |reason| Arc::new(Evaluation::stopped(reason));
        if request.is_too_large() {
            return stopped(Stopped::Size);
        }
        let key = Key::new(request);
        if let Some(known) = lock(cache).results.get(&key) {
            return Arc::clone(known);
        }
        if note.get().is_some() {
            return stopped(Stopped::Sandbox);
        }
        if self.runs_scripts && !self.cancellation.is_canceled() {
            // No lock is held while the script runs.
            let sandbox = lock(idle).pop();
            let mut sandbox = sandbox.unwrap_or_else(|| Sandbox::new(program.clone()));
            sandbox.cancellation = self.cancellation.clone();
            match ScriptRuns::new(request, &mut sandbox).evaluate() {
                _ if self.cancellation.is_canceled() => {}
                Ok(evaluation) => {
                    let evaluation = Arc::new(evaluation);
                    lock(idle).push(sandbox);
                    lock(cache).insert(key, Arc::clone(&evaluation));
                    return evaluation;
                }
                Err(error) => {
                    note.get_or_init(|| format!("scripts of Code activities were not run: {error}"));
                    return stopped(Stopped::Sandbox);
                }
            }
        }
        self.has_missed.store(true, Ordering::Relaxed);
        stopped(Stopped::Sandbox)
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

impl Key {
    fn new(request: &EvaluationRequest<'_>) -> Self {
        let parameters = request.parameters.iter();
        let parameters = parameters
            .map(|parameter| (parameter.name.to_owned(), parameter.input.clone(), request.tries_empty(parameter)));
        Self {
            script: request.script.to_owned(),
            parameters: parameters.collect(),
            hosts: request.hosts.iter().map(|name| (*name).to_owned()).collect(),
            limits: request.limits,
        }
    }
}

impl Cache {
    fn insert(&mut self, key: Key, result: Arc<Evaluation>) {
        let inputs = key.parameters.iter().map(|(name, input, _)| name.len() + input.fixed().map_or(0, str::len));
        let size = key.script.len() + inputs.sum::<usize>() + result.runs.iter().map(size).sum::<usize>();
        if size > MAX_BYTES {
            return;
        }
        // An editor brings ever new scripts.
        if self.bytes + size > MAX_BYTES {
            *self = Self::default();
        }
        self.bytes += size;
        self.results.insert(key, result);
    }
}

/// An estimate of the memory of a run, in bytes.
fn size(run: &Run) -> usize {
    let values: usize = run.values.iter().map(|value| 64 + value.parameter.len() + value.text.len()).sum();
    let ending = match &run.ending {
        Ending::Text { text, trace } => {
            let parts = trace.iter().flat_map(|trace| &trace.parts).map(|(pointer, _)| pointer.len() + 40);
            text.len() + parts.sum::<usize>() + trace.as_ref().map_or(0, |trace| trace.passed.len() * 16)
        }
        Ending::Failed(failure) => failure.message.len(),
        Ending::NoText(_) | Ending::Unset => 0,
    };
    values + ending + 200
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::evaluation::ScriptParameter;
    use crate::script::syntax::{ScriptKind, analyze};

    fn key(script: &str, parameters: &[(&str, ScriptInput)], hosts: &[&str], may_be_empty: bool) -> Key {
        let syntax = analyze(ScriptKind::Script, script);
        let parameters = parameters.iter();
        let parameters =
            parameters.map(|(name, input)| ScriptParameter { name, input: input.clone(), may_be_empty }).collect();
        let (syntax, limits) = (syntax.script().unwrap(), ScriptLimits::of_seconds(2.0));
        Key::new(&EvaluationRequest { script, syntax, parameters, hosts: hosts.to_vec(), limits })
    }

    #[test]
    fn requests_that_differ_anywhere_do_not_share_a_result() {
        let fixed = |value: &str| ScriptInput::Fixed(value.to_owned());
        let keys = || {
            [
                key("a", &[], &[], false),
                key("b", &[], &[], false),
                key("a", &[("N", fixed("x"))], &[], false),
                key("a", &[("M", fixed("x"))], &[], false),
                key("a", &[("N", fixed("y"))], &[], false),
                key("a", &[("N", ScriptInput::Open)], &[], false),
                key("a", &[("N", ScriptInput::OpenJson)], &[], false),
                key("a", &[("N", ScriptInput::Open), ("N", ScriptInput::Open)], &[], false),
                key("a", &[], &["console"], false),
            ]
        };
        let mut cache = Cache::default();
        for (index, key) in (0..).zip(keys()) {
            cache.insert(key, Arc::new(Evaluation { polls: index, ..Evaluation::default() }));
        }
        for (index, key) in (0..).zip(&keys()) {
            assert_eq!(cache.results.get(key).map(|result| result.polls), Some(index));
        }
        assert_eq!(cache.results.get(&key("c", &[], &[], false)), None);
    }

    #[test]
    fn optional_parameters_count_only_where_that_decides_something() {
        let differ = |script: &str, input: ScriptInput| {
            let parameters = [("N", input)];
            key(script, &parameters, &[], false) != key(script, &parameters, &[], true)
        };
        assert!(differ("Json = N || 'none'", ScriptInput::Open));
        assert!(!differ("Json = N + '!'", ScriptInput::Open));
        assert!(!differ("Json = N || 'none'", ScriptInput::OpenJson));
        assert!(!differ("Json = N || 'none'", ScriptInput::Fixed("x".to_owned())));
    }

    #[test]
    fn results_are_kept_only_up_to_a_limit() {
        let mut cache = Cache::default();
        cache.insert(key("a", &[], &[], false), Arc::default());
        cache.bytes = MAX_BYTES;
        cache.insert(key("b", &[], &[], false), Arc::default());
        assert_eq!((cache.results.len(), cache.bytes), (1, 1));
        assert!(cache.results.contains_key(&key("b", &[], &[], false)));
    }
}
