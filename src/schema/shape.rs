//! A fast test for valid documents, which nearly all are: it takes a fifth of the time of `jsonschema`
//! (measured by `benches/lint.rs`). A document that fails it is validated by `jsonschema`, which finds the
//! violations. The test may reject valid documents, but never accepts invalid ones; a unit test compares
//! the two.
//!
//! A schema is compiled to shapes: tables of the expected types and keys, one for each subschema. Only the
//! keywords that our schemas use are supported; a schema with another one has no shapes and is always
//! left to `jsonschema`.

use serde_json::{Map, Value};

use super::names::Table;
use crate::collections::HashMap;
use crate::document::{Document, KeyCode, NodeId, NodeKind};

/// The shapes of a schema, which refer to each other by index; the first is that of the root.
pub(super) struct Shapes(Vec<Shape>);

#[derive(Default, Clone)]
struct Shape {
    /// `type`: a set of bits; 0 for any type.
    types: u8,
    /// `enum`: the allowed strings; empty for any value.
    allowed: Vec<String>,
    /// `properties`; other keys that are required, with any value.
    members: Vec<Member>,
    /// Index of `members`.
    table: Table,
    /// `additionalProperties`
    additional: Option<usize>,
    items: Option<usize>,
    /// A bit for each of `members`.
    required: u64,
    /// `anyOf` with `required` of one key each: at least one of these members must be present.
    any_of: u64,
    /// `allOf` with `if` and `then`.
    cases: Option<Cases>,
}

/// A key and the shape of its values.
#[derive(Clone)]
struct Member {
    key: KeyCode,
    shape: usize,
    /// The types whose values all fit, except arrays and objects: most values are tested by this alone.
    fitting: u8,
}

impl Member {
    const fn new(key: KeyCode, shape: usize) -> Self {
        Self { key, shape, fitting: 0 }
    }
}

/// Shapes that depend on the string under one key, such as `type`.
#[derive(Clone)]
struct Cases {
    key: KeyCode,
    /// By that string: the shape that applies instead of this one. It includes the constraints of this one.
    shapes: HashMap<String, usize>,
}

const NULL: u8 = 1;
const BOOLEAN: u8 = 2;
const INTEGER: u8 = 4;
const NUMBER: u8 = 8;
const STRING: u8 = 16;
const ARRAY: u8 = 32;
const OBJECT: u8 = 64;

/// The JSON types of schemas, a bit each.
const TYPES: [(&str, u8); 7] = [
    ("null", NULL),
    ("boolean", BOOLEAN),
    ("integer", INTEGER),
    ("number", NUMBER),
    ("string", STRING),
    ("array", ARRAY),
    ("object", OBJECT),
];

impl Shapes {
    /// Compiles a schema; `None` if it uses an unsupported keyword.
    pub fn new(schema: &Value) -> Option<Self> {
        let mut compiler = Compiler { schema, shapes: Vec::new(), by_reference: HashMap::default() };
        compiler.shape(schema)?;
        let fitting: Vec<u8> = compiler.shapes.iter().map(Shape::fitting).collect();
        for shape in &mut compiler.shapes {
            shape.table = Table::new(shape.members.iter().map(|member| member.key));
            for member in &mut shape.members {
                member.fitting = fitting.get(member.shape).copied().unwrap_or(0);
            }
        }
        Some(Self(compiler.shapes))
    }

    /// Whether a document is certainly valid. Recurses with its depth.
    pub fn fit(&self, document: &Document) -> bool {
        self.fits(document, document.root(), 0)
    }

    /// Inlined where members and elements are tested: most of them have no members of their own.
    #[inline]
    fn fits(&self, document: &Document, node: NodeId, shape: usize) -> bool {
        let Some(shape) = self.0.get(shape) else { return false };
        let kind = document.kind(node);
        if shape.types != 0 && !has_type(document, node, kind, shape.types) {
            return false;
        }
        if !shape.allowed.is_empty() {
            return shape.allows(document, node);
        }
        match kind {
            NodeKind::Object => self.fits_object(document, node, shape),
            NodeKind::Array => self.fits_array(document, node, shape),
            _ => true,
        }
    }

    fn fits_array(&self, document: &Document, node: NodeId, shape: &Shape) -> bool {
        shape.items.is_none_or(|items| document.children(node).all(|item| self.fits(document, item, items)))
    }

