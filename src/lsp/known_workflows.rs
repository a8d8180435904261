//! The workflows of scenarios, read again only when a scenario has changed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// By scenario; `None` for one without a workflow.
#[derive(Debug, Default)]
pub struct KnownWorkflows(RefCell<BTreeMap<PathBuf, (Version, Option<PathBuf>)>>);

/// Which text of a scenario was read.
#[derive(Debug, Clone)]
pub enum Version {
    Open(Arc<str>),
    /// When the file was changed, and its size in bytes.
    Saved(Option<SystemTime>, u64),
}

impl Version {
    fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Open(text), Self::Open(other)) => Arc::ptr_eq(text, other),
            (Self::Saved(time, size), Self::Saved(other, other_size)) => {
                time.is_some() && time == other && size == other_size
            }
            _ => false,
        }
    }
}

impl KnownWorkflows {
    /// The workflow of this version of a scenario.
    pub fn get(&self, path: &Path, version: Version, read: impl FnOnce() -> Option<PathBuf>) -> Option<PathBuf> {
        let mut known = self.0.borrow_mut();
        if let Some((_, workflow)) = known.get(path).filter(|(before, _)| before.is(&version)) {
            return workflow.clone();
        }
        let workflow = read();
        known.insert(path.to_path_buf(), (version, workflow.clone()));
        workflow
    }
}
