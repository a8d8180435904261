//! The source of the value of a binding, in either of its two forms.

use crate::document::{Document, NodeId, NodeKind};

/// The keys of a binding that say where its value comes from.
const SOURCES: [&str; 3] = ["value", "boundTo", "boundToId"];

/// Where the value of a binding comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source<'d> {
    /// The variable of this name.
    Variable(&'d str),
    /// This value, which is neither an array nor an object.
    Static(NodeId),
    NotSet,
}

/// Where the value of a binding comes from; `None` for what is not one, or a malformed one.
pub(super) fn source(document: &Document, node: NodeId) -> Option<Source<'_>> {
    let member = |key| document.member(node, key);
    let form = member("state").or_else(|| member("isBound"))?;
    let is_empty = |value: NodeId| document.kind(value) == NodeKind::Null || document.string(value) == Some("");
    let value = || {
        let value = member("value");
        let is_scalar = |value: NodeId| !document.kind(value).is_container();
        value.is_none_or(is_scalar).then_some(value)
    };
    let source = match (document.string(form), document.boolean(form)) {
        (Some("notSet"), _) => return Some(Source::NotSet),
        (Some("bound"), _) | (_, Some(true)) => match document.string(member("boundTo")?)? {
            "" => Source::NotSet,
            name => Source::Variable(name),
        },
        (Some("static"), _) | (_, Some(false)) => {
            value()?.filter(|&value| !is_empty(value)).map_or(Source::NotSet, Source::Static)
        }
        _ => return None,
    };
    SOURCES.iter().any(|key| member(key).is_some()).then_some(source)
}
