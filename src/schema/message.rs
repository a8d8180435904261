//! Violations of a schema, as messages for users.

use super::shape::{JsonType, Problem};
use crate::document::{Document, NodeId, NodeKind};
use crate::text::suggest;
use crate::text::{MAX_NAME, article, list, quote, quoted_list, truncate};

/// One violation of a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The invalid value, or the object that lacks a key.
    pub node: NodeId,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
    /// The keys of which one is missing; empty if something else is wrong.
    pub missing: Vec<String>,
    /// The value is not one of the allowed ones.
    pub not_allowed: bool,
    /// How to write the value that is plainly meant, if the value only has the wrong type.
    pub repair: Option<Repair>,
}

/// The repair of a value of the wrong type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Repair {
    /// In double quotes.
    Quote,
    /// As another scalar, without quotes.
    Write(String),
}

impl Repair {
    /// The title of a fix. It does not show the value, which may be a secret.
    pub fn title(&self) -> String {
        match self {
            Self::Quote => "put the value in double quotes".to_owned(),
            Self::Write(json) if matches!(json.as_str(), "true" | "false") => format!("write `{json}`, without quotes"),
            Self::Write(_) => "write the number without quotes".to_owned(),
        }
    }

    /// The repair of a scalar where values of other types are expected.
    fn of(document: &Document, node: NodeId, expected: &[JsonType]) -> Option<Self> {
        let wants = |json: JsonType| expected.contains(&json);
        let text = document.string(node).map(str::trim);
        if let Some(number) = document.number(node) {
            // Another notation of a number would become another string.
            let is_plain = number.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.'));
            return match number {
                _ if is_plain && wants(JsonType::String) => Some(Self::Quote),
                "0" | "1" if wants(JsonType::Boolean) => Some(Self::Write((number == "1").to_string())),
                _ => None,
            };
        }
        let text = text.filter(|text| !text.is_empty())?;
        let boolean = ["true", "false"].into_iter().find(|boolean| text.eq_ignore_ascii_case(boolean));
        let integer = || Some(text.parse::<i64>().ok()?.to_string());
        let number = || serde_json::from_str::<serde_json::Number>(text).ok().map(|_| text.to_owned());
        let boolean = boolean.filter(|_| wants(JsonType::Boolean)).map(str::to_owned);
        let integer = || integer().filter(|_| wants(JsonType::Integer) || wants(JsonType::Number));
        boolean.or_else(integer).or_else(|| number().filter(|_| wants(JsonType::Number))).map(Self::Write)
    }
}

/// The violation behind a problem at a node.
pub(super) fn explain(document: &Document, node: NodeId, problem: Problem<'_>) -> Violation {
    match problem {
        Problem::Type(expected) => wrong_type(document, node, expected),
        Problem::Missing(name) => missing(document, node, &[name], format!("add `{name}`")),
        // The only `anyOf` in the schemas is that of the two forms of a binding.
        Problem::MissingAll(names) => {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let help = "add `state` (`static`, `bound` or `notSet`) or `isBound`";
            missing(document, node, &names, help.to_owned())
        }
        Problem::NotAllowed(allowed) => {
            let allowed: Vec<&str> = allowed.iter().map(String::as_str).collect();
            not_allowed(document, node, &allowed)
        }
    }
}

fn violation(node: NodeId, message: String, help: String) -> Violation {
    Violation { node, message, help, missing: Vec::new(), not_allowed: false, repair: None }
}

fn wrong_type(document: &Document, node: NodeId, expected: &[JsonType]) -> Violation {
    // Null is as if the key were absent, so it is not what to write.
    let types = expected.iter().filter(|json| **json != JsonType::Null);
    let names = list(&types.map(|json| type_name(*json)).collect::<Vec<_>>(), "or");
    // An object under these keys is a binding, for which authors often write the bare value.
    let is_binding = matches!(document.key(node), Some("value" | "parameter")) && names == "an object";
    let help = if is_binding {
        "write a binding: `{ \"state\": \"static\", \"value\": … }`, or `\"state\": \"bound\"` with `boundTo`"
            .to_owned()
    } else {
        hint(&names, document.kind(node))
    };
    let message = format!("expected {names}{}, found {}", place(document, node), found(document, node));
    Violation { repair: Repair::of(document, node, expected), ..violation(node, message, help) }
}

