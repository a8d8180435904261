//! The keys and values that a JSON Schema describes for a place.

use std::sync::LazyLock;

use serde_json::Value;

use super::json::Container;
use crate::common::collections::HashMap;
use crate::schema::SCHEMAS;

static PARSED: LazyLock<HashMap<&'static str, Value>> = LazyLock::new(|| {
    let parsed = SCHEMAS.iter().filter_map(|schema| Some((schema.name, serde_json::from_str(schema.text).ok()?)));
    parsed.collect()
});

/// The schemas that hold for a container.
pub struct Place {
    root: &'static Value,
    schemas: Vec<&'static Value>,
}

/// A key, and its description.
pub type Key = (&'static str, Option<&'static str>);

impl Place {
    /// Of the innermost of these containers.
    pub fn of(name: &str, around: &[Container]) -> Option<Self> {
        let root = PARSED.get(name)?;
        let mut schemas = vec![root];
        for (index, container) in around.iter().enumerate() {
            if index > 0 {
                schemas = below(&schemas, container.key.as_deref());
            }
            schemas = expanded(root, schemas, container);
            if container.is_object {
                // The header of a table may be below an array of tables: the last of them is meant.
                let entries = below(&schemas, None);
                schemas.extend(expanded(root, entries, container));
            }
        }
        Some(Self { root, schemas })
    }

    /// The keys that the object can have.
    pub fn keys(&self) -> Vec<Key> {
        let mut keys: Vec<Key> = Vec::new();
        for (key, schema) in self.schemas.iter().filter_map(|schema| schema.get("properties")?.as_object()).flatten() {
            if !keys.iter().any(|(known, _)| known == key) {
                keys.push((key, schema.get("description").and_then(Value::as_str)));
            }
        }
        keys
    }

    /// The keys whose values are objects, or arrays of objects: with these it is true.
    pub fn tables(&self) -> Vec<(Key, bool)> {
        let is_object = |schema: &&Value| schema.get("properties").or(schema.get("additionalProperties")).is_some();
        let all = |schemas: Vec<&'static Value>| expanded(self.root, schemas, &Container::default());
        let table = |key: Key| {
            let values = all(below(&self.schemas, Some(key.0)));
            let is_list = all(below(&values, None)).iter().any(is_object);
            (is_list || values.iter().any(is_object)).then_some((key, is_list))
        };
        self.keys().into_iter().filter_map(table).collect()
    }

    /// The values that are listed for a key of the object, or for the elements of the array, and whether they are strings.
    pub fn values(&self, key: Option<&str>) -> Vec<(String, bool)> {
        let mut values = Vec::new();
        for schema in expanded(self.root, below(&self.schemas, key), &Container::default()) {
            let listed = ["enum", "examples"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
            values.extend(listed.filter_map(|value| match value {
                Value::String(text) => Some((text.clone(), true)),
                Value::Bool(flag) => Some((flag.to_string(), false)),
                _ => None,
            }));
            // Keys that are not required may be null.
            let is_boolean = |kind: &Value| kind == "boolean" || kind.get(0).is_some_and(|kind| kind == "boolean");
            if schema.get("type").is_some_and(is_boolean) {
                values.extend(["true", "false"].map(|flag| (flag.to_owned(), false)));
            }
        }
        values
    }
}

/// The schemas of the value of a key, or of the elements of an array.
fn below(schemas: &[&'static Value], key: Option<&str>) -> Vec<&'static Value> {
    let Some(key) = key else { return schemas.iter().filter_map(|schema| schema.get("items")).collect() };
    let found: Vec<_> = schemas.iter().filter_map(|schema| schema.get("properties")?.get(key)).collect();
    if !found.is_empty() {
        return found;
    }
    schemas.iter().filter_map(|schema| schema.get("additionalProperties")).filter(|schema| schema.is_object()).collect()
}

/// The schemas with those that they refer to, and those whose condition the object fulfills.
fn expanded(root: &'static Value, mut schemas: Vec<&'static Value>, container: &Container) -> Vec<&'static Value> {
    /// More are not needed by any schema of the project.
    const MAX: usize = 64;
    let mut found: Vec<&Value> = Vec::new();
    while let Some(schema) = schemas.pop().filter(|_| found.len() < MAX) {
        found.push(schema);
        let pointer = schema.get("$ref").and_then(Value::as_str).and_then(|pointer| pointer.strip_prefix('#'));
        schemas.extend(pointer.and_then(|pointer| root.pointer(pointer)));
        for key in ["allOf", "anyOf", "oneOf"] {
            schemas.extend(schema.get(key).and_then(Value::as_array).into_iter().flatten());
        }
        if schema.get("if").is_some_and(|condition| is_fulfilled(condition, container)) {
            schemas.extend(schema.get("then"));
        }
    }
    found
}

/// Whether the members of an object have the constants of a condition.
fn is_fulfilled(condition: &Value, container: &Container) -> bool {
    let properties = condition.get("properties").and_then(Value::as_object);
    properties.is_some_and(|properties| {
        properties.iter().all(|(key, schema)| {
            let wanted = schema.get("const").and_then(Value::as_str);
            wanted.is_some() && container.text(key) == wanted
        })
    })
}
