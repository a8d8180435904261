//! The sandboxes of several threads.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::script::{Memo, Sandbox};

/// Sandboxes to be used again, since each has a process to start; never more than there are threads.
pub struct Sandboxes {
    program: PathBuf,
    memo: Option<Arc<Memo>>,
    idle: Mutex<Vec<Sandbox>>,
}

impl Sandboxes {
    /// `program` is this program's executable, which is started again to run scripts.
    pub fn new(program: &Path) -> Self {
        Self { program: program.to_path_buf(), memo: None, idle: Mutex::default() }
    }

    /// As [`Self::new`]; a script runs once with the same input.
    pub fn with_memo(program: &Path) -> Self {
        Self { memo: Some(Arc::default()), ..Self::new(program) }
    }

    /// Lends a sandbox that no other thread uses.
    pub fn lend<R>(&self, job: impl FnOnce(&RefCell<Sandbox>) -> R) -> R {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let lent = idle().pop();
        let sandbox = RefCell::new(lent.unwrap_or_else(|| self.sandbox()));
        let result = job(&sandbox);
        idle().push(sandbox.into_inner());
        result
    }

    fn sandbox(&self) -> Sandbox {
        let program = self.program.clone();
        match &self.memo {
            Some(memo) => Sandbox::with_memo(program, Arc::clone(memo)),
            None => Sandbox::new(program),
        }
    }
}
