//! New ids for the variables of a service.

use crate::common::collections::HashMap;
use crate::document::{Document, NodeId};
use crate::text::diagnostic::FileId;
use crate::text::quote;

/// The numbers that replace values of a document.
pub type NewIds = HashMap<NodeId, usize>;

/// The document of a service, with the name of its file.
pub type Renumbered<'d> = (FileId, &'d str, &'d Document);

/// Gives the variables of a service the ids 1, 2, … in their order, workflows first: `id` and `realId` of the
/// variables, and `boundToId` of what is bound to them. Variables with the same name in several documents are one
/// variable.
///
/// # Errors
/// Why ids cannot be changed together: a variable has an id but no name, two variables of a document share an id, two
/// variables with the same name have different ids, or a binding has the id of no variable.
pub fn renumber(documents: &[Renumbered<'_>]) -> Result<HashMap<FileId, NewIds>, String> {
    let mut new_ids: HashMap<&str, usize> = HashMap::default();
    let mut names = Vec::new();
    for (_, file, document) in documents {
        let mut of_document: HashMap<i64, &str> = HashMap::default();
        let mut ids_of: HashMap<&str, Vec<i64>> = HashMap::default();
        for (variable, name) in variables(document) {
            let own: Vec<i64> = ids(document, variable).filter_map(|id| document.integer(id)).collect();
            let Some(name) = name else {
                // It would keep its id, which may become that of another variable.
                let Some(id) = own.first() else { continue };
                return Err(format!("the variable with id {id} in {file} has no name"));
            };
            if *ids_of.entry(name).or_insert_with(|| own.clone()) != own {
                return Err(format!("two variables {} in {file} have different ids", quote(name)));
            }
            let next = new_ids.len() + 1;
            new_ids.entry(name).or_insert(next);
            for id in own {
                let other = *of_document.entry(id).or_insert(name);
                if other != name {
                    return Err(format!("{} and {} have the same id {id} in {file}", quote(other), quote(name)));
                }
            }
        }
        names.push(of_document);
    }
    let renumbered = documents.iter().zip(&names).map(|((id, file, document), own)| {
        // Documents may give one id to different variables: a binding means the one that it names. Otherwise it refers to a
        // variable of its document, and to that of another one if it declares none with this id.
        let name_of = |old: i64, bound: Option<&str>| {
            let anywhere = |wanted: Option<&str>| {
                let mut found = names.iter().filter_map(|other| other.get(&old).copied());
                found.find(|name| wanted.is_none_or(|wanted| wanted == *name))
            };
            bound.and_then(|bound| anywhere(Some(bound))).or_else(|| own.get(&old).copied()).or_else(|| anywhere(None))
        };
        let mut replaced = NewIds::default();
        for (variable, name) in variables(document).filter_map(|(variable, name)| Some((variable, name?))) {
            let new = new_ids.get(name).copied().unwrap_or_default();
            replaced.extend(ids(document, variable).map(|id| (id, new)));
        }
        for binding in bound_ids(document) {
            let old = document.integer(binding).unwrap_or_default();
            let bound = document.parent(binding).and_then(|object| document.member(object, "boundTo"));
            let bound = bound.and_then(|bound| document.string(bound));
            let Some(new) = name_of(old, bound).and_then(|name| new_ids.get(name)) else {
                return Err(format!("`boundToId` {old} in {file} is the id of no variable"));
            };
            replaced.insert(binding, *new);
        }
        Ok((*id, replaced))
    });
    renumbered.collect()
}

/// Whether some of the ids differ from those in the document.
pub fn has_new_ids(document: &Document, ids: &NewIds) -> bool {
    ids.iter().any(|(&id, &new)| document.integer(id) != i64::try_from(new).ok())
}

/// The variables that a document declares, with their names if they have one.
fn variables(document: &Document) -> impl Iterator<Item = (NodeId, Option<&str>)> {
    let list = document.member(document.root(), "variables");
    let elements = list.into_iter().flat_map(|list| document.elements(list));
    elements.map(|variable| {
        let name = document.member(variable, "name");
        (variable, name.and_then(|name| document.string(name)))
    })
}

/// The ids of a variable; 0 does not count.
fn ids(document: &Document, variable: NodeId) -> impl Iterator<Item = NodeId> {
    let ids = ["id", "realId"].into_iter().filter_map(move |key| document.member(variable, key));
    ids.filter(|&id| document.integer(id).is_some_and(|id| id != 0))
}

/// Every `boundToId` of the document but 0; the file may have others around it.
fn bound_ids(document: &Document) -> impl Iterator<Item = NodeId> {
    let root = document.span(document.root());
    let all = (0..document.len()).filter_map(|index| document.id_at(index));
    let inside = all.filter(move |&id| (root.start..root.end).contains(&document.span(id).start));
    inside.filter(|&id| document.key_is(id, "boundToId") && document.integer(id).is_some_and(|id| id != 0))
}
