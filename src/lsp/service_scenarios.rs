//! The scenarios of a workflow, those that are not saved yet included.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::address::Address;
use super::load::Scope;
use super::root::Root;
use super::state::Server;
use crate::project::document_kind;
use crate::schema::DocumentKind;
use crate::simulate::is_scenario;

/// The kind of a document, or of its last valid version if it is invalid.
pub fn kind_of(server: &Server, address: &Address) -> Option<DocumentKind> {
    let now = || server.read_file(address)?.document().map(|(kind, _)| kind);
    let document = server.documents.get(address);
    let outside = || match document {
        Some(document) => document_kind(&document.text),
        None => document_kind(&server.documents.unsaved().read(address.path()?).ok()?),
    };
    let before = || document_kind(document?.good.as_deref()?);
    now().or_else(outside).or_else(before)
}

/// The scenarios of a workflow that exist or are open, sorted.
pub fn of_workflow(server: &Server, address: &Address) -> Vec<PathBuf> {
    let Some(workflow) = address.path() else { return Vec::new() };
    let root = server.root_index(address).and_then(|index| server.roots.get(index));
    let mut paths: BTreeSet<PathBuf> = root.map(saved_scenarios).unwrap_or_default();
    paths.extend(server.scenarios.keys().filter_map(Address::path).map(Path::to_path_buf));
    paths.retain(|path| server.scenario_workflows.of(path, &server.documents).is_some_and(|about| about == workflow));
    paths.into_iter().collect()
}

/// The scenarios in the folder of a root, or beside a document that is outside of all folders of the workspace.
fn saved_scenarios(root: &Root) -> BTreeSet<PathBuf> {
    if let Scope::Loose(folder) = &root.scope {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        return entries.map(|entry| entry.path()).filter(|path| is_scenario(path)).collect();
    }
    root.loaded.iter().flat_map(|loaded| loaded.scenarios.iter().cloned()).collect()
}