    fn fits_object(&self, document: &Document, node: NodeId, shape: &Shape) -> bool {
        // Of duplicate keys only the last counts; `jsonschema` handles that.
        if document.repeats_a_member(node) {
            return false;
        }
        let shape = self.of_case(document, node, shape);
        let mut present = 0;
        for member in document.children(node) {
            let number = shape.table.find(document.key_code(member));
            present |= number.map_or(0, |number| 1 << number);
            let known = number.and_then(|number| shape.members.get(number));
            if known.is_some_and(|known| known.fitting & bit(document.kind(member)) != 0) {
                continue;
            }
            let expected = known.map(|known| known.shape).or(shape.additional);
            if expected.is_some_and(|expected| !self.fits(document, member, expected)) {
                return false;
            }
        }
        present & shape.required == shape.required && (shape.any_of == 0 || present & shape.any_of != 0)
    }

    /// The shape of an object's case, which replaces the general one: `Compiler::cases` has merged the two.
    fn of_case<'s>(&'s self, document: &Document, object: NodeId, shape: &'s Shape) -> &'s Shape {
        let case = shape.cases.as_ref().and_then(|cases| {
            let value = document.known_member(object, cases.key)?;
            cases.shapes.get(document.string(value)?)
        });
        case.and_then(|&case| self.0.get(case)).unwrap_or(shape)
    }
}

impl Shape {
    /// Whether a value is one of those that are allowed.
    fn allows(&self, document: &Document, node: NodeId) -> bool {
        document.string(node).is_some_and(|text| self.allowed.iter().any(|allowed| allowed == text))
    }

    /// See [`Member::fitting`].
    fn fitting(&self) -> u8 {
        let types = if self.types == 0 { NULL | BOOLEAN | NUMBER | STRING } else { self.types & !(ARRAY | OBJECT) };
        if self.allowed.is_empty() { types } else { 0 }
    }
}

#[inline]
fn has_type(document: &Document, node: NodeId, kind: NodeKind, types: u8) -> bool {
    types & bit(kind) != 0 || kind == NodeKind::Number && types & INTEGER != 0 && is_integer(document, node)
}

/// The bit of a type. A number may have a fraction, so its bit is not that of integers.
#[inline]
const fn bit(kind: NodeKind) -> u8 {
    match kind {
        NodeKind::Null => NULL,
        NodeKind::True | NodeKind::False => BOOLEAN,
        NodeKind::Number => NUMBER,
        NodeKind::String => STRING,
        NodeKind::Array => ARRAY,
        NodeKind::Object => OBJECT,
    }
}

/// Whether a number is certainly an integer: `5.0` and `-5` are integers too, but rare; they are left to `jsonschema`.
fn is_integer(document: &Document, node: NodeId) -> bool {
    document.number(node).is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Compiles a schema. Its functions return `None` for what is not supported.
struct Compiler<'s> {
    schema: &'s Value,
    shapes: Vec<Shape>,
    /// The shapes of `$ref` targets.
    by_reference: HashMap<&'s str, usize>,
}

impl<'s> Compiler<'s> {
    fn shape(&mut self, schema: &'s Value) -> Option<usize> {
        let Value::Object(keywords) = schema else {
            return (schema == &Value::Bool(true)).then(|| self.add(Shape::default()));
        };
        if let Some(reference) = keywords.get("$ref") {
            return self.reference(reference.as_str()?);
        }
        // The index is taken before the subschemas get theirs: `reference` relies on it.
        let index = self.add(Shape::default());
        let shape = self.keywords(keywords)?;
        *self.shapes.get_mut(index)? = shape;
        self.cases(keywords, index)?;
        Some(index)
    }

    fn add(&mut self, shape: Shape) -> usize {
        self.shapes.push(shape);
        self.shapes.len() - 1
    }

    fn reference(&mut self, reference: &'s str) -> Option<usize> {
        if let Some(&known) = self.by_reference.get(reference) {
            return Some(known);
        }
        let target = self.schema.pointer(reference.strip_prefix('#')?)?;
        // Recorded before the target is compiled, because schemas are recursive: an activity contains
        // activities. The target gets the next free index.
        self.by_reference.insert(reference, self.shapes.len());
        self.shape(target)
    }

