//! The directory of a run, which is made up lookup by lookup.

use std::rc::Rc;

use serde_json::Value;

use super::inputs::Inputs;
use super::search::SearchOracle;
use crate::made_up::SearchedDirectory;

/// The directory that a search begins with; `None` when one is given.
pub fn made_up(inputs: &Inputs) -> Option<Rc<SearchedDirectory>> {
    let directory = inputs.directory.clone()?;
    Some(Rc::new(SearchedDirectory::new(directory)))
}

/// The entries that were made up, as a scenario lists them.
pub fn entries(oracle: &SearchOracle) -> Vec<Value> {
    match oracle.directory.as_ref().map(|made_up| made_up.asked().json()) {
        Some(Value::Array(entries)) => entries,
        _ => Vec::new(),
    }
}
