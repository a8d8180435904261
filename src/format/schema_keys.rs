//! Which keys the schema gives each object of a document, in its order.

use crate::document::{Document, Limits, NodeId, NodeKind};
use crate::schema::DocumentKind;

/// The schema of a kind of document, with its keys in the order of the file.
pub(super) struct SchemaKeys {
    schema: Document,
}

/// The schemas that apply to a value: a base, and the additions of its `type`. References are resolved.
pub(super) type SchemaNodes = Vec<NodeId>;

impl SchemaKeys {
    /// `None` only if the schema that is part of the program could not be read, which a test excludes.
    pub fn of(kind: DocumentKind) -> Option<Self> {
        Some(Self { schema: Document::parse(kind.schema(), Limits::default()).ok()? })
    }

    /// For the outermost value of a document.
    pub fn root(&self, document: &Document) -> SchemaNodes {
        self.applicable(self.schema.root(), document, document.root())
    }

    /// For the value of a key of an object; empty if the schema does not describe it.
    pub fn of_member(&self, of_object: &[NodeId], document: &Document, member: NodeId) -> SchemaNodes {
        let Some(key) = document.key(member) else { return SchemaNodes::new() };
        let described = of_object.iter().filter_map(|&schema| self.property(schema, key));
        described.flat_map(|schema| self.applicable(schema, document, member)).collect()
    }

    /// For the elements of an array.
    pub fn of_element(&self, of_array: &[NodeId], document: &Document, element: NodeId) -> SchemaNodes {
        let items = of_array.iter().find_map(|&schema| self.schema.member(schema, "items"));
        items.map_or_else(SchemaNodes::new, |schema| self.applicable(schema, document, element))
    }

    /// The place of a key among those that the schemas describe.
    pub fn position(&self, of_object: &[NodeId], key: &str) -> Option<usize> {
        let mut keys = of_object.iter().filter_map(|&schema| self.schema.member(schema, "properties"));
        let mut before = 0;
        keys.find_map(|properties| {
            let mut members = self.schema.children(properties);
            let found = members.position(|member| self.schema.key_is(member, key));
            let position = found.map(|found| before + found);
            before += self.schema.children(properties).len();
            position
        })
    }

    /// Whether the schemas name keys of the object.
    pub fn has_keys(&self, of_object: &[NodeId]) -> bool {
        of_object.iter().any(|&schema| self.schema.member(schema, "properties").is_some())
    }

    /// Whether a value has the JSON type of its schemas, and the elements of an array theirs.
    pub fn has_type(&self, schemas: &[NodeId], document: &Document, value: NodeId) -> bool {
        let fits = |&schema: &NodeId| {
            let wanted = self.schema.member(schema, "type");
            wanted.is_none_or(|wanted| {
                let names = std::iter::once(wanted).chain(self.schema.elements(wanted));
                names.filter_map(|name| self.schema.string(name)).any(|name| name == type_name(document.kind(value)))
            })
        };
        schemas.iter().all(fits)
            && document
                .elements(value)
                .all(|element| self.has_type(&self.of_element(schemas, document, element), document, element))
    }

    fn property(&self, schema: NodeId, key: &str) -> Option<NodeId> {
        self.schema.member(self.schema.member(schema, "properties")?, key)
    }

    /// A schema without its reference, and the branches of its `allOf` whose condition holds.
    fn applicable(&self, schema: NodeId, document: &Document, value: NodeId) -> SchemaNodes {
        let Some(schema) = self.resolved(schema) else { return SchemaNodes::new() };
        let branches = self.schema.member(schema, "allOf").into_iter().flat_map(|all| self.schema.elements(all));
        let further = branches.filter_map(|branch| {
            let wanted = self.property(self.schema.member(branch, "if")?, "type")?;
            let wanted = self.schema.string(self.schema.member(wanted, "const")?)?;
            let actual = document.string(document.member(value, "type")?)?;
            (wanted == actual).then(|| self.resolved(self.schema.member(branch, "then")?))?
        });
        std::iter::once(schema).chain(further).collect()
    }

    /// Follows `#/$defs/NAME`.
    fn resolved(&self, schema: NodeId) -> Option<NodeId> {
        let Some(reference) = self.schema.member(schema, "$ref") else { return Some(schema) };
        let name = self.schema.string(reference)?.strip_prefix("#/$defs/")?;
        let definitions = self.schema.member(self.schema.root(), "$defs")?;
        self.resolved(self.schema.member(definitions, name)?)
    }
}

/// The name of a type in a schema; only types that are not numbers are asked for.
const fn type_name(kind: NodeKind) -> &'static str {
    match kind {
        NodeKind::Null => "null",
        NodeKind::False | NodeKind::True => "boolean",
        NodeKind::Number => "number",
        NodeKind::String => "string",
        NodeKind::Array => "array",
        NodeKind::Object => "object",
    }
}

/// Calls `visit` with each object of a document and the schemas that hold for it, outermost first.
pub(super) fn visit_objects(keys: &SchemaKeys, document: &Document, visit: &mut impl FnMut(NodeId, &[NodeId])) {
    let mut pending = vec![(document.root(), keys.root(document))];
    while let Some((node, schemas)) = pending.pop() {
        match document.kind(node) {
            NodeKind::Object => {
                visit(node, &schemas);
                pending.extend(document.children(node).map(|child| (child, keys.of_member(&schemas, document, child))));
            }
            NodeKind::Array => {
                pending
                    .extend(document.children(node).map(|child| (child, keys.of_element(&schemas, document, child))));
            }
            NodeKind::Null | NodeKind::False | NodeKind::True | NodeKind::Number | NodeKind::String => {}
        }
    }
}
