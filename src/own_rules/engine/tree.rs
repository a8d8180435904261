//! The documents of a service in the child: what visitors can get of them, and their values by number.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::rc::Rc;

use super::job::SentDocument;
use crate::common::collections::{HashMap, HashSet};
use crate::config::Types;
use crate::document::{Document, Limits, NodeId, NodeKind, escape_step};
use crate::model::{Activity, FIELD_TYPES, Form, Lowering, SigningCase, TYPES, Workflow};
use crate::schema::{DocumentKind, as_signing_case};
use crate::text::suggest::Suggester;

/// Levels of a document: it was parsed before, with a limit of its own.
const MAX_LEVELS: usize = 256;

/// A document that is read when somebody asks for it.
pub(super) struct Unread {
    pub kind: DocumentKind,
    pub file: String,
    /// The pointer of the document in its file.
    root: String,
    text: String,
    types: Rc<Types>,
    tree: OnceCell<Option<Tree>>,
}

impl Unread {
    /// `None` if it is of no kind, or no text, which the parent does not send.
    pub fn new(sent: SentDocument, text: Vec<u8>, types: &Rc<Types>) -> Option<Self> {
        let (kind, types) = (sent.kind()?, Rc::clone(types));
        let text = String::from_utf8(text).ok()?;
        Some(Self { kind, file: sent.file, root: sent.root, text, types, tree: OnceCell::new() })
    }

    /// `None` if it cannot be read, which the parent does not send.
    pub fn tree(&self) -> Option<&Tree> {
        let read = || Tree::read(self.kind, &self.text, &self.root, &self.types);
        self.tree.get_or_init(read).as_ref()
    }

    /// Whether visitors of this name, without `:exit`, may get objects of it.
    fn is_visited_by(&self, name: &str) -> bool {
        match self.kind {
            DocumentKind::Workflow => {
                let is_type = || TYPES.contains(&name) || self.types.activities.contains_key(name);
                ["Workflow", "Variable", "Activity", "Parameter", "Binding"].contains(&name)
                    || is_type() && self.may_have(name)
            }
            DocumentKind::Form => {
                let is_type = || FIELD_TYPES.contains(&name) || self.types.fields.contains(name);
                ["Form", "Variable", "Field"].contains(&name) || is_type() && self.may_have(name)
            }
            DocumentKind::SigningCase => ["SigningCase", "Party"].contains(&name),
        }
    }

    /// Whether a string may be in the document: found far sooner than by reading it.
    fn may_have(&self, string: &str) -> bool {
        self.text.contains(&format!("\"{string}\"")) || self.text.contains("\\u")
    }
}

/// An object that visitors can get.
struct Element {
    node: NodeId,
    /// The visitor of all of its kind.
    name: &'static str,
    /// The visitor of its type.
    type_name: Option<String>,
}

/// A document of the service.
pub(super) struct Tree {
    kind: DocumentKind,
    document: Document,
    /// In the order of the text, an object before those in it.
    elements: Vec<Element>,
    /// Those of `elements`.
    visited: OnceCell<HashSet<NodeId>>,
}

/// A visit: the index of the name of its visitor, the document, the number of the node. Both are -1 for the service.
pub(super) type Visit = [i64; 3];

impl Tree {
    fn read(kind: DocumentKind, text: &str, root: &str, types: &Types) -> Option<Self> {
        let document = Document::parse(text, Limits { depth: MAX_LEVELS, ..Limits::default() }).ok()?;
        let root = document.resolve(root)?;
        let document = document.with_root(root);
        let document = if kind == DocumentKind::SigningCase { as_signing_case(document) } else { document };
        let elements = elements(kind, &document, types);
        Some(Self { kind, document, elements, visited: OnceCell::new() })
    }

    pub fn root(&self) -> usize {
        self.document.root().index()
    }

    /// The value of a number; the root for one that the document does not have.
    fn node(&self, number: usize) -> NodeId {
        self.document.id_at(number).unwrap_or_else(|| self.document.root())
    }

    pub fn is_object(&self, number: usize) -> bool {
        self.document.kind(self.node(number)) == NodeKind::Object
    }

