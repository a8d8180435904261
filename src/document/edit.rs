//! Edits of JSON in terms of its values: the separators are right, new values are laid out as their neighbors, and all
//! other bytes stay.

use std::collections::{BTreeMap, BTreeSet};

use super::arena::Document;
use super::new_value::{NewValue, Spacing};
use super::node::{NodeId, NodeKind};
use crate::text::diagnostic::{Edit, FileId};
use crate::text::source::Span;

/// Edits of one document. An inserted value takes the place of a removed one between the same neighbors.
pub struct Editor<'d> {
    document: &'d Document,
    file: FileId,
    edits: Vec<Edit>,
    containers: BTreeMap<NodeId, Changes>,
}

/// The changes of the children of an array or object, by their index.
#[derive(Default)]
struct Changes {
    removed: BTreeSet<usize>,
    inserted: Vec<Inserted>,
}

struct Inserted {
    /// The child that it follows, or `None` for the beginning.
    after: Option<usize>,
    /// Of a member.
    key: Option<String>,
    value: NewValue,
}

impl<'d> Editor<'d> {
    pub const fn new(document: &'d Document, file: FileId) -> Self {
        Self { document, file, edits: Vec::new(), containers: BTreeMap::new() }
    }

    /// Replaces a value; of a member its key stays.
    pub fn replace(&mut self, node: NodeId, value: impl Into<NewValue>) {
        let text = self.document.written(&value.into(), Some(node), node, self.document.line_indent(node));
        self.edit(self.document.span(node), text);
    }

    /// Removes an item of an array, or a member with its key.
    pub fn remove(&mut self, node: NodeId) {
        if let Some((container, index)) = self.document.place_in_parent(node) {
            self.containers.entry(container).or_default().removed.insert(index);
        }
    }

    /// Inserts an item after another one, or as the first one.
    pub fn insert_item(&mut self, array: NodeId, after: Option<NodeId>, value: impl Into<NewValue>) {
        self.insert(array, after, None, value.into());
    }

    /// Inserts a member after another one, or as the first one.
    pub fn insert_member(&mut self, object: NodeId, after: Option<NodeId>, key: &str, value: impl Into<NewValue>) {
        self.insert(object, after, Some(key.to_owned()), value.into());
    }

    fn insert(&mut self, container: NodeId, after: Option<NodeId>, key: Option<String>, value: NewValue) {
        let after = after.and_then(|after| self.document.place_in_parent(after)).map(|(_, index)| index);
        self.containers.entry(container).or_default().inserted.push(Inserted { after, key, value });
    }

    /// The edits, sorted and without overlaps.
    pub fn finish(mut self) -> Vec<Edit> {
        for (container, changes) in std::mem::take(&mut self.containers) {
            self.change(container, changes);
        }
        self.edits.sort_by_key(|edit| edit.span);
        self.edits
    }

    fn edit(&mut self, span: Span, new_text: String) {
        self.edits.push(Edit { file: self.file, span, new_text });
    }

    fn change(&mut self, container: NodeId, changes: Changes) {
        let document = self.document;
        let spans: Vec<Span> = document.children(container).map(|child| document.whole_span(child)).collect();
        let spacing = document.spacing(container, changes.inserted.first().map(|inserted| &inserted.value));
        let indent = spacing.child_indent(document.line_indent(container));
        let mut inserted: BTreeMap<Option<usize>, Vec<String>> = BTreeMap::new();
        for Inserted { after, key, value } in changes.inserted {
            let text = document.item_text(container, &value, &indent);
            let text = key.map_or_else(|| text.clone(), |key| document.member_text(container, &key, &text));
            inserted.entry(after.filter(|&after| after < spans.len())).or_default().push(text);
        }
        let kept: Vec<usize> = (0..spans.len()).filter(|index| !changes.removed.contains(index)).collect();
        if kept.is_empty() && (spans.is_empty() || inserted.is_empty()) {
            let texts: Vec<String> = inserted.into_values().flatten().collect();
            let text = spacing.filled(document.kind(container), &texts);
            return self.edit(document.span(container), text);
        }
        let mut before = None;
        for after in kept.into_iter().map(Some).chain([None]) {
            let gap = before.map_or(0, |before| before + 1)..after.unwrap_or(spans.len());
            let places =
                before.into_iter().map(Some).chain(before.is_none().then_some(None)).chain(gap.clone().map(Some));
            let texts = places.filter_map(|place| inserted.remove(&place)).flatten();
            self.fill(&spans, (before, gap, after), &spacing, texts);
            before = after;
        }
    }

