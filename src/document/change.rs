//! Parsing a document again after a change: only the innermost value around the change is read, and replaced in the arena.
//!
//! A container is moved to the arena when it closes, so what is inside a value lies side by side. The nodes after it move
//! on, and so do all offsets behind the change.

use std::ops::Range;
use std::sync::Arc;

use super::arena::{Document, Duplicate};
use super::key::EscapedKey;
use super::node::{Escape, Node, NodeId, NodeKind, TextRef, flag, to_u32};
use super::parse::{Limits, is_within_limits, parse_part};
use crate::source::Span;

/// How many values around a change are tried, from the innermost on.
const MAX_TRIED: usize = 2;

impl Document {
    /// Parses JSON that differs from this document in one value, which is returned too. The document is the one
    /// that [`Document::parse`] makes of the text, with the limits that this one was parsed with.
    ///
    /// `None` where the whole text has to be parsed, because it is invalid or much of it has changed.
    pub fn parse_change(&self, text: &Arc<str>, limits: Limits) -> Option<(Self, NodeId)> {
        if self.root != self.outermost() {
            return None;
        }
        let around = self.values_around(&difference(&self.text, text));
        (1..around.len()).rev().take(MAX_TRIED).find_map(|depth| {
            let (container, value) = (*around.get(depth - 1)?, *around.get(depth)?);
            let Span { start, end } = self.span(value);
            let end = (end as usize + text.len()).checked_sub(self.text.len())?;
            let part = text.get(start as usize..end).filter(|part| part.len() <= text.len() / 2)?;
            let names = around.get(1..=depth)?.iter().filter_map(|&node| self.key(node));
            let limits = Limits { depth: limits.depth.saturating_sub(depth) };
            self.with_part(container, value, &parse_part(part, limits, names.map(str::len).sum())?, text)
        })
    }

    /// The values around a value, from the root inwards. They are found by their places: parents would be known only after
    /// a walk through the whole document.
    pub fn around(&self, value: NodeId) -> Vec<NodeId> {
        let Span { start, end } = self.span(value);
        let around = self.values_around(&(start..end)).into_iter();
        around.skip_while(|node| *node != self.root).filter(|node| *node != value).collect()
    }

    /// The values that contain a range of the text, the outermost first; a container contains what is between its
    /// brackets.
    fn values_around(&self, range: &Range<u32>) -> Vec<NodeId> {
        let mut around = vec![self.outermost()];
        let mut container = self.node(self.outermost());
        loop {
            let children = self.nodes_in(container);
            let index = children.partition_point(|child| child.span.end < range.start);
            let Some(child) = children.get(index) else { return around };
            let bracket = u32::from(child.kind.is_container());
            if child.span.start + bracket > range.start || range.end + bracket > child.span.end {
                return around;
            }
            around.push(NodeId(container.start + to_u32(index)));
            container = child;
        }
    }

    /// The values directly inside a container.
    fn nodes_in(&self, container: &Node) -> &[Node] {
        let nodes = self.nodes.get(container.start as usize..(container.start + container.len) as usize);
        nodes.filter(|_| container.kind.is_container()).unwrap_or_default()
    }

    /// Where in the arena all values inside a container are.
    fn inside(&self, container: &Node) -> Range<u32> {
        // The first container that closed in it was moved to the arena first.
        let inner = |node: &&Node| self.nodes_in(node).iter().find(|child| child.kind.is_container() && child.len > 0);
        let first = std::iter::successors(Some(container), inner).last().unwrap_or(container);
        first.start..container.start + container.len
    }

    /// Where in the side buffer the strings of a span are.
    fn unescaped_in(&self, span: Span) -> Range<u32> {
        let strings = self.nodes.iter().filter(|node| node.has(flag::ESCAPED));
        let strings = strings.map(|node| (node.span.end, node.start + node.len));
        let keys = self.escaped_keys.iter().map(|key| (key.span.end, key.text.start + key.text.len));
        let ends: Vec<(u32, u32)> = strings.chain(keys).collect();
        let before =
            |offset| ends.iter().filter(|(end, _)| *end <= offset).map(|(_, unescaped)| *unescaped).max().unwrap_or(0);
        before(span.start)..before(span.end)
    }

