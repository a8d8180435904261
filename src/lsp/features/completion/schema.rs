//! The keys and values that a JSON Schema describes for a place.

use std::sync::LazyLock;

use serde_json::Value;

use super::json::Container;
use crate::collections::HashMap;
use crate::schema::SCHEMAS;

static PARSED: LazyLock<HashMap<&'static str, Value>> = LazyLock::new(|| {
    let parsed = SCHEMAS.iter().filter_map(|schema| Some((schema.name, serde_json::from_str(schema.text).ok()?)));
    parsed.collect()
});

/// A key or a value, with its description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Described {
    pub text: String,
    /// Whether it is a string.
    pub is_string: bool,
    pub description: Option<String>,
}

/// The schemas that hold for the innermost of these containers.
pub fn of_container<'s>(name: &str, around: &[Container]) -> Vec<&'s Value> {
    let Some(root) = PARSED.get(name) else { return Vec::new() };
    let mut found = vec![root];
    for (index, container) in around.iter().enumerate() {
        if index > 0 {
            found = match &container.key {
                Some(key) => of_key(&found, key),
                None => items(&found),
            };
        }
        found = expanded(root, found, container);
        if container.is_object {
            // The header of a table may be below an array of tables: the last of them is meant.
            let entries = items(&found);
            found.extend(expanded(root, entries, container));
        }
    }
    found
}

/// The keys that an object can have.
pub fn keys(schemas: &[&Value]) -> Vec<Described> {
    let mut keys: Vec<Described> = Vec::new();
    for (key, schema) in schemas.iter().filter_map(|schema| schema.get("properties")?.as_object()).flatten() {
        if !keys.iter().any(|known| known.text == *key) {
            keys.push(Described { text: key.clone(), is_string: true, description: description(schema) });
        }
    }
    keys
}

/// The keys whose values are objects, or arrays of objects: with these it is true.
pub fn tables(name: &str, schemas: &[&'static Value]) -> Vec<(Described, bool)> {
    let Some(root) = PARSED.get(name) else { return Vec::new() };
    let all = |schemas: Vec<&'static Value>| expanded(root, schemas, &Container::default());
    let is_object = |schemas: &[&Value]| {
        schemas.iter().any(|schema| ["properties", "additionalProperties"].iter().any(|key| schema.get(key).is_some()))
    };
    let mut tables = Vec::new();
    for key in keys(schemas) {
        let values = all(of_key(schemas, &key.text));
        let items = all(items(&values));
        if is_object(&items) || is_object(&values) {
            let is_list = is_object(&items);
            tables.push((key, is_list));
        }
    }
    tables
}

/// The values that are listed for a key of an object, or for the elements of an array.
pub fn values(name: &str, schemas: &[&Value], key: Option<&str>) -> Vec<Described> {
    let Some(root) = PARSED.get(name) else { return Vec::new() };
    let schemas: Vec<&Value> = match key {
        Some(key) => of_key(schemas, key),
        None => items(schemas),
    };
    let mut values: Vec<Described> = Vec::new();
    for schema in expanded(root, schemas, &Container::default()) {
        let listed = ["enum", "examples"].into_iter().filter_map(|key| schema.get(key)?.as_array()).flatten();
        let is_boolean = schema.get("type").is_some_and(|kind| kind == "boolean");
        let booleans = [Value::Bool(true), Value::Bool(false)];
        let booleans = booleans.iter().filter(|_| is_boolean);
        for value in listed.chain(booleans) {
            let (text, is_string) = match value {
                Value::String(text) => (text.clone(), true),
                Value::Bool(flag) => (flag.to_string(), false),
                _ => continue,
            };
            values.push(Described { text, is_string, description: None });
        }
    }
    values
}

fn items<'s>(schemas: &[&'s Value]) -> Vec<&'s Value> {
    schemas.iter().filter_map(|schema| schema.get("items")).collect()
}

fn of_key<'s>(schemas: &[&'s Value], key: &str) -> Vec<&'s Value> {
    let property = |schema: &&'s Value| schema.get("properties").and_then(|all| all.get(key));
    let found: Vec<&Value> = schemas.iter().filter_map(property).collect();
    if !found.is_empty() {
        return found;
    }
    schemas.iter().filter_map(|schema| schema.get("additionalProperties")).filter(|schema| schema.is_object()).collect()
}

/// The schemas with those that they refer to, and those whose condition the object fulfills.
fn expanded<'s>(root: &'s Value, schemas: Vec<&'s Value>, container: &Container) -> Vec<&'s Value> {
    /// More are not needed by any schema of the project.
    const MAX: usize = 64;
    let mut open = schemas;
    let mut found: Vec<&Value> = Vec::new();
    while let Some(schema) = open.pop().filter(|_| found.len() < MAX) {
        found.push(schema);
        let pointer = schema.get("$ref").and_then(Value::as_str).and_then(|pointer| pointer.strip_prefix('#'));
        open.extend(pointer.and_then(|pointer| root.pointer(pointer)));
        for key in ["allOf", "anyOf", "oneOf"] {
            open.extend(schema.get(key).and_then(Value::as_array).into_iter().flatten());
        }
        if let (Some(condition), Some(then)) = (schema.get("if"), schema.get("then"))
            && is_fulfilled(condition, container)
        {
            open.push(then);
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

fn description(schema: &Value) -> Option<String> {
    schema.get("description").and_then(Value::as_str).map(str::to_owned)
}
