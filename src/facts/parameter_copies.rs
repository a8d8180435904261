//! The copies of parameters in `allProviderParameters`, so that fixes change them too.

use crate::diagnostic::Edit;
use crate::document::{Document, NodeId};
use crate::graph::Analysis;
use crate::model::{Activity, Parameter, Provider};

/// The edits that replace a value by another JSON text, also where `allProviderParameters` has a copy of it, so
/// that the arrays still agree.
pub fn with_copy(analysis: &Analysis<'_>, activity: &Activity<'_>, node: NodeId, json: &str) -> Vec<Edit> {
    let document = analysis.document;
    let edit = |node| Edit { span: document.span(node), new_text: json.to_owned() };
    let copy = activity.provider().and_then(|provider| copy_of(document, provider, node));
    std::iter::once(node).chain(copy).map(edit).collect()
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
