//! The directory of a run, which is made up lookup by lookup.

use std::rc::Rc;

use serde_json::Value;

use super::inputs::Inputs;
use crate::made_up::{AskedDirectory, SearchedDirectory};
use crate::simulate::{MadeUpDirectory, Plan, Run};

/// The directory that a search begins with; `None` when one is given.
pub fn made_up(_: &Plan<'_>, inputs: &Inputs) -> Option<Rc<dyn MadeUpDirectory>> {
    let directory = inputs.directory.clone()?;
    Some(Rc::new(SearchedDirectory::new(directory)))
}

/// The entries that were made up, as a scenario lists them.
pub fn entries(run: &Run<'_, '_>) -> Vec<Value> {
    let made_up = run.search.as_ref().and_then(|search| search.directory.as_ref());
    let asked = made_up.and_then(|made_up| made_up.as_any().downcast_ref::<AskedDirectory>());
    match asked.map(AskedDirectory::json) {
        Some(Value::Array(entries)) => entries,
        _ => Vec::new(),
    }
}
