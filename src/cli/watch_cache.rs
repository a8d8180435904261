//! What `--watch` keeps from one lint to the next one, so that only services that have changed are linted.

use std::sync::Arc;

use jiff::civil::Date;

use crate::lint::{Baselines, LastLint, Linter};
use crate::project::Project;
use crate::script::Evaluator;
use crate::script::syntax::ParsedScripts;

#[derive(Default)]
pub(super) struct WatchCache {
    evaluator: Option<Evaluator>,
    parsed: Arc<ParsedScripts>,
    project: Option<Arc<Project>>,
    last: Arc<LastLint>,
    /// What decides about results besides the project and the command line, which stays the same: the baselines, and the
    /// day, on which suppressions may expire.
    accepted: (Baselines, Option<Date>),
}

impl WatchCache {
    /// The linter of a project, which then lints only what has changed, and parses and runs only new scripts.
    pub fn with<'p>(&mut self, linter: Linter<'p>, project: &Arc<Project>) -> Linter<'p> {
        let options = linter.options();
        if !self.project.as_ref().is_some_and(|last| last.is_same(project)) {
            self.last = Arc::default();
        }
        // If scripts could not be run, try again.
        if self.evaluator.take_if(|evaluator| evaluator.note().is_some()).is_some() {
            self.last.forget_results();
        }
        self.project = Some(Arc::clone(project));
        let accepted = (options.baselines.clone(), options.today);
        if self.accepted != accepted {
            self.last.forget_results();
            self.accepted = accepted;
        }
        if self.evaluator.is_none() {
            self.evaluator = options.program.clone().map(Evaluator::new);
        }
        let linter = linter.with_evaluator(self.evaluator.as_ref().map(Evaluator::share));
        linter.with_scripts(Arc::clone(&self.parsed)).with_last(Arc::clone(&self.last))
    }
}
