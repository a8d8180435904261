//! Evaluates scripts on several threads, each request once.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::budget::Budget;
use super::cache::{Cache, Key};
use super::outcome::Evaluation;
use super::request::EvaluationRequest;
use super::runs::Runs;
use crate::script::sandbox::Sandbox;

pub struct Evaluator {
    program: PathBuf,
    /// Sandboxes with a running child that no thread uses now.
    idle: Mutex<Vec<Sandbox>>,
    cache: Mutex<Cache>,
    budget: Budget,
}

impl Evaluator {
    /// `program` is this program, as for [`Sandbox::new`].
    pub fn new(program: PathBuf) -> Self {
        Self { program, idle: Mutex::default(), cache: Mutex::default(), budget: Budget::default() }
    }

    /// Why some scripts were not run, for the user.
    pub fn note(&self) -> Option<String> {
        self.budget.note()
    }

    /// How a script ends.
    pub fn evaluate(&self, request: &EvaluationRequest<'_>) -> Evaluation {
        let key = Key::new(request);
        if let Some(known) = lock(&self.cache).get(&key) {
            return known;
        }
        // No lock is held while the script runs: two threads may run the same one, to the same result.
        if self.budget.note().is_some() {
            return Evaluation::Unknown;
        }
        let idle = lock(&self.idle).pop();
        let mut runs = Runs {
            request,
            budget: &self.budget,
            sandbox: Some(idle.unwrap_or_else(|| Sandbox::new(self.program.clone()))),
        };
        let evaluation = runs.evaluate();
        lock(&self.idle).extend(runs.sandbox);
        lock(&self.cache).insert(key, evaluation.clone());
        evaluation
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
