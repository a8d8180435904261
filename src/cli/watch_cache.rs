//! What `--watch` keeps from one lint to the next one, so that only services that have changed are linted.

use std::sync::Arc;

use jiff::civil::Date;

use crate::lint::{Baselines, LastLint, Linter};
use crate::own_rules::OwnRunner;
use crate::project::Project;
use crate::script::Evaluator;
use crate::script::syntax::ParsedScripts;

#[derive(Default)]
pub(super) struct WatchCache {
    evaluator: Option<Evaluator>,
    own_rules: Option<OwnRunner>,
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
        if self.evaluator.take_if(|evaluator| evaluator.note().is_some()).is_some()
            || self.own_rules.take_if(|own_rules| own_rules.failure().is_some()).is_some()
        {
            (self.evaluator, self.own_rules) = (None, None);
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
        if self.own_rules.is_none() {
            self.own_rules = self.evaluator.as_ref().map(|evaluator| OwnRunner::new(evaluator.share()));
        }
        let own_rules = self.own_rules.as_ref().zip(self.evaluator.as_ref());
        let linter = linter.with_own_rules(own_rules.map(|(own, evaluator)| own.with_evaluator(evaluator.share())));
        linter.with_scripts(Arc::clone(&self.parsed)).with_last(Arc::clone(&self.last))
    }
}
