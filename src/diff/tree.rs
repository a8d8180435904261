//! The activities of a workflow, or the fields of a form, as a tree with the members that count.

use std::fmt::Write;

use super::canonical::{Renames, Source, canonical, present, sorted_members, source};
use super::side::text_member;
use crate::common::collections::HashMap;
use crate::document::{Document, NodeId, NodeKind};
use crate::model::NOT_OF_MEANING;

/// The kind of items of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Activities,
    Fields,
}

/// The lists of parameters of a call that are not copies.
const OWN_PARAMETERS: [&str; 2] = ["providerParameters", "additionalProviderParameters"];
const COPIED_PARAMETERS: &str = "allProviderParameters";
const SCRIPT_PARAMETERS: &str = "parameters";
/// What contains the fields of a section.
pub(super) const INNER_FIELDS: &str = "fieldsViewModel";

#[derive(Debug)]
pub(super) struct Tree<'d> {
    pub document: &'d Document,
    pub shape: Shape,
    /// A parent before its children, in the order of the text.
    pub items: Vec<Item<'d>>,
}

#[derive(Debug)]
pub(super) struct Item<'d> {
    pub node: NodeId,
    pub type_name: Option<&'d str>,
    pub name: Option<&'d str>,
    /// 0 if there is none.
    pub id: i64,
    pub parent: Option<usize>,
    /// The first item after its descendants.
    pub end: usize,
    /// Sorted by key.
    pub members: Box<[Member<'d>]>,
    /// A number that is equal for items with equal contents. Items with different numbers may still mean the same.
    pub whole: u32,
}

#[derive(Debug)]
pub(super) struct Member<'d> {
    pub key: MemberKey<'d>,
    pub node: NodeId,
    /// Equal for equal values.
    pub value: u32,
}

/// The key of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum MemberKey<'d> {
    Member(&'d str),
    /// A parameter by name; with its number among those of the same name.
    Parameter(&'d str, usize),
}

/// Numbers strings, so that equal ones have equal numbers.
#[derive(Debug, Default)]
pub(super) struct Interner(HashMap<String, u32>);

impl Interner {
    pub fn number(&mut self, text: String) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry(text).or_insert(next)
    }
}

/// The items inside an item, or the outermost ones of a document; `None` unless it is an array.
pub(super) fn inner_list(document: &Document, shape: Shape, object: NodeId, is_root: bool) -> Option<NodeId> {
    let list = match shape {
        Shape::Activities => document.member(object, "activities"),
        Shape::Fields if is_root => document.member(object, "fields"),
        Shape::Fields => document.member(document.member(object, INNER_FIELDS)?, "fields"),
    };
    list.filter(|&list| document.kind(list) == NodeKind::Array)
}

impl<'d> Tree<'d> {
    pub fn new(document: &'d Document, shape: Shape, renames: &Renames, interner: &mut Interner) -> Self {
        let mut builder = Builder { tree: Self { document, shape, items: Vec::new() }, renames, interner };
        builder.children(document.root(), None);
        builder.tree
    }

    /// A tree without items.
    pub fn empty(document: &'d Document, shape: Shape) -> Self {
        Self { document, shape, items: Vec::new() }
    }

    pub fn item(&self, index: usize) -> Option<&Item<'d>> {
        self.items.get(index)
    }

    /// The children of an item, or the outermost ones.
    pub fn children(&self, parent: Option<usize>) -> impl Iterator<Item = usize> {
        let (first, end) = match parent {
            Some(parent) => (parent + 1, self.item(parent).map_or(0, |item| item.end)),
            None => (0, self.items.len()),
        };
        std::iter::successors(Some(first), |&index| self.item(index).map(|item| item.end))
            .take_while(move |&index| index < end)
    }
}

struct Builder<'b, 'd> {
    tree: Tree<'d>,
    renames: &'b Renames,
    interner: &'b mut Interner,
}