/// How to write a value of the expected type.
fn hint(expected: &str, found: NodeKind) -> String {
    match (expected, found) {
        ("a string", NodeKind::Number | NodeKind::True | NodeKind::False) => {
            "put the value in double quotes".to_owned()
        }
        ("a string", _) => "write a string in double quotes".to_owned(),
        ("a boolean", _) => "write `true` or `false`, without quotes".to_owned(),
        ("a number" | "an integer", NodeKind::String) => "write the number without quotes".to_owned(),
        ("an array", _) => "write an array: `[…]`".to_owned(),
        ("an object", _) => "write an object: `{…}`".to_owned(),
        _ => format!("write {expected}"),
    }
}

fn missing(document: &Document, node: NodeId, names: &[&str], help: String) -> Violation {
    let message = format!("missing key {}{}", quoted_list(names, "or"), owner(document, node));
    let missing = names.iter().map(|name| (*name).to_owned()).collect();
    Violation { missing, ..violation(node, message, help) }
}

fn not_allowed(document: &Document, node: NodeId, allowed: &[&str]) -> Violation {
    let expected = quoted_list(allowed, "or");
    let place = place(document, node);
    let (message, suggestion) = match document.string(node) {
        Some(text) => {
            (format!("unknown value {}{place}", quote(text)), suggest::did_you_mean(text, allowed.iter().copied()))
        }
        None => (format!("expected {expected}{place}, found {}", found(document, node)), String::new()),
    };
    Violation { not_allowed: true, ..violation(node, message, format!("write {expected}{suggestion}")) }
}

/// The place of a value: " for `key`", " in `array`", or nothing for the root.
fn place(document: &Document, node: NodeId) -> String {
    if let Some(key) = document.key(node) {
        return format!(" for {}", quote(key));
    }
    let array = document.parent(node).and_then(|parent| document.key(parent));
    array.map_or_else(String::new, |key| format!(" in {}", quote(key)))
}

/// The place of an object: " in `key`", " in activity `Name`", or nothing for the root.
fn owner(document: &Document, node: NodeId) -> String {
    if let Some(key) = document.key(node) {
        return format!(" in {}", quote(key));
    }
    let Some(array) = document.parent(node).and_then(|parent| document.key(parent)) else { return String::new() };
    let noun = match array {
        "activities" => "activity",
        "variables" => "variable",
        "fields" => "field",
        "providerParameters" | "additionalProviderParameters" | "allProviderParameters" | "parameters" => "parameter",
        "assignees" => "assignee",
        "dropdownItems" => "item",
        "Parties" => "party",
        _ => return format!(" in an entry of {}", quote(array)),
    };
    match document.member(node, "name").and_then(|name| document.string(name)) {
        Some(name) => format!(" in {noun} {}", quote(name)),
        None => format!(" in {} {noun}", article(noun)),
    }
}

const fn type_name(json: JsonType) -> &'static str {
    match json {
        JsonType::Null => "null",
        JsonType::Boolean => "a boolean",
        JsonType::Integer => "an integer",
        JsonType::Number => "a number",
        JsonType::String => "a string",
        JsonType::Array => "an array",
        JsonType::Object => "an object",
    }
}

/// The found value: its type, or the value itself if it is short and cannot be a secret.
fn found(document: &Document, node: NodeId) -> String {
    match document.kind(node) {
        NodeKind::Null => "null".to_owned(),
        NodeKind::True => "true".to_owned(),
        NodeKind::False => "false".to_owned(),
        NodeKind::Number => {
            document.number(node).map_or_else(String::new, |number| truncate(number, MAX_NAME).into_owned())
        }
        NodeKind::String => "a string".to_owned(),
        NodeKind::Array => "an array".to_owned(),
        NodeKind::Object => "an object".to_owned(),
    }
}
