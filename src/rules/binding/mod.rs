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
use crate::diagnostic::{Edit, FileId};
use crate::document::{Document, NodeId};
use crate::graph::Analysis;
use crate::model::{Activity, Parameter, Provider, Variable};
use crate::rules::Context;

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

/// The edits that give a value another JSON text, also where `allProviderParameters` has a copy of
/// it, so that the lists go on to agree.
pub(super) fn with_copy(analysis: &Analysis<'_>, activity: &Activity<'_>, node: NodeId, json: &str) -> Vec<Edit> {
    let document = analysis.document;
    let edit = |node| Edit { span: document.span(node), new_text: json.to_owned() };
    let copy = activity.provider().and_then(|provider| copy_of(document, provider, node));
    std::iter::once(node).chain(copy).map(edit).collect()
}

/// The value in `allProviderParameters` that is the copy of one in a provider's own lists.
pub(super) fn copy_of(document: &Document, provider: &Provider<'_>, node: NodeId) -> Option<NodeId> {
    let span = document.span(node);
    let is_around = |parameter: &&Parameter<'_>| {
        let around = document.span(parameter.node);
        around.start <= span.start && span.end <= around.end
    };
    let own = provider.parameters().find(is_around)?;
    let inside = document.pointer(node).strip_prefix(&document.pointer(own.node))?.to_owned();
    let mut copies = provider.all.get()?.iter().filter(|copy| copy.name.value() == own.name.value());
    let copy = copies.next().filter(|copy| copies.next().is_none() && copy.node != own.node)?;
    let node = document.resolve(&format!("{}{inside}", document.pointer(copy.node)))?;
    (document.slice(document.span(node)) == document.slice(span)).then_some(node)
}