    pub fn pointer(&self, number: usize) -> String {
        self.document.pointer(self.node(number))
    }

    pub fn resolve(&self, pointer: &str) -> Option<usize> {
        self.document.resolve(pointer).map(NodeId::index)
    }

    pub fn child(&self, number: usize, key: &str) -> Option<usize> {
        self.document.resolve_step(self.node(number), &escape_step(key)).map(NodeId::index)
    }

    /// The array `activities` of an activity or a workflow.
    pub fn activities(&self, number: usize) -> Option<usize> {
        self.activities_of(self.node(number)).map(NodeId::index)
    }

    fn activities_of(&self, piece: NodeId) -> Option<NodeId> {
        let list = self.document.member(piece, "activities").filter(|_| self.kind == DocumentKind::Workflow)?;
        (self.document.kind(list) == NodeKind::Array).then_some(list)
    }

    /// The number of items of an array.
    pub fn length(&self, pointer: &str) -> Option<usize> {
        let list = self.document.resolve(pointer).filter(|&node| self.document.kind(node) == NodeKind::Array)?;
        Some(self.document.elements(list).count())
    }

    pub fn items(&self, list: usize) -> Vec<usize> {
        self.document.elements(self.node(list)).map(NodeId::index).collect()
    }

    /// The JSON of a value; that of a piece without the activities in it.
    pub fn json(&self, number: usize) -> String {
        let node = self.node(number);
        let span = self.document.span(node);
        let text = self.document.slice(span);
        let left_out = self.activities_of(node).filter(|_| self.is_piece(node)).map(|list| self.document.span(list));
        let parts = left_out.and_then(|list| {
            let before = text.get(..(list.start - span.start) as usize)?;
            Some(format!("{before}0{}", text.get((list.end - span.start) as usize..)?))
        });
        parts.unwrap_or_else(|| text.to_owned())
    }

    /// Whether an object is made as a whole: the root, and the activities of a piece.
    fn is_piece(&self, node: NodeId) -> bool {
        let mut node = node;
        // Upwards, as long as it is an activity of an object.
        while node != self.document.root() {
            let list = self.document.parent(node);
            let Some(owner) = list.and_then(|list| self.document.parent(list)) else { return false };
            let is_activity = self.document.kind(node) == NodeKind::Object && self.activities_of(owner) == list;
            if !is_activity {
                return false;
            }
            node = owner;
        }
        true
    }

    /// The piece around a value, and the keys from there to it.
    pub fn path(&self, number: usize) -> (usize, Vec<String>) {
        let mut keys = Vec::new();
        let mut node = self.node(number);
        while !self.is_piece(node) {
            let Some(parent) = self.document.parent(node) else { break };
            let index =
                || self.document.children(parent).position(|child| child == node).unwrap_or_default().to_string();
            keys.push(self.document.key(node).map_or_else(index, str::to_owned));
            node = parent;
        }
        keys.reverse();
        (node.index(), keys)
    }

    /// The objects around a value that visitors can get, the nearest first.
    pub fn around(&self, number: usize) -> Vec<usize> {
        let outwards =
            std::iter::successors(self.document.parent(self.node(number)), |&node| self.document.parent(node));
        let visited = self.visited.get_or_init(|| self.elements.iter().map(|element| element.node).collect());
        outwards.filter(|node| visited.contains(node)).map(NodeId::index).collect()
    }
}

