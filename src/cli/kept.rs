//! What `--watch` keeps from one lint to the next one, so that only what has changed is linted.

use std::sync::Arc;

use jiff::civil::Date;
use rayon::ThreadPool;

use super::watch::Changed;
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
    /// Whether the next run has this project as well.
    is_same: bool,
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

    /// Another run begins.
    pub fn begin(&mut self, changed: Changed) {
        self.is_same &= changed == Changed::Documents;
    }

    /// The project of this run: that of the last one, or the one that a function finds.
    pub fn same_project(
        &mut self,
        find: impl FnOnce() -> Result<Arc<Project>, String>,
    ) -> Result<Arc<Project>, String> {
        match self.project.as_ref().filter(|_| self.is_same) {
            Some(project) => Ok(Arc::clone(project)),
            None => find(),
        }
    }

    /// The linter of a project, which then lints only what has changed, and parses and runs only new scripts.
    pub fn with<'p>(&mut self, linter: Linter<'p>, project: &Arc<Project>) -> Linter<'p> {
        let options = linter.options();
        let is_same = |last: &Arc<Project>| Arc::ptr_eq(last, project) || last.is_same(project);
        if !self.project.as_ref().is_some_and(is_same) {
            self.last = Arc::default();
        }
        // If scripts could not be run, try again.
        if self.evaluator.take_if(|evaluator| evaluator.note().is_some()).is_some() {
            self.last.forget_findings();
        }
        self.project = Some(Arc::clone(project));
        self.is_same = true;
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
