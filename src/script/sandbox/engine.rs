//! Runs one script in one engine, within its limits.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rquickjs::{Context, Error, Runtime, Value};

use super::evaluate::{Compiled, eval, new_context};
use super::globals::{self, Environment, Helpers};
use super::job::{Answer, FailureKind, Job, JsonVariable, Reply, SCRIPT, ScriptFailure};
use crate::common::limits::MAX_SCRIPT_MEMORY;

/// Bytes in addition to [`MAX_SCRIPT_MEMORY`], granted after the script has ended, to read its result or its
/// error even when it has used up all memory.
const MEMORY_RESERVE: usize = 32 << 20;

/// Bytes of stack for the calls of a script. The engine itself checks this limit, at most of its
/// calls; what it uses between two checks must fit into the rest of the stack of its thread.
const MAX_STACK: usize = 1 << 20;

/// Runs the script of a job.
///
/// Passes on the answer before it drops the engine: after what some scripts do, that takes long or
/// crashes.
pub(super) fn run(job: &Job, engine: Option<Engine>, compiled: &mut Compiled, reply: impl FnOnce(Reply)) {
    let began = processor_time();
    let took = || processor_time().saturating_sub(began);
    if let Some(failure) = ScriptFailure::null_character(&job.script) {
        return reply(Reply::not_run(failure, took()));
    }
    match engine {
        Some(engine) => {
            let running = Running::new(job, engine);
            let (answer, observed, reads_clock_or_random) = match running.environment(compiled) {
                Ok(environment) => running.run(&environment),
                // The setup may have asked for it.
                Err(failure) => (Answer::Failed(failure), None, true),
            };
            reply(Reply { answer, polls: running.polls(), observed, reads_clock_or_random, took: took() });
        }
        None => {
            let failure = ScriptFailure::new(FailureKind::Killed, "JavaScript engine could not be started");
            reply(Reply::not_run(failure, took()));
        }
    }
}

/// Polls of the engine since the start of the process.
#[derive(Debug, Clone, Default)]
pub(super) struct Progress(Arc<AtomicU64>);

impl Progress {
    pub fn advance(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// An engine for one script.
pub(super) struct Engine {
    /// Polls of the interrupt handler until the script is stopped; without a limit until there is a script.
    polls_left: Rc<Cell<u32>>,
    runtime: Runtime,
    context: Context,
}

impl Engine {
    /// `None` if there is not enough memory.
    pub fn start(progress: Progress) -> Option<Self> {
        let polls_left = Rc::new(Cell::new(u32::MAX));
        let runtime = Runtime::new().ok()?;
        runtime.set_memory_limit(MAX_SCRIPT_MEMORY);
        runtime.set_max_stack_size(MAX_STACK);
        let left = Rc::clone(&polls_left);
        runtime.set_interrupt_handler(Some(Box::new(move || {
            progress.advance();
            left.set(left.get().saturating_sub(1));
            left.get() == 0
        })));
        let context = new_context(&runtime)?;
        Some(Self { polls_left, runtime, context })
    }
}

/// An engine with the job that it runs.
struct Running<'j> {
    job: &'j Job,
    engine: Engine,
}

impl<'j> Running<'j> {
    fn new(job: &'j Job, engine: Engine) -> Self {
        // One more, because the engine also polls when it begins.
        engine.polls_left.set(job.poll_budget().saturating_add(1));
        Self { job, engine }
    }

    fn environment(&self, compiled: &mut Compiled) -> Result<Environment, ScriptFailure> {
        self.engine.context.with(|ctx| globals::install(&ctx, self.job, compiled))
    }

    /// The answer, what the observer of the setup returned, and whether the script has asked for the time or for random
    /// numbers.
    fn run(&self, environment: &Environment) -> (Answer, Option<String>, bool) {
        let answer = self.answer(&environment.helpers).unwrap_or_else(Answer::Failed);
        let json = match &answer {
            Answer::Done { json: JsonVariable::Text(text), .. } => Some(text.as_str()),
            _ => None,
        };
        let observed = self.engine.context.with(|ctx| environment.observe(&ctx, json));
        let reads_clock_or_random = self.engine.context.with(|ctx| environment.helpers.reads_clock_or_random(&ctx));
        (answer, observed, reads_clock_or_random)
    }