impl<'d> Builder<'_, 'd> {
    /// Recurses with the depth of the document, which its limit bounds.
    fn children(&mut self, object: NodeId, parent: Option<usize>) {
        let document = self.tree.document;
        let Some(list) = inner_list(document, self.tree.shape, object, parent.is_none()) else { return };
        for node in document.children(list) {
            let index = self.tree.items.len();
            let item = self.item(node, parent);
            self.tree.items.push(item);
            self.children(node, Some(index));
            let end = self.tree.items.len();
            if let Some(item) = self.tree.items.get_mut(index) {
                item.end = end;
            }
            let whole = self.whole(index);
            if let Some(item) = self.tree.items.get_mut(index) {
                item.whole = whole;
            }
        }
    }

    /// The number of the contents of an item whose children are known.
    fn whole(&mut self, index: usize) -> u32 {
        let Some(item) = self.tree.item(index) else { return 0 };
        let children = self.tree.children(Some(index)).filter_map(|child| self.tree.item(child));
        let wholes: Vec<u32> = children.map(|child| child.whole).collect();
        let mut text = format!("{:?} {:?} {wholes:?}", item.type_name, item.name);
        for member in &item.members {
            let _ = write!(text, " {:?}={}", member.key, member.value);
        }
        self.interner.number(text)
    }

    fn item(&mut self, node: NodeId, parent: Option<usize>) -> Item<'d> {
        let document = self.tree.document;
        let text = |key| text_member(document, node, key);
        let id = document.member(node, "id").and_then(|id| document.integer(id)).unwrap_or(0);
        let (type_name, name) = (text("type"), text("name"));
        let mut members = self.members(node);
        members.sort_by(|one, other| one.key.cmp(&other.key));
        Item { node, type_name, name, id, parent, end: 0, members: members.into(), whole: 0 }
    }

    fn members(&mut self, node: NodeId) -> Vec<Member<'d>> {
        let document = self.tree.document;
        if document.kind(node) != NodeKind::Object {
            return vec![self.member(MemberKey::Member(""), node)];
        }
        let (is_activity, mut members) = (self.tree.shape == Shape::Activities, Vec::new());
        let is_call = |key: &str| OWN_PARAMETERS.contains(&key);
        let is_code = text_member(document, node, "type") == Some("Code");
        for (key, value) in sorted_members(document, node) {
            let is_array = document.kind(value) == NodeKind::Array;
            let is_excluded = match key {
                "name" | "type" => document.string(value).is_some(),
                "activities" => is_activity && is_array,
                "isBound" => !is_activity,
                // A binding with a name is identified by the name.
                "boundToId" => {
                    !is_activity && text_member(document, node, "boundTo").is_some_and(|name| !name.is_empty())
                }
                INNER_FIELDS => !is_activity && !has_further_members(document, value),
                _ if is_activity && is_array && (is_call(key) || is_code && key == SCRIPT_PARAMETERS) => true,
                key => is_activity && NOT_OF_MEANING.contains(&key),
            };
            if !is_excluded {
                members.push(self.member(MemberKey::Member(key), value));
            }
        }
        if is_activity {
            self.parameters(node, is_code, &mut members);
        }
        members
    }

    fn member(&mut self, key: MemberKey<'d>, node: NodeId) -> Member<'d> {
        let document = self.tree.document;
        let mut text = canonical(document, node, self.renames);
        if self.tree.shape == Shape::Fields && key == MemberKey::Member("boundTo") {
            // A string that is the name of a variable.
            text = document.string(node).map_or(text, |name| self.renames.name(name).to_owned());
        }
        Member { key, node, value: self.interner.number(text) }
    }

    fn parameters(&mut self, activity: NodeId, is_code: bool, members: &mut Vec<Member<'d>>) {
        let document = self.tree.document;
        let list = |key: &str| document.member(activity, key).into_iter().flat_map(|list| document.elements(list));
        let mut all: Vec<NodeId> = OWN_PARAMETERS.into_iter().flat_map(list).collect();
        if is_code {
            all.extend(list(SCRIPT_PARAMETERS));
        }
        let name = |&node: &NodeId| text_member(document, node, "name");
        // The copy counts only if there is no other parameter list, as in the model.
        let [declared, additional] = OWN_PARAMETERS.map(|key| present(document, activity, key));
        let has_elements = |list| document.kind(list) != NodeKind::Array || document.children(list).len() > 0;
        if declared.is_none() && !additional.is_some_and(has_elements) {
            all.extend(list(COPIED_PARAMETERS));
        }
        let mut numbers: HashMap<&str, usize> = HashMap::default();
        let mut found: Vec<(&str, String, NodeId)> = all
            .into_iter()
            .map(|node| (name(&node).unwrap_or_default(), parameter(document, node, self.renames), node))
            .collect();
        // The order of parameters does not count. Parameters of the same name are ordered by their values.
        found.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
        for (name, text, node) in found {
            let number = numbers.entry(name).or_insert(0);
            members.push(Member { key: MemberKey::Parameter(name, *number), node, value: self.interner.number(text) });
            *number += 1;
        }
    }
}

/// Whether there are members other than the fields of a section.
fn has_further_members(document: &Document, node: NodeId) -> bool {
    document.kind(node) != NodeKind::Object
        || document.children(node).any(|child| document.key(child) != Some("fields"))
}

/// What counts of a parameter.
fn parameter(document: &Document, node: NodeId, renames: &Renames) -> String {
    let mut text = String::new();
    for key in ["value", "required", "providerParameterType"] {
        let value = present(document, node, key);
        let value = value.filter(|&value| source(document, value) != Some(Source::NotSet));
        text += &value.map_or_else(|| "-".to_owned(), |value| canonical(document, value, renames));
        text.push(' ');
    }
    text
}