    /// This document with a part in place of a value in a container. `None` if it is not known where in the arena the part
    /// belongs.
    fn with_part(&self, around: NodeId, value: NodeId, part: &Self, text: &Arc<str>) -> Option<(Self, NodeId)> {
        let (old, new) = (self.node(value), part.node(part.root));
        let inside = match self.inside(self.node(if old.kind.is_container() { value } else { around })) {
            inside if old.kind.is_container() => inside,
            // Nothing is inserted, and nothing before the container around it moves.
            beside => beside.start..beside.start,
        };
        let part_nodes = part.nodes.get(..part.root.index())?;
        if old.kind.is_container() != new.kind.is_container() || inside.is_empty() && !part_nodes.is_empty() {
            return None;
        }
        let is_same_tree = inside.is_empty() && part_nodes.is_empty();
        let at_most = |end: u32| self.escapes.partition_point(|escape| escape.text <= end);
        let escapes = at_most(old.span.start)..at_most(old.span.end);
        let has_escapes = !escapes.is_empty() || !part.escapes.is_empty();
        let unescaped = if has_escapes { self.unescaped_in(old.span) } else { u32::MAX..u32::MAX };
        let moved = Moved {
            text: Shift::after(&(old.span.start..old.span.end), part.text.len()),
            nodes: Shift::after(&inside, part_nodes.len()),
            unescaped: Shift::after(&unescaped, part.unescaped.len()),
        };
        let inner = Moved {
            text: Shift::by(old.span.start),
            nodes: Shift::by(inside.start),
            unescaped: Shift::by(unescaped.start),
        };
        let before = |offset: u32| self.escaped_keys.partition_point(|key| key.span.start < offset);
        let escaped_keys = before(old.span.start)..before(old.span.end);
        let before = |index: u32| self.duplicates.partition_point(|pair| pair.second.0 < index);
        let duplicates = before(inside.start)..before(inside.end);

        let mut nodes = splice(&self.nodes, to_usize(&inside), part_nodes, &inner, &moved);
        let changed = NodeId(moved.nodes.of(value.0));
        let keyed = flag::KEYED | flag::ESCAPED_KEY;
        *nodes.get_mut(changed.index())? = Node {
            flags: new.flags | old.flags & keyed,
            key_len: old.key_len,
            key_start: old.key_start,
            key: old.key,
            ..new.moved(&inner)
        };
        let mut buffer = self.unescaped.clone();
        if has_escapes {
            buffer.replace_range(to_usize(&unescaped), &part.unescaped);
        }
        is_within_limits(&nodes, text.len()).then(|| {
            let root = NodeId(to_u32(nodes.len() - 1));
            let document = Self {
                text: Arc::clone(text),
                unescaped: buffer,
                escapes: splice(&self.escapes, escapes, &part.escapes, &inner, &moved),
                nodes,
                escaped_keys: splice(&self.escaped_keys, escaped_keys, &part.escaped_keys, &inner, &moved),
                duplicates: splice(&self.duplicates, duplicates, &part.duplicates, &inner, &moved),
                root,
                parents: if is_same_tree { Arc::clone(&self.parents) } else { Arc::default() },
            };
            (document, changed)
        })
    }
}

/// The bytes in which two versions of a document differ.
fn difference(old: &str, new: &str) -> Range<u32> {
    let (old, new) = (old.as_bytes(), new.as_bytes());
    let start = equal_at_start(old, new);
    let [rest, new] = [old, new].map(|bytes| bytes.get(start..).unwrap_or_default());
    to_u32(start)..to_u32(old.len() - equal_at_end(rest, new))
}

/// Bytes that are compared at a time.
const BLOCK: usize = 4096;