    /// The edits between two children that stay: of removed children and inserted ones.
    fn fill(
        &mut self,
        spans: &[Span],
        (before, mut gap, after): (Option<usize>, std::ops::Range<usize>, Option<usize>),
        spacing: &Spacing,
        texts: impl Iterator<Item = String>,
    ) {
        let span = |index: usize| spans.get(index).copied().unwrap_or_default();
        let mut last = before;
        for text in texts {
            if let Some(place) = gap.next() {
                self.edit(span(place), text);
                last = Some(place);
            } else if let Some(last) = last {
                let end = span(last).end;
                self.edit(Span::new(end, end), format!("{}{text}", spacing.between));
            } else if let Some(after) = after {
                let start = span(after).start;
                self.edit(Span::new(start, start), format!("{text}{}", spacing.between));
            }
        }
        for index in gap {
            let is_followed = after.is_some();
            let neighbor = if is_followed { Some(index + 1) } else { index.checked_sub(1) };
            self.edit(removal(span(index), neighbor.map(span), is_followed), String::new());
        }
    }
}

/// The edit that removes one of several children that are removed, each by itself; `last_kept` is the last child that
/// stays. These edits never overlap. If no child stays, the edit of the first one empties the container, and the others
/// have none.
pub fn separate_removal(
    document: &Document,
    file: FileId,
    container: NodeId,
    last_kept: Option<usize>,
    index: usize,
) -> Option<Edit> {
    let edit = |span, text: &str| Edit { file, span, new_text: text.to_owned() };
    let Some(last_kept) = last_kept else {
        let empty = if document.kind(container) == NodeKind::Object { "{}" } else { "[]" };
        return (index == 0).then(|| edit(document.span(container), empty));
    };
    let span = |index: usize| document.nth_child(container, index).map(|child| document.whole_span(child));
    let is_followed = index < last_kept;
    let neighbor = if is_followed { Some(index + 1) } else { index.checked_sub(1) };
    Some(edit(removal(span(index)?, neighbor.and_then(span), is_followed), ""))
}

/// The edit that removes an item of an array, or a member with its key; none for the root. Its time does not depend on
/// the number of the children beside it.
pub fn removal_of(document: &Document, file: FileId, node: NodeId) -> Option<Edit> {
    let (container, index) = document.place_in_parent(node)?;
    let last = document.children(container).len().checked_sub(1)?;
    let last_kept = if index < last { Some(last) } else { last.checked_sub(1) };
    separate_removal(document, file, container, last_kept, index)
}

