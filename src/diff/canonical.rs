//! Canonical strings of values: equal if the values mean the same.

use std::fmt::Write;

use super::binding::{Source, source};
use super::number::canonical_number;
use super::renames::Renames;
use crate::document::{Document, NodeId, NodeKind};

/// The array whose elements have ids that only the editor uses.
const ITEMS: &str = "dropdownItems";

/// The canonical string of a value. It leaves out what does not count: escapes, the order of members, the form of
/// numbers, everything but the source of a binding, and ids of drop-down items. Renamed variables have their new names.
pub(super) fn canonical(document: &Document, node: NodeId, renames: &Renames) -> String {
    let mut writer = Writer { document, renames, text: String::new() };
    writer.value(node, false);
    writer.text
}

struct Writer<'w> {
    document: &'w Document,
    renames: &'w Renames,
    text: String,
}

impl Writer<'_> {
    /// Recurses with the depth of the document, which its limit bounds.
    fn value(&mut self, node: NodeId, is_item: bool) {
        let document = self.document;
        match document.kind(node) {
            NodeKind::Null => self.text.push_str("null"),
            NodeKind::True => self.text.push_str("true"),
            NodeKind::False => self.text.push_str("false"),
            NodeKind::Number => self.text += &canonical_number(document.number(node).unwrap_or_default()),
            NodeKind::String => self.string(&self.renames.text(document.string(node).unwrap_or_default())),
            NodeKind::Array => {
                let are_items = document.key(node) == Some(ITEMS);
                self.text.push('[');
                for element in document.children(node) {
                    self.value(element, are_items);
                    self.text.push(',');
                }
                self.text.push(']');
            }
            NodeKind::Object => match source(document, node) {
                Some(Source::Variable(name)) => {
                    self.text.push('$');
                    self.string(self.renames.name(name));
                }
                Some(Source::Static(value)) => {
                    self.text.push('=');
                    self.value(value, false);
                }
                Some(Source::NotSet) => self.text.push('-'),
                None => self.object(node, is_item),
            },
        }
    }

    fn object(&mut self, node: NodeId, is_item: bool) {
        self.text.push('{');
        for (key, value) in sorted_members(self.document, node) {
            if is_item && key == "id" {
                continue;
            }
            self.string(key);
            self.text.push(':');
            self.value(value, false);
            self.text.push(',');
        }
        self.text.push('}');
    }

    fn string(&mut self, text: &str) {
        // The length prefix separates a string from what follows.
        let _ = write!(self.text, "{}\"{text}\"", text.len());
    }
}

/// The members of an object by key; of duplicates the last one.
pub(super) fn sorted_members(document: &Document, object: NodeId) -> Vec<(&str, NodeId)> {
    let is_object = document.kind(object) == NodeKind::Object;
    let children = document.children(object).filter(|_| is_object);
    let mut members: Vec<(&str, NodeId)> =
        children.filter_map(|member| Some((document.key(member)?, member))).collect();
    members.sort_by(|(one, first), (other, second)| one.cmp(other).then(second.index().cmp(&first.index())));
    members.dedup_by_key(|(key, _)| *key);
    members
}