/// What visitors can get of a document.
fn elements(kind: DocumentKind, document: &Document, types: &Types) -> Vec<Element> {
    let suggester = Suggester::default();
    let lowering = Lowering { document, types, suggester: &suggester };
    let mut found = Vec::new();
    let mut add = |node, name, type_name: Option<&str>| {
        found.push(Element { node, name, type_name: type_name.map(str::to_owned) });
    };
    match kind {
        DocumentKind::Workflow => {
            add(document.root(), "Workflow", None);
            let workflow = Workflow::lower(lowering);
            for activity in &workflow.activities {
                add_activity(activity, types, &mut add);
            }
            let variables = workflow.variables.get().into_iter().flatten();
            variables.for_each(|variable| add(variable.node, "Variable", None));
        }
        DocumentKind::Form => {
            add(document.root(), "Form", None);
            let form = Form::lower(lowering);
            for field in &form.fields {
                let is_known = |name: &&str| FIELD_TYPES.contains(name) || types.fields.contains(name);
                add(field.node, "Field", field.type_name.value().filter(is_known));
            }
            let variables = form.variables.get().into_iter().flatten();
            variables.for_each(|variable| add(variable.node, "Variable", None));
        }
        DocumentKind::SigningCase => {
            add(document.root(), "SigningCase", None);
            let case = SigningCase::lower(lowering);
            case.parties.get().into_iter().flatten().for_each(|party| add(party.node, "Party", None));
        }
    }
    found.retain(|element| document.kind(element.node) == NodeKind::Object);
    let place = |element: &Element| (document.span(element.node).start, Reverse(document.span(element.node).end));
    found.sort_by_key(place);
    found
}

fn add_activity<'d>(
    activity: &Activity<'d>,
    types: &Types,
    add: &mut impl FnMut(NodeId, &'static str, Option<&'d str>),
) {
    let is_known = |name: &&str| TYPES.contains(name) || types.activities.contains_key(*name);
    add(activity.node, "Activity", activity.type_name.value().filter(is_known));
    let provider = activity.provider().into_iter().flat_map(|provider| provider.parameters());
    provider.for_each(|parameter| add(parameter.node, "Parameter", None));
    let code = activity.code().and_then(|code| code.parameters.get()).into_iter().flatten();
    code.for_each(|parameter| add(parameter.node, "Parameter", None));
    activity.bindings(|binding, _| add(binding.node, "Binding", None));
}

/// What follows the name of a visitor that is called after what is inside.
const EXIT: &str = ":exit";

/// The visits of the documents for visitors of these names, in order.
pub(super) fn visits(documents: &[Unread], names: &[String]) -> Vec<Visit> {
    let mut visits = Visits { enter: HashMap::default(), leave: HashMap::default(), made: Vec::new() };
    for (index, name) in (0..).zip(names) {
        match name.strip_suffix(EXIT) {
            Some(name) => visits.leave.insert(name, index),
            None => visits.enter.insert(name, index),
        };
    }
    visits.made.extend(visits.enter.get("Service").map(|&name| [name, -1, -1]));
    for (number, document) in (0..).zip(documents) {
        let is_visited = names.iter().any(|name| document.is_visited_by(name.strip_suffix(EXIT).unwrap_or(name)));
        if is_visited && let Some(tree) = document.tree() {
            visits.visit(number, tree);
        }
    }
    visits.made.extend(visits.leave.get("Service").map(|&name| [name, -1, -1]));
    visits.made
}

struct Visits<'n> {
    /// The indices of the names, of those without and of those with `:exit`.
    enter: HashMap<&'n str, i64>,
    leave: HashMap<&'n str, i64>,
    made: Vec<Visit>,
}

impl Visits<'_> {
    fn visit(&mut self, document: i64, tree: &Tree) {
        // Those whose end is not reached.
        let mut open: Vec<&Element> = Vec::new();
        let end = |element: &Element| tree.document.span(element.node).end;
        for element in &tree.elements {
            let start = tree.document.span(element.node).start;
            while let Some(left) = open.pop_if(|around| end(around) <= start) {
                self.leave(document, left);
            }
            let names = std::iter::once(element.name).chain(element.type_name.as_deref());
            for name in names {
                self.made.extend(self.enter.get(name).map(|&name| [name, document, number(element)]));
            }
            open.push(element);
        }
        open.iter().rev().for_each(|left| self.leave(document, left));
    }

    fn leave(&mut self, document: i64, element: &Element) {
        let names = element.type_name.as_deref().into_iter().chain([element.name]);
        for name in names {
            self.made.extend(self.leave.get(name).map(|&name| [name, document, number(element)]));
        }
    }
}

fn number(element: &Element) -> i64 {
    i64::try_from(element.node.index()).unwrap_or(-1)
}
