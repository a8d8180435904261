//! What a schema refuses, in a sentence a person understands.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use crate::document::{Document, Kind, NodeId};
use crate::suggest;
use crate::text::{list, quote, quoted_list};

/// One thing that a schema refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The value that is refused, or the object that lacks a member.
    pub node: NodeId,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: String,
    /// The members of which one is missing; empty when something else is wrong.
    pub missing: Vec<String>,
    /// Whether a value is none of those that are allowed.
    pub not_allowed: bool,
}

pub(super) fn explain(document: &Document, error: &ValidationError<'_>) -> Option<Violation> {
    let node = document.resolve(error.instance_path().as_str())?;
    let subject = subject(document, node);
    let violation = |message, help, missing| Violation { node, message, help, missing, not_allowed: false };
    Some(match error.kind() {
        ValidationErrorKind::Type { kind } => {
            let (wanted, found) = (wanted_type(kind), found(document, node));
            let help = match (document.key(node), wanted.as_str()) {
                (Some("value" | "parameter"), "an object") => {
                    "say where the value comes from: `{ \"state\": \"static\", \"value\": … }`, or `bound` with a variable"
                        .to_owned()
                }
                _ => format!("write {wanted}"),
            };
            violation(format!("{subject} must be {wanted}, but it is {found}"), help, Vec::new())
        }
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            violation(
                format!("{subject} has no `{name}`, without which it cannot be understood"),
                format!("add `{name}`"),
                vec![name.to_owned()],
            )
        }
        // The only alternative in the schemas is that of a binding's two forms.
        ValidationErrorKind::AnyOf { .. } => violation(
            format!("{subject} has neither `state` nor `isBound`, so it is neither a literal nor a variable"),
            "add `state` (`static`, `bound` or `notSet`), or `isBound`".to_owned(),
            vec!["state".to_owned(), "isBound".to_owned()],
        ),
        ValidationErrorKind::Enum { options } => {
            let options: Vec<&str> = options.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            let (found, suggestion) = match document.string(node) {
                Some(text) => (quote(text), suggest::did_you_mean(text, options.iter().copied())),
                None => (noun(document.kind(node)).to_owned(), String::new()),
            };
            let allowed = quoted_list(&options, "or");
            let help = format!("write {allowed}{suggestion}");
            Violation {
                not_allowed: true,
                ..violation(format!("{subject} is {found}, which the platform does not know"), help, Vec::new())
            }
        }
        other => violation(
            format!("{subject} is refused by the schema's `{}`", other.keyword()),
            "see `wflint schema`".to_owned(),
            Vec::new(),
        ),
    })
}

/// How to speak of a value: by its member name, or by what the list around it holds.
fn subject(document: &Document, node: NodeId) -> String {
    if let Some(name) = document.key(node) {
        return quote(name);
    }
    let list = document.parent(node).and_then(|parent| document.key(parent));
    let noun = match list {
        None => return "the document".to_owned(),
        Some("activities") => "the activity",
        Some("variables") => "the variable",
        Some("fields") => "the field",
        Some("providerParameters" | "additionalProviderParameters" | "allProviderParameters" | "parameters") => {
            "the parameter"
        }
        Some("assignees") => "the assignee",
        Some("dropdownItems") => "the item",
        Some("Parties") => "the party",
        Some(list) => return format!("an entry of {}", quote(list)),
    };
    match document.member(node, "name").and_then(|name| document.string(name)) {
        Some(name) => format!("{noun} {}", quote(name)),
        None => noun.to_owned(),
    }
}

fn wanted_type(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(single) => type_noun(*single).to_owned(),
        TypeKind::Multiple(several) => {
            let nouns: Vec<&str> = several.iter().map(type_noun).collect();
            list(&nouns, "or")
        }
    }
}

const fn type_noun(json: JsonType) -> &'static str {
    match json {
        JsonType::Null => "null",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "a whole number",
        JsonType::Number => "a number",
        JsonType::String => "a text",
        JsonType::Array => "a list",
        JsonType::Object => "an object",
    }
}

const fn noun(kind: Kind) -> &'static str {
    match kind {
        Kind::Null => "null",
        Kind::True => "true",
        Kind::False => "false",
        Kind::Number => "a number",
        Kind::String => "a text",
        Kind::Array => "a list",
        Kind::Object => "an object",
    }
}

/// What a value is, in words; of a number the number.
fn found(document: &Document, node: NodeId) -> String {
    document.number(node).map_or_else(|| noun(document.kind(node)).to_owned(), quote)
}
