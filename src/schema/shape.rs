//! A quick look whether a document fits its schema. Nearly every document does, and finding that out
//! takes `jsonschema` five times as long (measured by `benches/lint.rs`); of those that do not,
//! `jsonschema` says why. A test holds the two to each other.
//!
//! Only the keywords that the schemas of documents use are known; a schema with another one has no
//! shape and is always left to `jsonschema`.

use serde_json::{Map, Value};

use super::names::{Name, Table};
use crate::collections::HashMap;
use crate::document::{Document, Kind, NodeId};

/// The shapes of a schema; the first is that of the root.
pub(super) struct Shapes(Vec<Shape>);

#[derive(Default, Clone)]
struct Shape {
    /// JSON types, a bit each; 0 for any.
    types: u8,
    /// The only texts that are allowed, if there are some.
    texts: Vec<String>,
    members: Vec<(Name, usize)>,
    table: Table,
    /// The shape of members that are not named.
    others: Option<usize>,
    items: Option<usize>,
    required: Vec<Name>,
    /// One of these must be there.
    one_of: Vec<Name>,
    /// By the text of a member: the shape that holds in place of this one.
    cases: Option<(Name, HashMap<String, usize>)>,
}

const TYPES: [(&str, u8); 7] =
    [("null", 1), ("boolean", 2), ("integer", 4), ("number", 8), ("string", 16), ("array", 32), ("object", 64)];
const INTEGER: u8 = 4;

impl Shapes {
    /// The shapes of a schema, unless it uses a keyword that is not known here.
    pub fn new(schema: &Value) -> Option<Self> {
        let mut compiler = Compiler { schema, shapes: Vec::new(), by_reference: HashMap::default() };
        compiler.shape(schema)?;
        for shape in &mut compiler.shapes {
            shape.table = Table::new(shape.members.iter().map(|(name, _)| name));
        }
        Some(Self(compiler.shapes))
    }

    /// Whether a document is sure to fit. Recurses with its depth.
    pub fn fit(&self, document: &Document) -> bool {
        self.fits(document, document.root(), 0)
    }

    fn fits(&self, document: &Document, node: NodeId, shape: usize) -> bool {
        let Some(shape) = self.0.get(shape) else { return false };
        let kind = document.kind(node);
        if shape.types != 0 && !has_type(document, node, kind, shape.types) {
            return false;
        }
        if !shape.texts.is_empty() {
            let text = document.string(node);
            return text.is_some_and(|text| shape.texts.iter().any(|allowed| allowed == text));
        }
        match kind {
            Kind::Object => self.fits_object(document, node, shape),
            Kind::Array => {
                shape.items.is_none_or(|items| document.children(node).all(|item| self.fits(document, item, items)))
            }
            _ => true,
        }
    }

    fn fits_object(&self, document: &Document, node: NodeId, shape: &Shape) -> bool {
        // Of two members with one name the last counts, which is left to the other validator.
        if document.repeats_a_member(node) {
            return false;
        }
        let has = |name: &Name| document.member_by_hash(node, &name.text, name.hash);
        let case = shape.cases.as_ref().and_then(|(name, cases)| cases.get(document.string(has(name)?)?));
        let shape = case.and_then(|&case| self.0.get(case)).unwrap_or(shape);
        if !shape.required.iter().all(|name| has(name).is_some()) {
            return false;
        }
        if !shape.one_of.is_empty() && !shape.one_of.iter().any(|name| has(name).is_some()) {
            return false;
        }
        document.children(node).all(|member| {
            let known = shape.member(document, member).or(shape.others);
            known.is_none_or(|known| self.fits(document, member, known))
        })
    }
}

fn has_type(document: &Document, node: NodeId, kind: Kind, types: u8) -> bool {
    let bit = match kind {
        Kind::Null => 1,
        Kind::True | Kind::False => 2,
        Kind::Number if types & 8 == 0 && types & INTEGER != 0 => {
            // The usual number has nothing but digits; the others are left to the other validator.
            let is_whole = document.number(node).is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
            if is_whole { INTEGER } else { 0 }
        }
        Kind::Number => 8,
        Kind::String => 16,
        Kind::Array => 32,
        Kind::Object => 64,
    };
    types & bit != 0
}