fn equal_at_start(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.chunks_exact(BLOCK).zip(other.chunks_exact(BLOCK));
    let start = blocks.take_while(|(one, other)| one == other).count() * BLOCK;
    let [one, other] = [one, other].map(|bytes| bytes.get(start..).unwrap_or_default());
    start + one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

fn equal_at_end(one: &[u8], other: &[u8]) -> usize {
    let blocks = one.rchunks_exact(BLOCK).zip(other.rchunks_exact(BLOCK));
    let end = blocks.take_while(|(one, other)| one == other).count() * BLOCK;
    let [one, other] = [one, other].map(|bytes| bytes.get(..bytes.len() - end).unwrap_or_default());
    end + one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count()
}

/// How offsets and indices change that are not before a place.
struct Shift {
    from: u32,
    /// Added with wrapping, so that it may be negative.
    by: u32,
}

impl Shift {
    const fn by(by: u32) -> Self {
        Self { from: 0, by }
    }

    /// Behind a range that gets another length.
    fn after(range: &Range<u32>, len: usize) -> Self {
        Self { from: range.end, by: range.start.wrapping_add(to_u32(len)).wrapping_sub(range.end) }
    }

    const fn of(&self, at: u32) -> u32 {
        if at < self.from { at } else { at.wrapping_add(self.by) }
    }

    const fn span(&self, span: Span) -> Span {
        Span::new(self.of(span.start), self.of(span.end))
    }
}

/// How a part of a document moves.
struct Moved {
    /// Offsets in the text.
    text: Shift,
    /// Indices in the arena.
    nodes: Shift,
    /// Offsets in the side buffer.
    unescaped: Shift,
}

/// What refers to offsets and indices.
trait Move: Copy {
    fn moved(self, by: &Moved) -> Self;
}

impl Move for Node {
    fn moved(self, by: &Moved) -> Self {
        let start = match self.kind {
            NodeKind::Array | NodeKind::Object => by.nodes.of(self.start),
            NodeKind::String if self.has(flag::ESCAPED) => by.unescaped.of(self.start),
            NodeKind::String => by.text.of(self.start),
            _ => self.start,
        };
        let key_start = if self.has(flag::KEYED) { by.text.of(self.key_start) } else { self.key_start };
        Self { span: by.text.span(self.span), start, key_start, ..self }
    }
}

impl Move for Escape {
    fn moved(self, by: &Moved) -> Self {
        Self { text: by.text.of(self.text), unescaped: by.unescaped.of(self.unescaped) }
    }
}

impl Move for EscapedKey {
    fn moved(self, by: &Moved) -> Self {
        let buffer = if self.text.flags & flag::ESCAPED == 0 { &by.text } else { &by.unescaped };
        let text = TextRef { start: buffer.of(self.text.start), ..self.text };
        Self { span: by.text.span(self.span), text }
    }
}

impl Move for Duplicate {
    fn moved(self, by: &Moved) -> Self {
        Self { first: NodeId(by.nodes.of(self.first.0)), second: NodeId(by.nodes.of(self.second.0)) }
    }
}

/// A list with a part in place of some items; those after it move.
fn splice<T: Move>(old: &[T], replaced: Range<usize>, part: &[T], inner: &Moved, after: &Moved) -> Vec<T> {
    let [before, rest] = [old.get(..replaced.start), old.get(replaced.end..)].map(Option::unwrap_or_default);
    let mut items = Vec::with_capacity(before.len() + part.len() + rest.len());
    items.extend_from_slice(before);
    items.extend(part.iter().map(|item| item.moved(inner)));
    items.extend(rest.iter().map(|item| item.moved(after)));
    items
}

const fn to_usize(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Parses one version after another.
    fn parse_change(old: &str, new: &str) -> Option<(Document, NodeId)> {
        let document = Document::parse(old, Limits::default()).unwrap();
        whole(&document);
        document.parse_change(&Arc::from(new), Limits::default())
    }

    /// All of a document, with what is built on first use.
    fn whole(document: &Document) -> String {
        document.outer_parent(document.outermost());
        format!("{document:?}")
    }

    /// The pointer of the value that was read again, in documents that differ in the value of one key.
    fn read_again(old: &str, new: &str) -> Option<String> {
        let text = |value| format!(r#"{{"a": "{:40}\n", "b": {value}, "c": "\n"}}"#, "");
        let (document, changed) = parse_change(&text(old), &text(new))?;
        assert_eq!(whole(&document), whole(&Document::parse(text(new), Limits::default()).unwrap()));
        Some(document.pointer(changed))
    }

    #[test]
    fn only_the_innermost_value_is_read_again() {
        assert_eq!(read_again("1", "12").as_deref(), Some("/b"));
        assert_eq!(read_again(r#""x""#, "null").as_deref(), Some("/b"));
        assert_eq!(read_again(r#"["x", "\n"]"#, r#"["x\t", "\n"]"#).as_deref(), Some("/b/0"));
        assert_eq!(read_again(r#"{"x": 1}"#, r#"{"x": 1, "x": 2}"#).as_deref(), Some("/b"));
        assert_eq!(read_again(r#"{"x": [[], 1]}"#, r#"{"x": [[], 1, 2]}"#).as_deref(), Some("/b/x"));
        assert_eq!(read_again("1", r#"1, "d": 2"#), None, "the outermost value has changed");
        assert_eq!(read_again("1", "[]"), None, "its place in the arena is not known");
    }

    #[test]
    fn the_values_around_a_value_are_its_parents() {
        let text = r#"{"a": [1, [], {"b": "x", "c": {}}, "y"], "d": null}"#;
        let document = Document::parse(text, Limits::default()).unwrap();
        for value in (0..document.len()).map(|index| NodeId(to_u32(index))) {
            let parents = std::iter::successors(document.parent(value), |&node| document.parent(node));
            let mut parents: Vec<NodeId> = parents.collect();
            parents.reverse();
            assert_eq!(document.around(value), parents, "{}", document.pointer(value));
        }
    }

    #[test]
    fn what_breaks_limits_is_left_to_the_parser() {
        let nested = |levels: usize| format!("[[{}1{}], {:400}]", "[".repeat(levels), "]".repeat(levels), "1");
        assert!(parse_change(&nested(125), &nested(126)).is_some());
        assert!(parse_change(&nested(126), &nested(127)).is_none());
        let keys = |len: usize| format!(r#"{{"a": {{"{:a>len$}": {{"a": 1}}}}, "b": "{:9000}"}}"#, "", "");
        assert!(parse_change(&keys(4_000), &keys(4_094)).is_some());
        assert!(parse_change(&keys(4_000), &keys(4_095)).is_none());
    }

    fn json() -> impl Strategy<Value = String> {
        const LEAVES: [&str; 8] = ["1", "-2.5", "null", "true", r#""""#, r#""a""#, r#""\n\u00e9x""#, "\"é\u{1f600}\""];
        let leaf = prop::sample::select(&LEAVES[..]).prop_map(str::to_owned);
        leaf.prop_recursive(4, 40, 5, move |inner| {
            let key = prop::sample::select(&["a", "b", r"\u0061", "id", "name"][..]);
            let member = (key, inner.clone()).prop_map(|(key, value)| format!(r#" "{key}" : {value}"#));
            prop_oneof![
                prop::collection::vec(inner, 0..5).prop_map(|items| format!("[{}]", items.join(" ,"))),
                prop::collection::vec(member, 0..5).prop_map(|members| format!("{{{}}}", members.join(","))),
            ]
        })
    }

    proptest! {
        #[test]
        fn a_change_gives_what_the_whole_text_does(
            [before, old, new, after] in [json(), json(), json(), json()],
            at in any::<prop::sample::Index>(),
            edit in prop::option::of(prop::sample::select(
                &["1", "\"", "\\", "\\n", ",", ", 1", "{}", "[1]", "x", "\u{feff}", " "][..],
            )),
        ) {
            let text = |value: &str| format!(r#"[{before}, {{"k\n": [{value}, "\t"], "k": {after}}}, {before}]"#);
            let old = text(&old);
            let mut new = text(&new);
            if let Some(edit) = edit {
                new.clone_from(&old);
                let places: Vec<usize> = new.char_indices().map(|(place, _)| place).collect();
                new.insert_str(*at.get(&places), edit);
            }
            if let Some((changed, _)) = parse_change(&old, &new) {
                prop_assert_eq!(whole(&changed), whole(&Document::parse(new.as_str(), Limits::default()).unwrap()));
            }
        }
    }
}
