//! Evaluates scripts on several threads, each request once.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::cache::{Cache, Key};
use super::outcome::{Evaluation, Stopped};
use super::request::EvaluationRequest;
use super::runs::Runs;
use crate::script::sandbox::{Confinement, Sandbox};

pub struct Evaluator {
    program: PathBuf,
    /// Sandboxes with a running child that no thread uses now.
    idle: Mutex<Vec<Sandbox>>,
    cache: Mutex<Cache>,
    /// Why processes cannot be started.
    note: OnceLock<String>,
}

impl Evaluator {
    /// `program` is this program, as for [`Sandbox::new`].
    pub fn new(program: PathBuf) -> Self {
        Self { program, idle: Mutex::default(), cache: Mutex::default(), note: OnceLock::new() }
    }

    /// Why no script can be run, for the user.
    pub fn note(&self) -> Option<String> {
        self.note.get().cloned()
    }

    /// How the processes were confined that ran scripts; `None` if none was run.
    pub fn confinement(&self) -> Option<Confinement> {
        lock(&self.idle).iter().find_map(Sandbox::confinement)
    }

    /// How a script ends. That depends on the request alone: not on what was run before, or on the time it took.
    pub fn evaluate(&self, request: &EvaluationRequest<'_>) -> Evaluation {
        let key = Key::new(request);
        if let Some(known) = lock(&self.cache).get(&key) {
            return known;
        }
        if self.note.get().is_some() {
            return Evaluation::stopped(Stopped::Sandbox);
        }
        // No lock is held while the script runs: two threads may run the same one, to the same result.
        let idle = lock(&self.idle).pop();
        let mut sandbox = idle.unwrap_or_else(|| Sandbox::new(self.program.clone()));
        match Runs::new(request, &mut sandbox).evaluate() {
            Ok(evaluation) => {
                lock(&self.idle).push(sandbox);
                lock(&self.cache).insert(key, evaluation.clone());
                evaluation
            }
            Err(error) => {
                self.note.get_or_init(|| format!("scripts of Code activities were not run: {error}"));
                Evaluation::stopped(Stopped::Sandbox)
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
