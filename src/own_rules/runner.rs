//! Loads and runs rules in the sandboxes of an evaluator, and keeps what was loaded.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::engine::{self, Meta, RuleFile, RuleFiles, RuleProblem, RuleRun, Selected, ServiceInput};
use crate::common::cancellation::Cancellation;
use crate::config::OwnRules;
use crate::script::Evaluator;
use crate::script::sandbox::{Sandbox, SandboxError};

/// Rules of different configuration files, or of different versions of one, that are kept.
const MAX_KEPT: usize = 32;

/// Runs rules of the user's own.
pub struct OwnRunner {
    evaluator: Evaluator,
    shared: Arc<Shared>,
}

/// The state of runners with equal results.
#[derive(Default)]
struct Shared {
    loaded: Mutex<Vec<(Arc<OwnRules>, Arc<LoadedRules>)>>,
    /// Why processes cannot be started.
    failure: OnceLock<String>,
}

/// The rules of one configuration file, as the engine knows them.
pub struct LoadedRules {
    files: RuleFiles,
    /// Of each rule: what it says about itself, or why it cannot be used.
    pub rules: Vec<Result<Meta, RuleProblem>>,
}

impl OwnRunner {
    pub fn new(evaluator: Evaluator) -> Self {
        Self { evaluator, shared: Arc::default() }
    }

    /// As this one, with the processes of another evaluator of the same program, and whether that runs anything.
    #[must_use]
    pub fn with_evaluator(&self, evaluator: Evaluator) -> Self {
        Self { evaluator, shared: Arc::clone(&self.shared) }
    }

    /// Makes its runs cancelable.
    #[must_use]
    pub fn with_cancellation(self, cancellation: Cancellation) -> Self {
        Self { evaluator: self.evaluator.with_cancellation(cancellation), ..self }
    }

    /// The evaluator whose sandboxes it uses.
    pub const fn evaluator(&self) -> &Evaluator {
        &self.evaluator
    }

    /// Why no rule can be run, for the user.
    pub fn failure(&self) -> Option<String> {
        self.shared.failure.get().map(|error| format!("rules of your own were not run: {error}"))
    }

    /// Loads rules, or returns what is known of them. `None` if nothing can be run.
    pub fn load(&self, rules: &Arc<OwnRules>) -> Option<Arc<LoadedRules>> {
        let mut kept = self.shared.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.iter().find(|(known, _)| Arc::ptr_eq(known, rules) || known == rules);
        if let Some((_, loaded)) = known {
            return Some(Arc::clone(loaded));
        }
        let files = rule_files(rules);
        let loaded = self.lend(|sandbox| engine::load(sandbox, &files))?;
        let loaded = Arc::new(LoadedRules { files, rules: loaded });
        if kept.len() >= MAX_KEPT {
            kept.remove(0);
        }
        kept.push((Arc::clone(rules), Arc::clone(&loaded)));
        Some(loaded)
    }

    /// Runs rules on a service. `None` if nothing can be run.
    pub fn run(&self, loaded: &LoadedRules, selected: &[Selected], service: &ServiceInput<'_>) -> Option<Vec<RuleRun>> {
        self.lend(|sandbox| engine::run(sandbox, &loaded.files, selected, service))
    }

    fn lend<R>(&self, work: impl FnOnce(&mut Sandbox) -> Result<R, SandboxError>) -> Option<R> {
        match self.evaluator.lend(work)? {
            Ok(done) => Some(done),
            Err(error) => {
                self.shared.failure.get_or_init(|| error.to_string());
                None
            }
        }
    }
}

fn rule_files(rules: &OwnRules) -> RuleFiles {
    let file = |rule: &crate::config::OwnRule| RuleFile {
        code: rule.code,
        name: rule.name,
        file: rule.file.clone(),
        text: Arc::clone(&rule.text),
    };
    RuleFiles { rules: rules.rules.iter().map(file).collect(), modules: rules.modules.clone() }
}
