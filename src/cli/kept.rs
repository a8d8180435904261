//! What `--watch` keeps from one lint to the next one, so that only what has changed is linted.

use std::sync::Arc;

use jiff::civil::Date;
use rayon::ThreadPool;

use crate::lint::{self, Baselines, LastLint, Linter};
use crate::project::Project;
use crate::script::Evaluator;
use crate::script::syntax::ParsedScripts;

#[derive(Default)]
pub(super) struct Kept {
    pool: Option<Arc<ThreadPool>>,
    evaluator: Option<Evaluator>,
    parsed: Arc<ParsedScripts>,
    project: Option<Arc<Project>>,
    last: Arc<LastLint>,
    /// What decides about results besides the project and the command line, which stays the same: the baselines, and the
    /// day, on which suppressions may expire.
    accepted: (Baselines, Option<Date>),
}

impl Kept {
    /// The threads, so many or as many as there are processors.
    ///
    /// # Errors
    /// When no threads can be created.
    pub fn pool(&mut self, jobs: Option<usize>) -> Result<Arc<ThreadPool>, String> {
        let pool = match self.pool.take() {
            Some(pool) => pool,
            None => Arc::new(lint::pool(jobs)?),
        };
        Ok(Arc::clone(self.pool.insert(pool)))
    }

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
