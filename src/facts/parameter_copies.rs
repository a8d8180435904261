//! The copies of parameters in `allProviderParameters`, so that fixes change them too.

use crate::collections::HashMap;
use crate::diagnostic::Edit;
use crate::document::{Document, NodeId};
use crate::graph::Analysis;
use crate::model::{Activity, Member, Parameter, Provider};

/// The copies of a provider's parameters by name, without repeated ones.
pub struct ParameterCopies<'p, 'a> {
    by_name: HashMap<&'a str, Option<&'p Parameter<'a>>>,
}

impl<'p, 'a> ParameterCopies<'p, 'a> {
    pub fn of(provider: &'p Provider<'a>) -> Self {
        let mut by_name = HashMap::default();
        for copy in provider.all.get().into_iter().flatten() {
            let Some(name) = copy.name.value() else { continue };
            by_name.entry(name).and_modify(|copy| *copy = None).or_insert(Some(copy));
        }
        Self { by_name }
    }

    /// The edits that replace a member of a parameter, also in its copy if that has the same value.
    pub fn edits<T: PartialEq>(
        &self,
        analysis: &Analysis<'_>,
        parameter: &Parameter<'a>,
        member: impl for<'m> Fn(&'m Parameter<'a>) -> &'m Member<T>,
        json: &str,
    ) -> Vec<Edit> {
        let copy = parameter.name.value().and_then(|name| self.by_name.get(name).copied().flatten());
        let copy = copy.filter(|copy| copy.node != parameter.node && member(copy).get() == member(parameter).get());
        let nodes = std::iter::once(parameter).chain(copy).filter_map(|parameter| member(parameter).node());
        nodes.map(|node| edit(analysis, node, json)).collect()
    }
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

fn edit(analysis: &Analysis<'_>, node: NodeId, json: &str) -> Edit {
    Edit { file: analysis.file, span: analysis.document.span(node), new_text: json.to_owned() }
}

/// The value in `allProviderParameters` that is the copy of one in the provider's other arrays; none where the two
/// differ or the parameter is repeated.
pub fn copy_of(document: &Document, provider: &Provider<'_>, node: NodeId) -> Option<NodeId> {
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
