//! Validation: a schema is compiled to shapes, one for each subschema, and a document is walked beside them.
//!
//! Only the keywords that our schemas of documents use are known. A test holds the result to that of `jsonschema`, which
//! takes five times as long.

use serde_json::Value;

use crate::common::collections::HashMap;
use crate::document::{Document, KeyTable, NodeId, NodeKind};

/// The shapes of a schema, which refer to each other by index; the first is that of the root.
pub(super) struct Shapes(Vec<Shape>);

#[derive(Default)]
struct Shape {
    /// `type`; empty for any type.
    types: Vec<JsonType>,
    /// `enum`: the allowed strings; empty for any value.
    allowed: Vec<String>,
    /// Whether `enum` has null as well.
    allows_null: bool,
    /// `properties`
    members: KeyTable<usize>,
    /// `additionalProperties`
    additional: Option<usize>,
    items: Option<usize>,
    required: Vec<String>,
    /// `anyOf` with `required` of one key each, which is not null: the keys of which one must be there.
    any_of: Vec<String>,
    /// `allOf` of `if` a key has a constant string `then` a subschema: the key, and the shapes by that string.
    cases: Option<(String, HashMap<String, usize>)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum JsonType {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

impl JsonType {
    const ALL: [(&'static str, Self); 7] = [
        ("null", Self::Null),
        ("boolean", Self::Boolean),
        ("integer", Self::Integer),
        ("number", Self::Number),
        ("string", Self::String),
        ("array", Self::Array),
        ("object", Self::Object),
    ];

    fn fits(self, document: &Document, node: NodeId) -> bool {
        match document.kind(node) {
            NodeKind::Null => self == Self::Null,
            NodeKind::False | NodeKind::True => self == Self::Boolean,
            NodeKind::Number => self == Self::Number || self == Self::Integer && is_integer(document, node),
            NodeKind::String => self == Self::String,
            NodeKind::Array => self == Self::Array,
            NodeKind::Object => self == Self::Object,
        }
    }
}

/// `5.0` is one, and so is a number that is too large for a float: those beyond 2^53 are whole.
fn is_integer(document: &Document, node: NodeId) -> bool {
    let text = document.number(node).unwrap_or_default();
    !text.contains(['.', 'e', 'E'])
        || text.parse().is_ok_and(|number: f64| number.is_infinite() || number.fract() == 0.0)
}

/// What a schema demands of a value that it lacks.
#[derive(Debug, Clone, Copy)]
pub(super) enum Problem<'s> {
    Type(&'s [JsonType]),
    NotAllowed(&'s [String]),
    Missing(&'s str),
    /// One of these keys.
    MissingAll(&'s [String]),
}

impl Shapes {
    pub fn new(schema: &Value) -> Self {
        let mut compiler = Compiler { schema, shapes: Vec::new(), by_reference: HashMap::default() };
        compiler.shape(schema);
        Self(compiler.shapes)
    }

    /// What is wrong in a document, in the order of the text. Recurses with its depth.
    pub fn problems(&self, document: &Document) -> Vec<(NodeId, Problem<'_>)> {
        let mut found = Vec::new();
        self.check(document, document.root(), 0, &mut found);
        found.sort_by_key(|(node, _)| document.span(*node));
        found
    }

    fn check<'s>(&'s self, document: &Document, node: NodeId, shape: usize, found: &mut Vec<(NodeId, Problem<'s>)>) {
        let Some(shape) = self.0.get(shape) else { return };
        if !shape.types.is_empty() && !shape.types.iter().any(|expected| expected.fits(document, node)) {
            found.push((node, Problem::Type(&shape.types)));
        }
        let is_allowed = || match document.string(node) {
            Some(text) => shape.allowed.iter().any(|allowed| allowed == text),
            None => shape.allows_null && document.kind(node) == NodeKind::Null,
        };
        if !shape.allowed.is_empty() && !is_allowed() {
            found.push((node, Problem::NotAllowed(&shape.allowed)));
        }
        match document.kind(node) {
            NodeKind::Object => self.check_object(document, node, shape, found),
            NodeKind::Array => {
                if let Some(items) = shape.items {
                    document.children(node).for_each(|item| self.check(document, item, items, found));
                }
            }
            _ => {}
        }
    }

    fn check_object<'s>(
        &'s self,
        document: &Document,
        object: NodeId,
        shape: &'s Shape,
        found: &mut Vec<(NodeId, Problem<'s>)>,
    ) {
        let is_missing = |name: &&String| document.member(object, name).is_none();
        found.extend(shape.required.iter().filter(is_missing).map(|name| (object, Problem::Missing(name))));
        let is_set =
            |name: &String| document.member(object, name).is_some_and(|it| document.kind(it) != NodeKind::Null);
        if !shape.any_of.is_empty() && !shape.any_of.iter().any(is_set) {
            found.push((object, Problem::MissingAll(&shape.any_of)));
        }
        let repeats = document.repeats_a_member(object);
        for member in document.children(object) {
            // Of duplicate keys only the last one counts.
            if let Some(expected) = shape.members.get(document.key_code(member)).or(shape.additional)
                && !(repeats && document.is_shadowed(member))
            {
                self.check(document, member, expected, found);
            }
        }
        let case = shape.cases.as_ref().and_then(|(key, shapes)| {
            let value = document.member(object, key)?;
            shapes.get(document.string(value)?).and_then(|&case| self.0.get(case))
        });
        if let Some(case) = case {
            self.check_object(document, object, case, found);
        }
    }
}

struct Compiler<'s> {
    schema: &'s Value,
    shapes: Vec<Shape>,
    /// The shapes of `$ref` targets, with the types beside the reference.
    by_reference: HashMap<(&'s str, Vec<JsonType>), usize>,
}

impl<'s> Compiler<'s> {
    fn shape(&mut self, schema: &'s Value) -> usize {
        if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
            return self.reference(reference, types(schema));
        }
        self.typed(schema, types(schema))
    }

    fn typed(&mut self, schema: &'s Value, types: Vec<JsonType>) -> usize {
        // The index is taken before the subschemas get theirs, because schemas are recursive.
        let index = self.shapes.len();
        self.shapes.push(Shape::default());
        let any_of = elements(schema, "anyOf").flat_map(|alternative| strings(alternative, "required"));
        let members = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
        let shape = Shape {
            types,
            allowed: strings(schema, "enum"),
            allows_null: elements(schema, "enum").any(Value::is_null),
            members: members.map(|(name, member)| (name.as_str(), self.shape(member))).collect(),
            additional: schema.get("additionalProperties").map(|member| self.shape(member)),
            items: schema.get("items").map(|item| self.shape(item)),
            required: strings(schema, "required"),
            any_of: any_of.collect(),
            cases: self.cases(schema),
        };
        if let Some(place) = self.shapes.get_mut(index) {
            *place = shape;
        }
        index
    }

    fn reference(&mut self, reference: &'s str, beside: Vec<JsonType>) -> usize {
        if let Some(&known) = self.by_reference.get(&(reference, beside.clone())) {
            return known;
        }
        let target = reference.strip_prefix('#').and_then(|pointer| self.schema.pointer(pointer));
        let target = target.unwrap_or(&Value::Bool(true));
        let types = if beside.is_empty() { types(target) } else { beside.clone() };
        // The target gets the next free index.
        self.by_reference.insert((reference, beside), self.shapes.len());
        self.typed(target, types)
    }

    fn cases(&mut self, schema: &'s Value) -> Option<(String, HashMap<String, usize>)> {
        let mut shapes = HashMap::default();
        let mut key = None;
        for case in elements(schema, "allOf") {
            let (name, value) = case.pointer("/if/properties")?.as_object()?.iter().next()?;
            key = Some(name.clone());
            shapes.insert(value.get("const")?.as_str()?.to_owned(), self.shape(case.get("then")?));
        }
        key.map(|key| (key, shapes))
    }
}

/// `type`
fn types(schema: &Value) -> Vec<JsonType> {
    let names = schema.get("type").map_or(&[][..], |names| match names {
        Value::Array(several) => several,
        one => std::slice::from_ref(one),
    });
    let types = JsonType::ALL.into_iter().filter(|(name, _)| names.iter().any(|known| known == name));
    types.map(|(_, json)| json).collect()
}

fn elements<'s>(schema: &'s Value, keyword: &str) -> impl Iterator<Item = &'s Value> + use<'s> {
    schema.get(keyword).and_then(Value::as_array).into_iter().flatten()
}

fn strings(schema: &Value, keyword: &str) -> Vec<String> {
    elements(schema, keyword).filter_map(Value::as_str).map(str::to_owned).collect()
}
