//! The workflows of scenarios, read again only when a scenario has changed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::document_uri::DocumentUri;
use super::documents::Documents;
use crate::files::paths::clean;
use crate::files::read::read_regular;
use crate::simulate::scenario::{self, ScenarioSyntax};

/// By scenario; `None` for one without a workflow.
#[derive(Debug, Default)]
pub struct KnownWorkflows(RefCell<BTreeMap<PathBuf, (Version, Option<PathBuf>)>>);

/// The version of a scenario that was read.
#[derive(Debug, PartialEq)]
enum Version {
    Open(Arc<str>),
    /// When the file was changed, and its size in bytes.
    Saved(Option<SystemTime>, u64),
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
        if let Some((_, workflow)) = known.get(path).filter(|(before, _)| *before == version) {
            return workflow.clone();
        }
        let text = match &version {
            Version::Open(text) => Arc::clone(text),
            Version::Saved(..) => read_regular(path).ok()?.into(),
        };
        let workflow = workflow_of(path, &text);
        known.insert(path.to_path_buf(), (version, workflow.clone()));
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