    fn answer(&self, helpers: &Helpers) -> Result<Answer, ScriptFailure> {
        // The engine miscounts the columns of a first line, so the script starts on the second.
        let source = format!("\n{}", self.job.script);
        let result = self.engine.context.with(|ctx| eval::<Value<'_>>(&ctx, &source, SCRIPT).map(drop));
        // Read before the reserve is granted: it shows whether memory was the reason.
        let used = if result.is_err() { self.engine.runtime.memory_usage().malloc_size } else { 0 };
        self.engine.runtime.set_memory_limit(MAX_SCRIPT_MEMORY + MEMORY_RESERVE);
        let json = self.engine.context.with(|ctx| result.and_then(|()| helpers.read_json(&ctx)));
        let (json, by_job) = match json {
            Ok(before) if self.run_jobs() => {
                let after = self.engine.context.with(|ctx| helpers.read_json(&ctx));
                let by_job = after.as_ref().is_ok_and(|after| *after != before);
                (after, by_job)
            }
            json => (json, false),
        };
        // Whatever the result is: an asynchronous function turns the interruption into a rejected
        // promise, and the script runs on.
        let is_interrupted = self.is_interrupted();
        match json {
            Ok(json) if !is_interrupted => Ok(Answer::Done { json: json?, by_job }),
            Ok(_) => Err(ScriptFailure::time_limit(self.job.time_limit())),
            Err(error) => {
                let is_memory_used = usize::try_from(used).is_ok_and(|used| used > MAX_SCRIPT_MEMORY / 2);
                Err(self.failure(helpers, &error, is_interrupted, is_memory_used))
            }
        }
    }

    /// Runs the jobs of promises, also those that jobs add, until none is left or the script is stopped. What one throws
    /// rejects a promise. Returns whether there was any.
    fn run_jobs(&self) -> bool {
        let runtime = &self.engine.runtime;
        let are_there = runtime.is_job_pending();
        while runtime.is_job_pending() && !self.is_interrupted() {
            if matches!(runtime.execute_pending_job(), Ok(false)) {
                break;
            }
        }
        are_there
    }

    fn failure(&self, helpers: &Helpers, error: &Error, was_interrupted: bool, is_memory_used: bool) -> ScriptFailure {
        let exception = self.engine.context.with(|ctx| helpers.describe(&ctx, error));
        if was_interrupted {
            exception.interruption(self.job)
        } else if self.is_interrupted() {
            // It was stopped only now, in a method of the thrown value: the stack is of that method.
            ScriptFailure::time_limit(self.job.time_limit())
        } else {
            exception.failure(self.job, is_memory_used)
        }
    }

    /// Polls so far, without the one at the beginning.
    fn polls(&self) -> u32 {
        self.job.poll_budget().saturating_sub(self.engine.polls_left.get())
    }

    fn is_interrupted(&self) -> bool {
        self.engine.polls_left.get() == 0
    }
}

/// The processor time of this process, which does not pass while other processes run.
#[cfg(unix)]
pub(super) fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};

    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}

/// None in WebAssembly: steps alone limit scripts there, and the host, so that slow machines have the same results.
#[cfg(target_family = "wasm")]
pub(super) const fn processor_time() -> Duration {
    Duration::ZERO
}

/// The time since the first call: this platform has no safe interface to processor time.
#[cfg(not(any(unix, target_family = "wasm")))]
pub(super) fn processor_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(script: &str, options: &str) -> Answer {
        let job = Job {
            script: script.to_owned(),
            variables: vec![("Name".to_owned(), "set".to_owned()), ("JSON".to_owned(), "replaced".to_owned())],
            hosts: Vec::new(),
            trace: Some(options.to_owned()),
            now_ms: 0,
            seed: 1,
            seconds: 1.0,
            max_polls: None,
        };
        let mut answer = None;
        let engine = Engine::start(Progress::default());
        run(&job, engine, &mut Compiled::default(), |reply| answer = Some(reply.answer));
        answer.unwrap()
    }

    #[test]
    fn trace_begins_between_variables_and_script() {
        let options = r#"{ "mark": "mark", "sites": [2], "copies": [null], "samples": ["set"], "script": "" }"#;
        let script = "Json = typeof mark + Name + JSON";
        let json = JsonVariable::Text("functionsetreplaced".to_owned());
        assert_eq!(answer(script, options), Answer::Done { json, by_job: false });
    }

    #[test]
    fn jobs_of_promises_run_before_the_result_is_read() {
        let options = r#"{ "mark": "mark", "sites": [], "copies": [], "samples": [], "script": "" }"#;
        let done = |text: &str, by_job| Answer::Done { json: JsonVariable::Text(text.to_owned()), by_job };
        for (script, answered) in [
            ("Promise.resolve('a').then(b => { Json = b })", done("a", true)),
            ("(async () => { Json = 'a'; await null; Json += 'b'; })()", done("ab", true)),
            ("Json = 'a'; Promise.resolve().then(() => { throw 1 })", done("a", false)),
            ("Json = 'a'; (async () => { await new Promise(() => {}); Json = 'b' })()", done("a", false)),
        ] {
            assert_eq!(answer(script, options), answered, "{script}");
        }
        let endless = "Json = 'a'; (function again() { Promise.resolve().then(again) })()";
        let Answer::Failed(failure) = answer(endless, options) else { panic!() };
        assert_eq!(failure.kind, FailureKind::TimeLimit);
    }

    #[test]
    fn failing_setup_is_reported_as_such() {
        let Answer::Failed(failure) = answer("Json = 'x'", "{") else { panic!() };
        assert_eq!(failure.kind, FailureKind::Setup);
        let message = "setup of the script failed: SyntaxError: ";
        assert!(failure.message.starts_with(message), "{}", failure.message);
    }
}
