//! Implements the `Json` and `Node` traits of `jsonschema` for the arena of [`Document`], so that a document is
//! validated without being copied.

use std::borrow::Cow;
use std::ops::Range;

use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity, Object};
use jsonschema::{JsonType, ValidationError};
use jsonschema_value::LazyInstance;
use serde_json::Value;

use crate::document::{Document, KeyCode, NodeId, NodeKind};
use crate::source::Span;

/// The representation of JSON that the validator is compiled for.
pub(super) struct Arena;

/// A document of which arrays show only the elements that lie in a window.
pub(super) struct View<'a> {
    pub document: &'a Document,
    pub window: Span,
}

/// A value of a document, or a key alone (for `propertyNames`).
#[derive(Clone, Copy)]
pub(super) enum ArenaNode<'a> {
    Value(&'a View<'a>, NodeId),
    Name(&'a str),
}

pub(super) struct PreparedKey {
    name: String,
    code: KeyCode,
}

impl Json for Arena {
    type Node<'a> = ArenaNode<'a>;
    type PreparedKey = PreparedKey;
    type StringBuffer = String;

    // A lookup walks over the members, so from this many keys on one walk over all members is faster.
    const KEYS_PER_LOOKUP: usize = 8;

    fn prepare_key(key: &str) -> PreparedKey {
        PreparedKey { name: key.to_owned(), code: KeyCode::of(key.as_bytes()) }
    }

    fn with_string_node<T>(buffer: &mut String, string: &str, f: impl FnOnce(ArenaNode<'_>) -> T) -> T {
        string.clone_into(buffer);
        f(ArenaNode::Name(buffer))
    }
}

impl<'a> ArenaNode<'a> {
    fn of_kind(&self, kind: NodeKind) -> Option<(&'a View<'a>, NodeId)> {
        match *self {
            Self::Value(view, id) if view.document.kind(id) == kind => Some((view, id)),
            _ => None,
        }
    }
}

impl<'a> Node<'a, Arena> for ArenaNode<'a> {
    type Object = Members<'a>;
    type Array = Elements<'a>;
    type Number = Number<'a>;

    fn as_object(&self) -> Option<Members<'a>> {
        self.of_kind(NodeKind::Object).map(|(view, id)| Members { view, id })
    }

    fn as_array(&self) -> Option<Elements<'a>> {
        self.of_kind(NodeKind::Array).map(|(view, id)| Elements { view, id })
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match *self {
            Self::Value(view, id) => view.document.string(id).map(Cow::Borrowed),
            Self::Name(name) => Some(Cow::Borrowed(name)),
        }
    }

    fn as_number(&self) -> Option<Number<'a>> {
        let (view, id) = self.of_kind(NodeKind::Number)?;
        view.document.number(id).map(Number)
    }

    fn as_boolean(&self) -> Option<bool> {
        match *self {
            Self::Value(view, id) => view.document.boolean(id),
            Self::Name(_) => None,
        }
    }

    fn is_null(&self) -> bool {
        self.of_kind(NodeKind::Null).is_some()
    }

    fn is_number(&self) -> bool {
        self.of_kind(NodeKind::Number).is_some()
    }

    fn json_type(&self) -> JsonType {
        match *self {
            Self::Name(_) => JsonType::String,
            Self::Value(view, id) => match view.document.kind(id) {
                NodeKind::Null => JsonType::Null,
                NodeKind::True | NodeKind::False => JsonType::Boolean,
                NodeKind::Number => JsonType::Number,
                NodeKind::String => JsonType::String,
                NodeKind::Array => JsonType::Array,
                NodeKind::Object => JsonType::Object,
            },
        }
    }

    fn equals_value(&self, expected: &Value) -> bool {
        match expected {
            Value::String(expected) => self.as_string().is_some_and(|text| text == expected.as_str()),
            Value::Bool(expected) => self.as_boolean() == Some(*expected),
            Value::Null => self.is_null(),
            _ => jsonschema::json::cmp::equal(&self.to_value(), expected),
        }
    }

    fn to_value(&self) -> Cow<'a, Value> {
        Cow::Owned(match *self {
            Self::Name(name) => Value::from(name),
            Self::Value(view, id) => copy(view.document, id),
        })
    }

    /// The value of an error. The default copies it; this is the number of the node, for [`node_of`].
    fn lazy_value(&self) -> LazyInstance<'a> {
        LazyInstance::Ready(Cow::Owned(match *self {
            Self::Value(_, id) => Value::from(id.index()),
            Self::Name(_) => Value::Null,
        }))
    }

    /// Identifies the node in the caches of the validator: by the address of the view and the index of
    /// the node.
    fn identity(&self) -> Option<NodeIdentity> {
        match *self {
            Self::Value(view, id) => {
                let tag = u32::try_from(id.index()).ok()?;
                Some(NodeIdentity::tagged(std::ptr::from_ref(view) as usize, tag))
            }
            Self::Name(_) => None,
        }
    }
}

