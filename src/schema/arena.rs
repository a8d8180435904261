//! Implements the `Json` and `Node` traits of `jsonschema` for the arena of [`Document`], so that a document is
//! validated without being copied.

use std::borrow::Cow;
use std::ops::Range;

use jsonschema::JsonType;
use jsonschema::json::{Array, Json, JsonNumber, Node, NodeIdentity, Object};
use jsonschema_value::LazyInstance;
use serde_json::Value;

use crate::document::{Document, NodeId, NodeKind, hash};

/// The representation of JSON that the validator is compiled for.
pub(super) struct Arena;

/// A value of a document, or a key alone (for `propertyNames`).
#[derive(Clone, Copy)]
pub(super) enum ArenaNode<'a> {
    Value(&'a Document, NodeId),
    Name(&'a str),
}

pub(super) struct PreparedKey {
    name: String,
    hash: u32,
}

impl Json for Arena {
    type Node<'a> = ArenaNode<'a>;
    type PreparedKey = PreparedKey;
    type StringBuffer = String;

    // A lookup walks over the members, so from this many keys on one walk over all members is faster.
    const KEYS_PER_LOOKUP: usize = 8;

    fn prepare_key(key: &str) -> PreparedKey {
        PreparedKey { name: key.to_owned(), hash: hash(key) }
    }

    fn with_string_node<T>(buffer: &mut String, string: &str, f: impl FnOnce(ArenaNode<'_>) -> T) -> T {
        string.clone_into(buffer);
        f(ArenaNode::Name(buffer))
    }
}

impl<'a> ArenaNode<'a> {
    fn of_kind(&self, kind: NodeKind) -> Option<(&'a Document, NodeId)> {
        match *self {
            Self::Value(document, id) if document.kind(id) == kind => Some((document, id)),
            _ => None,
        }
    }
}

impl<'a> Node<'a, Arena> for ArenaNode<'a> {
    type Object = Members<'a>;
    type Array = Elements<'a>;
    type Number = Number<'a>;

    fn as_object(&self) -> Option<Members<'a>> {
        self.of_kind(NodeKind::Object).map(|(document, id)| Members { document, id })
    }

    fn as_array(&self) -> Option<Elements<'a>> {
        self.of_kind(NodeKind::Array).map(|(document, id)| Elements { document, id })
    }

    fn as_string(&self) -> Option<Cow<'a, str>> {
        match *self {
            Self::Value(document, id) => document.string(id).map(Cow::Borrowed),
            Self::Name(name) => Some(Cow::Borrowed(name)),
        }
    }

    fn as_number(&self) -> Option<Number<'a>> {
        let (document, id) = self.of_kind(NodeKind::Number)?;
        document.number(id).map(Number)
    }

    fn as_boolean(&self) -> Option<bool> {
        match *self {
            Self::Value(document, id) => document.boolean(id),
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
            Self::Value(document, id) => match document.kind(id) {
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
            Self::Value(document, id) => copy(document, id),
        })
    }

    /// The value of an error. The default copies it; our messages need only the kind and the path of the
    /// error (see `message.rs`).
    fn lazy_value(&self) -> LazyInstance<'a> {
        LazyInstance::Ready(Cow::Owned(Value::Null))
    }

    /// Identifies the node in the caches of the validator: by the address of the document and the index of
    /// the node.
    fn identity(&self) -> Option<NodeIdentity> {
        match *self {
            Self::Value(document, id) => {
                let tag = u32::try_from(id.index()).ok()?;
                Some(NodeIdentity::tagged(std::ptr::from_ref(document) as usize, tag))
            }
            Self::Name(_) => None,
        }
    }
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
    document: &'a Document,
    id: NodeId,
}

impl<'a> Object<'a, Arena> for Members<'a> {
    type Node = ArenaNode<'a>;
    type MemberName = &'a str;
    type MembersIter = MembersIter<'a>;

    fn len(&self) -> usize {
        self.document.children(self.id).len()
    }

    fn get(&self, key: &PreparedKey) -> Option<ArenaNode<'a>> {
        let member = self.document.member_by_hash(self.id, &key.name, key.hash)?;
        Some(ArenaNode::Value(self.document, member))
    }

    fn members(&self) -> MembersIter<'a> {
        let children = self.document.children(self.id);
        let first = children.clone().next().map_or(0, NodeId::index);
        MembersIter {
            document: self.document,
            range: first..first + children.len(),
            repeats: self.document.repeats_a_member(self.id),
        }
    }
}

/// The effective members: of duplicate keys, the last one.
pub(super) struct MembersIter<'a> {
    document: &'a Document,
    range: Range<usize>,
    repeats: bool,
}

impl<'a> Iterator for MembersIter<'a> {
    type Item = (&'a str, ArenaNode<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let id = self.document.id_at(self.range.next()?)?;
            if self.repeats && self.document.is_shadowed(id) {
                continue;
            }
            return Some((self.document.key(id)?, ArenaNode::Value(self.document, id)));
        }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Elements<'a> {
    document: &'a Document,
    id: NodeId,
}

impl<'a> Array<'a, Arena> for Elements<'a> {
    type Node = ArenaNode<'a>;
    type ElementsIter = ElementsIter<'a>;

    fn len(&self) -> usize {
        self.document.children(self.id).len()
    }

    fn elements(&self) -> ElementsIter<'a> {
        let children = self.document.children(self.id);
        let first = children.clone().next().map_or(0, NodeId::index);
        ElementsIter { document: self.document, range: first..first + children.len() }
    }
}

pub(super) struct ElementsIter<'a> {
    document: &'a Document,
    range: Range<usize>,
}

impl<'a> Iterator for ElementsIter<'a> {
    type Item = ArenaNode<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        let id = self.document.id_at(self.range.next()?)?;
        Some(ArenaNode::Value(self.document, id))
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
        let root = ArenaNode::Value(&document, document.root());
        jsonschema::json::conformance::assert_conformance::<Arena>(&root);
    }

    #[test]
    fn number_out_of_range_is_an_integer() {
        assert!(Number("1e400").is_integer() && Number("5.0").is_integer() && !Number("5.5").is_integer());
        assert_eq!(Number("-1e400").to_number().as_f64(), Some(f64::MIN));
    }
}
