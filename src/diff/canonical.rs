//! Canonical strings of values: equal if the values mean the same, whatever form bindings and numbers have, and under the
//! new names of renamed variables.

use std::borrow::Cow;
use std::fmt::Write;

use crate::common::collections::HashMap;
use crate::document::{Document, NodeId, NodeKind};
use crate::graph::placeholders;

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

/// The members of an object by key; of duplicates the last one. One that is null is as if it were absent.
pub(super) fn sorted_members(document: &Document, object: NodeId) -> Vec<(&str, NodeId)> {
    let is_object = document.kind(object) == NodeKind::Object;
    let children = document.children(object).filter(|_| is_object);
    let mut members: Vec<(&str, NodeId)> =
        children.filter_map(|member| Some((document.key(member)?, member))).collect();
    members.sort_by(|(one, first), (other, second)| one.cmp(other).then(second.index().cmp(&first.index())));
    members.dedup_by_key(|(key, _)| *key);
    members.retain(|(_, member)| document.kind(*member) != NodeKind::Null);
    members
}

/// A member; `None` if it is null, which is as if it were absent.
pub(super) fn present(document: &Document, object: NodeId, key: &str) -> Option<NodeId> {
    document.member(object, key).filter(|&member| document.kind(member) != NodeKind::Null)
}

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
    let form = present(document, node, "state").or_else(|| present(document, node, "isBound"))?;
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

/// A number of JSON in the one form that equal numbers have: digits without zeros at either end, and an exponent.
/// Nothing is rounded. One with an exponent beyond 64 bits stays as it is written.
pub(super) fn canonical_number(text: &str) -> String {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.trim_start_matches('+').parse::<i64>().ok()),
        None => (text, Some(0)),
    };
    let Some(exponent) = exponent else { return text.to_ascii_lowercase() };
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0');
    let shortened = significant.trim_end_matches('0');
    if shortened.is_empty() {
        return "0".to_owned();
    }
    let length = |text: &str| i64::try_from(text.len()).unwrap_or(i64::MAX);
    let dropped = length(significant) - length(shortened);
    let exponent = exponent.saturating_sub(length(fraction)).saturating_add(dropped);
    let mut number = format!("{sign}{shortened}");
    if exponent != 0 {
        let _ = write!(number, "e{exponent}");
    }
    number
}

/// The new names, by old name.
#[derive(Debug, Default)]
pub(super) struct Renames(HashMap<String, String>);

impl Renames {
    pub fn add(&mut self, old: &str, new: &str) {
        self.0.entry(old.to_owned()).or_insert_with(|| new.to_owned());
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The new name of a variable.
    pub fn name<'t>(&'t self, old: &'t str) -> &'t str {
        self.0.get(old).map_or(old, String::as_str)
    }

    /// A string whose placeholders have the new names.
    pub fn text<'t>(&self, old: &'t str) -> Cow<'t, str> {
        if self.0.is_empty() || !old.contains('{') {
            return Cow::Borrowed(old);
        }
        let mut text = String::with_capacity(old.len());
        let mut end = 0;
        for placeholder in placeholders(old, |name| self.0.contains_key(name)) {
            let Some(new) = self.0.get(placeholder.name) else { continue };
            text.push_str(old.get(end..placeholder.range.start).unwrap_or_default());
            text.push('{');
            text.push_str(new);
            text.push('}');
            end = placeholder.range.end;
        }
        text.push_str(old.get(end..).unwrap_or_default());
        Cow::Owned(text)
    }
}

#[cfg(test)]
mod tests {
    use super::{Renames, canonical_number};

    #[test]
    fn equal_numbers_have_one_form() {
        for same in [
            &["300", "300.0", "3e2", "3E+2", "0.3e3", "30000e-2"][..],
            &["0", "-0", "0.00", "0e9"],
            &["-1.5", "-15e-1"],
        ] {
            for one in same {
                assert_eq!(canonical_number(one), canonical_number(same[0]), "{one}");
            }
        }
        let big = "9007199254740993";
        assert_ne!(canonical_number(big), canonical_number("9007199254740992"), "nothing is rounded");
        assert_eq!(canonical_number("1E99999999999999999999"), "1e99999999999999999999");
    }

    #[test]
    fn placeholders_follow_renamed_variables() {
        let mut renames = Renames::default();
        renames.add("A", "B");
        renames.add("B", "A");
        assert_eq!(renames.text("{A}, {B}, {C} and A: {\"x\": \"{A}\"}"), "{B}, {A}, {C} and A: {\"x\": \"{B}\"}");
        assert_eq!((renames.name("A"), renames.name("C")), ("B", "C"));
    }
}
