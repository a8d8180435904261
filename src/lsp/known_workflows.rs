//! The workflows of scenarios, read again only when a scenario has changed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::document_uri::DocumentUri;
use super::documents::Documents;
use crate::paths::clean;
use crate::read::read_regular;
use crate::simulate::scenario::{self, ScenarioSyntax};

/// By scenario; `None` for one without a workflow.
#[derive(Debug, Default)]
pub struct KnownWorkflows(RefCell<BTreeMap<PathBuf, (Version, Option<PathBuf>)>>);

/// The version of a scenario that was read.
#[derive(Debug, Clone)]
enum Version {
    Open(Arc<str>),
    /// When the file was changed, and its size in bytes.
    Saved(Option<SystemTime>, u64),
}

/// The clock of a file system may stand still for so long.
const TICK: Duration = Duration::from_secs(2);

impl Version {
    /// Whether a further change would be another version.
    fn is_settled(&self) -> bool {
        match self {
            Self::Open(_) => true,
            Self::Saved(time, _) => time.and_then(|time| time.elapsed().ok()).is_some_and(|age| age > TICK),
        }
    }

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
    /// The workflow of a scenario as it is; `None` if the scenario does not exist or has none.
    pub fn of(&self, path: &Path, documents: &Documents) -> Option<PathBuf> {
        let version = match documents.get(&DocumentUri::File(path.to_path_buf())) {
            Some(document) => Version::Open(Arc::clone(&document.text)),
            None => {
                let metadata = std::fs::metadata(path).ok()?;
                Version::Saved(metadata.modified().ok(), metadata.len())
            }
        };
        let mut known = self.0.borrow_mut();
        if let Some((_, workflow)) = known.get(path).filter(|(before, _)| before.is(&version)) {
            return workflow.clone();
        }
        let text = match &version {
            Version::Open(text) => Arc::clone(text),
            Version::Saved(..) => read_regular(path).ok()?.into(),
        };
        let workflow = workflow_of(path, &text);
        if version.is_settled() {
            known.insert(path.to_path_buf(), (version, workflow.clone()));
        }
        workflow
    }
}

/// The path of the workflow of a scenario.
fn workflow_of(path: &Path, text: &str) -> Option<PathBuf> {
    let scenario = scenario::read(text, ScenarioSyntax::of(path)?);
    let workflow = match &scenario {
        Ok(scenario) => &scenario.workflow.value,
        Err(_) => text.lines().find_map(workflow_in)?,
    };
    Some(clean(&path.parent()?.join(workflow)))
}

/// The workflow that a line of a scenario names: the scenario may be invalid while it is typed.
fn workflow_in(line: &str) -> Option<&str> {
    const QUOTES: [char; 2] = ['"', '\''];
    let rest = line.trim().trim_start_matches(QUOTES).strip_prefix("workflow")?;
    let value = rest.trim_start_matches(QUOTES).trim_start().strip_prefix([':', '='])?;
    let value = value.trim().trim_end_matches(',').trim_matches(QUOTES);
    (!value.is_empty()).then_some(value)
}
