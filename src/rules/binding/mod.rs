//! `WF1`: variables and bindings.

pub mod binding_id_mismatch;
pub mod bound_without_target;
pub mod duplicate_variable_id;
pub mod duplicate_variable_name;
pub mod file_variable_misuse;
pub mod invalid_mask_range;
pub mod real_id_mismatch;
pub mod stale_bound_variable_list;
pub mod stale_target;
pub mod system_flag_mismatch;
pub mod unknown_variable;
pub mod unknown_variable_type;
pub mod unused_variable;
pub mod value_state_mismatch;
pub mod variable_definitions_disagree;

use std::collections::hash_map::Entry;
use std::hash::Hash;

use crate::common::collections::HashMap;
use crate::facts::Context;
use crate::graph::Analysis;
use crate::model::{Activity, Binding, Role, Variable};
use crate::text::diagnostic::FileId;
use crate::text::quote;

/// The id of a variable that has none yet.
pub(super) const NO_ID: i64 = 0;

/// Each variable whose key an earlier one has, after that earlier one.
pub(super) fn duplicates<'v, 'a, K: Hash + Eq>(
    variables: &'v [Variable<'a>],
    key: impl Fn(&Variable<'a>) -> Option<K>,
) -> impl Iterator<Item = (&'v Variable<'a>, &'v Variable<'a>)> {
    let mut first: HashMap<K, &Variable<'_>> = HashMap::default();
    first.reserve(variables.len());
    let mut found = Vec::new();
    for variable in variables {
        match key(variable).map(|key| first.entry(key)) {
            Some(Entry::Occupied(earlier)) => found.push((*earlier.get(), variable)),
            Some(Entry::Vacant(place)) => drop(place.insert(variable)),
            None => {}
        }
    }
    found.into_iter()
}

/// The file's name, as messages show it.
pub(super) fn file_name<'a>(cx: &Context<'a>, file: FileId) -> &'a str {
    cx.file(file).map_or("", |file| file.source.name.as_str())
}

/// The description of a binding in a message: "parameter `Id` in `Look up the status`".
pub(super) fn describe(
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    binding: &Binding<'_>,
    role: Role<'_, '_>,
) -> String {
    let subject = match role {
        Role::Parameter(parameter) => format!("parameter {}", quote(parameter.name.value().unwrap_or_default())),
        Role::CodeParameter => "a script parameter".to_owned(),
        Role::Assigned => "an entry of `assignedVariables`".to_owned(),
        Role::Assignee(_) => "an assignee".to_owned(),
        _ => analysis.document.key(binding.node).map_or_else(|| "a binding".to_owned(), quote),
    };
    format!("{subject} in {}", activity.display_name())
}