    fn keywords(&mut self, keywords: &'s Map<String, Value>) -> Option<Shape> {
        let mut shape = Shape::default();
        for (keyword, value) in keywords {
            match keyword.as_str() {
                "$schema" | "$id" | "$defs" | "title" | "description" | "examples" | "default" | "allOf" => {}
                "type" => shape.types = types(value)?,
                "enum" => {
                    shape.allowed =
                        value.as_array()?.iter().map(|text| Some(text.as_str()?.to_owned())).collect::<Option<_>>()?;
                }
                "items" => shape.items = Some(self.shape(value)?),
                "additionalProperties" => shape.additional = Some(self.shape(value)?),
                "properties" => {
                    for (name, member) in value.as_object()? {
                        let member = self.shape(member)?;
                        shape.members.push(Member::new(key(name)?, member));
                    }
                }
                "required" | "anyOf" => {}
                _ => return None,
            }
        }
        // They need the numbers of the members.
        for name in strings(keywords.get("required")) {
            shape.required |= self.bit(&mut shape, name?)?;
        }
        for alternative in keywords.get("anyOf").and_then(Value::as_array).into_iter().flatten() {
            let alternative = alternative.as_object()?;
            let [name] = *strings(alternative.get("required")).collect::<Option<Vec<_>>>()? else { return None };
            shape.any_of |= (alternative.len() == 1).then_some(self.bit(&mut shape, name)?)?;
        }
        Some(shape)
    }

    /// The bit of a member of a shape, which is added if it is not described.
    fn bit(&mut self, shape: &mut Shape, name: &str) -> Option<u64> {
        let key = key(name)?;
        let number = shape.members.iter().position(|known| known.key == key).unwrap_or_else(|| {
            let any = shape.additional.unwrap_or_else(|| self.add(Shape::default()));
            shape.members.push(Member::new(key, any));
            shape.members.len() - 1
        });
        1_u64.checked_shl(u32::try_from(number).ok()?)
    }

    /// Compiles `allOf` of `if` a key has a constant string `then` a subschema. Each case becomes one shape:
    /// the base merged with the subschema.
    fn cases(&mut self, keywords: &'s Map<String, Value>, base: usize) -> Option<()> {
        for case in keywords.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            let (condition, then) = (case.get("if")?, case.get("then")?);
            let (name, wanted) = condition.get("properties")?.as_object()?.iter().next()?;
            let specific = self.shape(then)?;
            let merged = self.merge(base, specific)?;
            let text = wanted.get("const")?.as_str()?.to_owned();
            let base = self.shapes.get_mut(base)?;
            let key = key(name)?;
            let cases = base.cases.get_or_insert_with(|| Cases { key, shapes: HashMap::default() });
            cases.shapes.insert(text, merged);
        }
        Some(())
    }

    /// The intersection of two shapes; `None` if one shape cannot express it.
    fn merge(&mut self, one: usize, other: usize) -> Option<usize> {
        let (mut shape, other) = (self.shapes.get(one)?.clone(), self.shapes.get(other)?.clone());
        // The base keeps its cases; a merged shape is what one of them selects.
        shape.cases = None;
        shape.types = match (shape.types, other.types) {
            (0, types) | (types, 0) => types,
            (one, other) => Some(one & other).filter(|&types| types != 0)?,
        };
        if other.cases.is_some() || !(shape.allowed.is_empty() && other.allowed.is_empty()) {
            return None;
        }
        for (number, member) in (0..).zip(other.members) {
            let own = match shape.members.iter().position(|known| known.key == member.key) {
                Some(own) => {
                    let merged = self.merge(shape.members.get(own)?.shape, member.shape)?;
                    shape.members.get_mut(own)?.shape = merged;
                    own
                }
                None => {
                    shape.members.push(member);
                    shape.members.len() - 1
                }
            };
            let bit = 1_u64.checked_shl(u32::try_from(own).ok()?)?;
            shape.required |= if other.required >> number & 1 == 1 { bit } else { 0 };
        }
        shape.items = either(shape.items, other.items)?;
        shape.additional = either(shape.additional, other.additional)?;
        if other.any_of != 0 {
            return None;
        }
        Some(self.add(shape))
    }
}

/// The one that is present, if any; `None` if both are.
fn either<T>(one: Option<T>, other: Option<T>) -> Option<Option<T>> {
    match (one, other) {
        (Some(_), Some(_)) => None,
        (one, other) => Some(one.or(other)),
    }
}

/// The bits of `type`, which is one name or several.
fn types(value: &Value) -> Option<u8> {
    let bit = |value: &Value| {
        let name = value.as_str()?;
        TYPES.iter().find(|(known, _)| *known == name).map(|(_, bit)| *bit)
    };
    match value {
        Value::Array(all) => all.iter().try_fold(0, |types, one| Some(types | bit(one)?)),
        one => bit(one),
    }
}

/// The strings of an array, if there is one; `None` for other values.
fn strings(array: Option<&Value>) -> impl Iterator<Item = Option<&str>> {
    array.and_then(Value::as_array).into_iter().flatten().map(Value::as_str)
}

/// The code of a key of the schema.
fn key(name: &str) -> Option<KeyCode> {
    Some(KeyCode::of(name.as_bytes())).filter(|key| key.is_certain())
}