/// The bytes of a child and of a comma: the one after it, if a child that stays follows.
fn removal(child: Span, neighbor: Option<Span>, is_followed: bool) -> Span {
    match neighbor {
        Some(next) if is_followed => Span::new(child.start, next.start),
        Some(before) => Span::new(before.end, child.end),
        None => child,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Limits;

    /// The text after some changes of the outermost container, whose children are given.
    fn edited(json: &str, change: impl Fn(&mut Editor<'_>, NodeId, &[NodeId])) -> String {
        let document = Document::parse(json, Limits::default()).unwrap();
        let mut editor = Editor::new(&document, FileId(0));
        let children: Vec<NodeId> = document.children(document.root()).collect();
        change(&mut editor, document.root(), &children);
        let mut text = json.to_owned();
        for edit in editor.finish().iter().rev() {
            text.replace_range(edit.span.range(), &edit.new_text);
        }
        text
    }

    fn without(json: &str, removed: &[usize]) -> String {
        edited(json, |editor, _, children| removed.iter().for_each(|&index| editor.remove(children[index])))
    }

    #[test]
    fn children_that_stay_keep_their_layout() {
        let json = "[ 0,\n  1 ,\n\t2]";
        assert_eq!(without(json, &[]), json);
        assert_eq!(without(json, &[0]), "[ 1 ,\n\t2]");
        assert_eq!(without(json, &[1]), "[ 0,\n  2]");
        assert_eq!(without(json, &[1, 2]), "[ 0]");
        assert_eq!(without(json, &[0, 1]), "[ 2]");
        assert_eq!(without(json, &[0, 1, 2]), "[]");
        assert_eq!(without("{ \"a\": 1, \"b\": [2], \"c\": 3 }", &[0, 2]), "{ \"b\": [2] }");
    }

    #[test]
    fn one_child_is_removed_alike_without_its_neighbors() {
        for json in ["[ 0,\n  1 ,\n\t2]", "[\n  0\n]", "{\r\n\t\"a\" : 1,\"a\": [2]\r\n}", "[{}, {} ]"] {
            let document = Document::parse(json, Limits::default()).unwrap();
            for (index, child) in document.children(document.root()).enumerate() {
                let edit = removal_of(&document, FileId(0), child).unwrap();
                let mut text = json.to_owned();
                text.replace_range(edit.span.range(), &edit.new_text);
                assert_eq!(text, without(json, &[index]));
            }
            assert_eq!(removal_of(&document, FileId(0), document.root()), None);
        }
    }

    #[test]
    fn new_children_have_the_layout_of_their_neighbors() {
        let around = |json: &str| {
            edited(json, |editor, list, children| {
                editor.insert_item(list, None, 9);
                editor.insert_item(list, children.last().copied(), 8);
            })
        };
        assert_eq!(around("[\n 0,\n 1\n]"), "[\n 9,\n 0,\n 1,\n 8\n]");
        assert_eq!(around("[0]"), "[9, 0, 8]");
        assert_eq!(around("[ ]"), "[9, 8]");
    }

    #[test]
    fn new_children_take_the_place_of_removed_ones() {
        let text = edited("[0,  1, 2,\n3]", |editor, list, children| {
            editor.remove(children[1]);
            editor.remove(children[2]);
            editor.insert_item(list, Some(children[0]), 9);
        });
        assert_eq!(text, "[0,  9, 3]");
    }

    #[test]
    fn new_objects_are_laid_out_as_the_one_before_them() {
        let new = || NewValue::object([("a", "x".into()), ("b", NewValue::object([("c", true.into())]))]);
        let added = |json: &str| {
            edited(json, |editor, list, children| editor.insert_item(list, children.last().copied(), new()))
        };
        assert_eq!(
            added("[\n  {\n    \"a\": \"\",\n    \"b\": { \"c\": 1 }\n  }\n]"),
            "[\n  {\n    \"a\": \"\",\n    \"b\": { \"c\": 1 }\n  },\n  {\n    \"a\": \"x\",\n    \"b\": { \"c\": true }\n  }\n]"
        );
        assert_eq!(added("[{\"a\":1}]"), "[{\"a\":1}, {\"a\":\"x\",\"b\":{\"c\":true}}]");
    }

    #[test]
    fn new_values_are_laid_out_as_the_one_that_they_name() {
        let json = "[\n  {\n    \"a\": [\n      { \"b\": 1 }\n    ]\n  }\n]";
        let text = edited(json, |editor, list, children| {
            let item = NewValue::object([("b", 2.into()), ("c", 3.into())]);
            let array = editor.document.member(children[0], "a").unwrap();
            let array = NewValue::Like(array, Box::new(NewValue::Array(vec![item])));
            editor.insert_item(list, Some(children[0]), NewValue::object([("a", array)]));
        });
        assert_eq!(
            text.strip_prefix(json.strip_suffix("\n]").unwrap()).unwrap(),
            ",\n  {\n    \"a\": [\n      { \"b\": 2, \"c\": 3 }\n    ]\n  }\n]"
        );
    }

    #[test]
    fn new_objects_with_the_keys_of_another_have_its_lines() {
        let json = "[\n  {\n    \"a\": 1,\n    \"b\": 2, \"c\": 3\n  }\n]";
        let text = edited(json, |editor, list, children| {
            let same = NewValue::object([("a", 4.into()), ("b", 5.into()), ("c", 6.into())]);
            editor.insert_item(list, Some(children[0]), same);
        });
        assert_eq!(
            text.strip_prefix(json.strip_suffix("\n]").unwrap()).unwrap(),
            ",\n  {\n    \"a\": 4,\n    \"b\": 5, \"c\": 6\n  }\n]"
        );
    }

    #[test]
    fn new_members_follow_another_one() {
        let added = |json: &str| {
            edited(json, |editor, object, children| editor.insert_member(object, children.first().copied(), "n", 9))
        };
        assert_eq!(added("{\n  \"a\": 1,\n  \"b\": 2\n}"), "{\n  \"a\": 1,\n  \"n\": 9,\n  \"b\": 2\n}");
        assert_eq!(added("{\"a\":1}"), "{\"a\":1,\"n\":9}");
        assert_eq!(added("{ \"a\": 1 }"), "{ \"a\": 1, \"n\": 9 }");
    }
}