impl Shape {
    /// The shape of a member, by its name.
    fn member(&self, document: &Document, member: NodeId) -> Option<usize> {
        let index = self.table.find(document, member, |index| self.members.get(index).map(|(name, _)| name))?;
        self.members.get(index).map(|(_, shape)| *shape)
    }
}

struct Compiler<'s> {
    schema: &'s Value,
    shapes: Vec<Shape>,
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
        // Noted before its content is looked at, which may refer to it.
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
                    shape.texts =
                        value.as_array()?.iter().map(|text| Some(text.as_str()?.to_owned())).collect::<Option<_>>()?;
                }
                "items" => shape.items = Some(self.shape(value)?),
                "additionalProperties" => shape.others = Some(self.shape(value)?),
                "required" => shape.required = names(value)?,
                "properties" => {
                    for (name, member) in value.as_object()? {
                        shape.members.push((Name::new(name), self.shape(member)?));
                    }
                }
                "anyOf" => {
                    for alternative in value.as_array()? {
                        let alternative = alternative.as_object()?;
                        let [name] = <[Name; 1]>::try_from(names(alternative.get("required")?)?).ok()?;
                        shape.one_of.extend((alternative.len() == 1).then_some(name));
                    }
                }
                _ => return None,
            }
        }
        Some(shape)
    }

    /// `allOf` with `if` a member is a text, `then` a further schema: the two are made one.
    fn cases(&mut self, keywords: &'s Map<String, Value>, base: usize) -> Option<()> {
        for case in keywords.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            let (condition, then) = (case.get("if")?, case.get("then")?);
            let (name, wanted) = condition.get("properties")?.as_object()?.iter().next()?;
            let further = self.shape(then)?;
            let merged = self.both(base, further)?;
            let text = wanted.get("const")?.as_str()?.to_owned();
            let cases = self.shapes.get_mut(base)?.cases.get_or_insert_with(|| (Name::new(name), HashMap::default()));
            cases.1.insert(text, merged);
        }
        Some(())
    }

    /// A shape for what fits both; `None` where it takes more than is known here to say so.
    fn both(&mut self, one: usize, other: usize) -> Option<usize> {
        let (mut shape, other) = (self.shapes.get(one)?.clone(), self.shapes.get(other)?.clone());
        shape.cases = None;
        shape.types = match (shape.types, other.types) {
            (0, types) | (types, 0) => types,
            (one, other) => Some(one & other).filter(|&types| types != 0)?,
        };
        if other.cases.is_some() || !(shape.texts.is_empty() && other.texts.is_empty()) {
            return None;
        }
        for (name, member) in other.members {
            match shape.members.iter().position(|(known, _)| known.text == name.text) {
                Some(index) => {
                    let known = shape.members.get(index)?.1;
                    let merged = self.both(known, member)?;
                    shape.members.get_mut(index)?.1 = merged;
                }
                None => shape.members.push((name, member)),
            }
        }
        shape.items = either(shape.items, other.items)?;
        shape.others = either(shape.others, other.others)?;
        shape.required.extend(other.required);
        shape.one_of = either(non_empty(shape.one_of), non_empty(other.one_of))?.unwrap_or_default();
        Some(self.add(shape))
    }
}

/// The one that is there; `None` when both are.
fn either<T>(one: Option<T>, other: Option<T>) -> Option<Option<T>> {
    match (one, other) {
        (Some(_), Some(_)) => None,
        (one, other) => Some(one.or(other)),
    }
}

fn non_empty<T>(list: Vec<T>) -> Option<Vec<T>> {
    (!list.is_empty()).then_some(list)
}

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

fn names(value: &Value) -> Option<Vec<Name>> {
    value.as_array()?.iter().map(|name| Some(Name::new(name.as_str()?))).collect()
}
