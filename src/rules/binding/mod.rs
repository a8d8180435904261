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
use crate::facts::{
    Context, ProviderSite, bind_parameter, bind_value, variable_for_approvers, variable_for_parameter,
    variable_for_status,
};
use crate::graph::Analysis;
use crate::model::{Activity, Binding, Parameter, Role, Variable};
use crate::text::diagnostic::{Edit, FileId};
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

/// The one variable that fits a value that has none.
pub(super) fn fitting_variable<'a>(
    cx: &Context<'a>,
    analysis: &'a Analysis<'a>,
    activity: &'a Activity<'a>,
    role: Role<'a, 'a>,
) -> Option<&'a str> {
    match role {
        Role::Parameter(parameter) => {
            let site = ProviderSite::of_activity(analysis, activity.id)?;
            variable_for_parameter(cx, &site, only_name(&site, parameter)?)
        }
        Role::Status => variable_for_status(cx, analysis, activity),
        Role::Assignee(_) => variable_for_approvers(cx, analysis, activity),
        _ => None,
    }
}

/// The edits that bind a value to a variable.
pub(super) fn bound<'a>(
    cx: &Context<'a>,
    analysis: &'a Analysis<'a>,
    activity: &'a Activity<'a>,
    binding: &Binding<'a>,
    role: Role<'a, 'a>,
    variable: &str,
) -> Option<Vec<Edit>> {
    let Role::Parameter(parameter) = role else {
        return Some(bind_value(cx, analysis, activity, binding.node, variable));
    };
    let site = ProviderSite::of_activity(analysis, activity.id)?;
    bind_parameter(cx, &site, only_name(&site, parameter)?, variable)
}

/// The name of a parameter, if it is the first one of that name.
fn only_name<'a>(site: &ProviderSite<'_, 'a>, parameter: &Parameter<'a>) -> Option<&'a str> {
    let name = parameter.name.value()?;
    site.provider.parameter(name).filter(|first| first.node == parameter.node).map(|_| name)
}