/// The value that an error is about. Its path does not say so: elements are counted from the start of the window.
pub(super) fn node_of(document: &Document, error: &ValidationError<'_>) -> Option<NodeId> {
    document.id_at(usize::try_from(error.instance().as_u64()?).ok()?)
}

fn copy(document: &Document, id: NodeId) -> Value {
    let child = |id| copy(document, id);
    match document.kind(id) {
        NodeKind::Null => Value::Null,
        NodeKind::True => Value::Bool(true),
        NodeKind::False => Value::Bool(false),
        NodeKind::Number => Value::Number(Number(document.number(id).unwrap_or("0")).to_number().into_owned()),
        NodeKind::String => Value::from(document.string(id).unwrap_or_default()),
        NodeKind::Array => document.children(id).map(child).collect(),
        NodeKind::Object => document
            .children(id)
            .map(|member| (document.key(member).unwrap_or_default().to_owned(), child(member)))
            .collect(),
    }
}

#[derive(Clone, Copy)]
pub(super) struct Members<'a> {
    view: &'a View<'a>,
    id: NodeId,
}

impl<'a> Object<'a, Arena> for Members<'a> {
    type Node = ArenaNode<'a>;
    type MemberName = &'a str;
    type MembersIter = MembersIter<'a>;

    fn len(&self) -> usize {
        self.view.document.children(self.id).len()
    }

    fn get(&self, key: &PreparedKey) -> Option<ArenaNode<'a>> {
        let member = self.view.document.member_by_code(self.id, &key.name, key.code)?;
        Some(ArenaNode::Value(self.view, member))
    }

    fn members(&self) -> MembersIter<'a> {
        let children = self.view.document.children(self.id);
        let first = children.clone().next().map_or(0, NodeId::index);
        MembersIter {
            view: self.view,
            range: first..first + children.len(),
            repeats: self.view.document.repeats_a_member(self.id),
        }
    }
}

/// The effective members: of duplicate keys, the last one.
pub(super) struct MembersIter<'a> {
    view: &'a View<'a>,
    range: Range<usize>,
    repeats: bool,
}

impl<'a> Iterator for MembersIter<'a> {
    type Item = (&'a str, ArenaNode<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let id = self.view.document.id_at(self.range.next()?)?;
            if self.repeats && self.view.document.is_shadowed(id) {
                continue;
            }
            return Some((self.view.document.key(id)?, ArenaNode::Value(self.view, id)));
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Elements<'a> {
    view: &'a View<'a>,
    id: NodeId,
}

impl<'a> Array<'a, Arena> for Elements<'a> {
    type Node = ArenaNode<'a>;
    type ElementsIter = ElementsIter<'a>;

    fn len(&self) -> usize {
        self.view.document.children(self.id).len()
    }

    fn elements(&self) -> ElementsIter<'a> {
        ElementsIter { view: self.view, range: self.view.document.elements_in(self.id, self.view.window) }
    }
}

pub(super) struct ElementsIter<'a> {
    view: &'a View<'a>,
    range: Range<usize>,
}

impl<'a> Iterator for ElementsIter<'a> {
    type Item = ArenaNode<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let id = self.view.document.id_at(self.range.next()?)?;
        Some(ArenaNode::Value(self.view, id))
    }
}

/// The text of a number.
#[derive(Clone, Copy)]
pub(super) struct Number<'a>(&'a str);

impl JsonNumber for Number<'_> {
    fn as_u64(&self) -> Option<u64> {
        self.0.parse().ok()
    }

    fn as_i64(&self) -> Option<i64> {
        self.0.parse().ok()
    }

    fn as_f64(&self) -> Option<f64> {
        self.0.parse().ok()
    }

    fn as_str(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.0)
    }

    fn to_number(&self) -> Cow<'_, serde_json::Number> {
        let number = self.as_u64().map(serde_json::Number::from).or_else(|| self.as_i64().map(Into::into));
        // A number out of range, `1e400`, becomes the largest float of its sign, because `serde_json` has no
        // infinity.
        let float =
            || self.as_f64().map(|float| float.clamp(f64::MIN, f64::MAX)).and_then(serde_json::Number::from_f64);
        Cow::Owned(number.or_else(float).unwrap_or_else(|| 0.into()))
    }

    fn is_integer(&self) -> bool {
        // Out of range means beyond 2^53, where every float is whole.
        !self.0.contains(['.', 'e', 'E'])
            || self.as_f64().is_some_and(|float| float.is_infinite() || float.fract() == 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Limits;

    #[test]
    fn arena_conforms_to_the_json_trait() {
        let text = jsonschema::json::conformance::document().to_string();
        let document = Document::parse(text, Limits::default()).unwrap();
        let view = View { document: &document, window: document.span(document.root()) };
        let root = ArenaNode::Value(&view, document.root());
        jsonschema::json::conformance::assert_conformance::<Arena>(&root);
    }

    #[test]
    fn number_out_of_range_is_an_integer() {
        assert!(Number("1e400").is_integer() && Number("5.0").is_integer() && !Number("5.5").is_integer());
        assert_eq!(Number("-1e400").to_number().as_f64(), Some(f64::MIN));
    }
}
