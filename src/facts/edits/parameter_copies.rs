//! The copies of parameters in `allProviderParameters`, so that fixes change them too.

use crate::document::{Document, NodeId};
use crate::facts::provider_site::ProviderSite;
use crate::graph::Analysis;
use crate::model::{ADDITIONAL_PARAMETERS, ALL_PARAMETERS, Activity, DECLARED_PARAMETERS, Member, Parameter, Provider};
use crate::text::diagnostic::{Edit, FileId};

/// The edits that replace a member of a parameter, also in its copy if that has the same value.
pub fn member_edits<'a, T: PartialEq>(
    site: &ProviderSite<'_, 'a>,
    parameter: &Parameter<'a>,
    member: impl for<'m> Fn(&'m Parameter<'a>) -> &'m Member<T>,
    json: &str,
) -> Vec<Edit> {
    let copy = site.provider.copy(parameter).filter(|copy| member(copy).get() == member(parameter).get());
    let nodes = std::iter::once(parameter).chain(copy).filter_map(|parameter| member(parameter).node());
    nodes.map(|node| edit(site.analysis, node, json)).collect()
}

/// The edits that replace a value by another JSON text, also where `allProviderParameters` has a copy of it, so
/// that the arrays still agree.
pub fn with_copy(analysis: &Analysis<'_>, activity: &Activity<'_>, node: NodeId, json: &str) -> Vec<Edit> {
    node_and_copy(analysis, activity, node).map(|node| edit(analysis, node, json)).collect()
}

/// A value, and its copy in `allProviderParameters`.
pub fn node_and_copy(analysis: &Analysis<'_>, activity: &Activity<'_>, node: NodeId) -> impl Iterator<Item = NodeId> {
    let copy = activity.provider().and_then(|provider| copy_of(analysis.document, provider, node));
    std::iter::once(node).chain(copy)
}

/// The edits that give a member another key, also in the copies of its parameter in `allProviderParameters`.
pub fn rekeyed(document: &Document, file: FileId, member: NodeId, key: &str) -> Vec<Edit> {
    let new_text = serde_json::Value::from(key).to_string();
    let members = copies_of_member(document, member).into_iter().chain([member]);
    let keys = members.filter_map(|member| document.key_span(member));
    keys.map(|span| Edit { file, span, new_text: new_text.clone() }).collect()
}

/// The members in `allProviderParameters` with the key and the parameter of one in the provider's other arrays. The
/// parameter's name may be what has the wrong key.
fn copies_of_member(document: &Document, member: NodeId) -> Vec<NodeId> {
    let path: Vec<NodeId> = std::iter::successors(Some(member), |&node| document.parent(node)).collect();
    let is_list = |&node: &NodeId| matches!(document.key(node), Some(DECLARED_PARAMETERS | ADDITIONAL_PARAMETERS));
    let around = path.iter().skip(1).position(is_list).and_then(|entry| path.get(entry..entry + 3));
    let Some(&[entry, _, activity]) = around else { return Vec::new() };
    let all = document.member(activity, ALL_PARAMETERS);
    let json = |node| document.slice(document.span(node));
    let name = |node| document.member(node, "name").and_then(|name| document.string(name));
    let is_copy = |&copy: &NodeId| json(copy) == json(entry) || name(copy).is_some() && name(copy) == name(entry);
    let (pointer, own) = (document.pointer(member), document.pointer(entry));
    let inside = pointer.strip_prefix(&own).unwrap_or_default();
    let copies = all.into_iter().flat_map(|all| document.elements(all)).filter(is_copy);
    copies.filter_map(|copy| document.resolve(&format!("{}{inside}", document.pointer(copy)))).collect()
}

fn edit(analysis: &Analysis<'_>, node: NodeId, json: &str) -> Edit {
    Edit { file: analysis.file, span: analysis.document.span(node), new_text: json.to_owned() }
}

/// The value in `allProviderParameters` that is the copy of one in the provider's other arrays; none where the two
/// differ or the parameter is repeated.
pub fn copy_of(document: &Document, provider: &Provider<'_>, node: NodeId) -> Option<NodeId> {
    let own = provider.around(document, node)?;
    let copy = provider.copy(own)?;
    let inside = document.pointer(node).strip_prefix(&document.pointer(own.node))?.to_owned();
    let copied = document.resolve(&format!("{}{inside}", document.pointer(copy.node)))?;
    // A string may have other escapes.
    let is_equal = match (document.string(copied), document.string(node)) {
        (Some(copied), Some(own)) => copied == own,
        _ => document.slice(document.span(copied)) == document.slice(document.span(node)),
    };
    is_equal.then_some(copied)
}
