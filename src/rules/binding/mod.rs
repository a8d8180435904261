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

use crate::collections::{HashMap, HashSet};
use crate::diagnostic::FileId;
use crate::facts::Context;
use crate::model::Variable;

/// Names and ids that one document gives to two variables; told by WF107 and WF108, so that no
/// rule rests on them.
pub(super) struct Doubles<'a> {
    names: HashSet<&'a str>,
    ids: HashSet<i64>,
}

impl<'a> Doubles<'a> {
    /// The doubles of all documents of a service.
    pub(super) fn of(cx: &Context<'a>) -> Self {
        let (mut names, mut ids) = (HashSet::default(), HashSet::default());
        for (_, variables) in cx.variable_lists() {
            names.extend(doubles(variables, |variable| variable.name.value()).filter_map(|pair| pair.1.name.value()));
            ids.extend(doubles(variables, real_id).filter_map(|pair| pair.1.id.value()));
        }
        Self { names, ids }
    }

    /// Whether a variable shares its name or id with another.
    pub(super) fn concern(&self, variable: &Variable<'_>) -> bool {
        variable.name.value().is_some_and(|name| self.names.contains(name))
            || variable.id.value().is_some_and(|id| self.ids.contains(&id))
    }
}

/// An id that identifies: 0 is none.
pub(super) fn real_id(variable: &Variable<'_>) -> Option<i64> {
    variable.id.value().filter(|&id| id != 0)
}

/// Each variable whose key an earlier one has, after that earlier one.
pub(super) fn doubles<'v, 'a, K: std::hash::Hash + Eq>(
    variables: &'v [Variable<'a>],
    key: impl Fn(&Variable<'a>) -> Option<K>,
) -> impl Iterator<Item = (&'v Variable<'a>, &'v Variable<'a>)> {
    let mut first: HashMap<K, &Variable<'_>> = HashMap::default();
    let mut found = Vec::new();
    for variable in variables {
        let Some(key) = key(variable) else { continue };
        match first.get(&key) {
            Some(earlier) => found.push((*earlier, variable)),
            None => {
                first.insert(key, variable);
            }
        }
    }
    found.into_iter()
}

/// How to name a file in a message: nothing for the file itself.
pub(super) fn file_name<'a>(cx: &Context<'a>, file: FileId) -> &'a str {
    cx.file(file).map_or("", |file| file.source.name.as_str())
}
