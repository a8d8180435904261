//! `wflint.d.ts`, and the reference of the interface: made from `interface.json` and the schemas of documents.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::Value;

use super::shapes::{Member, Shape, interface};
use crate::model::{FIELD_TYPES, TYPES};
use crate::schema::DocumentKind;

const HEAD: &str = "\
// The interface of rules (`wflint rules --types`). In a rule:
//
//     /** @type {import(\"./wflint\").Rule} */
//     export default { … };

/** A value of JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
/** An object or array of a document. */
export type Node = object;
export type Severity = \"error\" | \"warning\" | \"info\";
export type Option = string | number | boolean;
/** The options of a rule, by their names. */
export interface Options {
  readonly [name: string]: Option | readonly Option[];
}
/** What wflint finds out for rules that ask for it. */
export type Need = \"flow\";

/** The documents that share variables. */
export interface Service {
  readonly name: string;
  readonly workflows: readonly Workflow[];
  readonly forms: readonly Form[];
  readonly cases: readonly SigningCase[];
}
";

/// The interface of rules as TypeScript declarations.
pub fn declarations() -> String {
    let mut text = HEAD.to_owned();
    for (name, shape) in &interface().shapes {
        add_shape(&mut text, name, shape);
    }
    add_visitors(&mut text);
    let mut nodes = BTreeMap::new();
    for kind in [DocumentKind::Workflow, DocumentKind::Form, DocumentKind::SigningCase] {
        let schema: Value = serde_json::from_str(kind.schema()).unwrap_or_default();
        let root = match kind {
            DocumentKind::Workflow => "Workflow",
            DocumentKind::Form => "Form",
            DocumentKind::SigningCase => "SigningCase",
        };
        nodes.insert(root.to_owned(), schema.clone());
        let defs = schema.get("$defs").and_then(Value::as_object).into_iter().flatten();
        nodes.extend(defs.filter(|(_, def)| is_node(def)).map(|(name, def)| (type_name(name), def.clone())));
    }
    for (name, schema) in &nodes {
        add_node(&mut text, name, schema);
    }
    text
}

/// The interface as tables in Markdown, a heading for each shape.
pub fn reference() -> String {
    let mut text = String::new();
    for (name, shape) in &interface().shapes {
        let _ = write!(text, "### `{name}`\n\n{}\n\n| Key | Type | |\n|---|---|---|\n", shape.about);
        for member in &shape.members {
            let (key, kind) = (&member.0, member.1.replace('|', "\\|"));
            let _ = writeln!(text, "| `{key}` | `{kind}` | {} |", member.2);
        }
        text.push('\n');
    }
    text.push_str("### Visitors\n\n| Name | |\n|---|---|\n");
    for (name, _, about) in &interface().visitors {
        let _ = writeln!(text, "| `{name}` | {about} |");
    }
    text
}

fn add_shape(text: &mut String, name: &str, shape: &Shape) {
    let _ = write!(text, "\n/** {} */\nexport interface {name} {{\n", shape.about);
    // Rules write these, and read the others.
    let is_given = matches!(name, "Context" | "Value");
    for member in &shape.members {
        let Member(key, kind, about) = member;
        let readonly = if is_given { "readonly " } else { "" };
        let kind = if member.is_optional() { format!("{kind} | undefined") } else { kind.clone() };
        let _ = write!(text, "  /** {about} */\n  {readonly}{key}: {kind};\n");
    }
    text.push_str("}\n");
}

fn add_visitors(text: &mut String) {
    text.push_str("\n/** What `create` returns: functions by the names of what they are called with. */\nexport interface Visitors {\n");
    for (name, kind, about) in &interface().visitors {
        let _ = write!(text, "  /** {about} */\n  {name}?(node: {kind}): void;\n");
        let _ = write!(text, "  /** After what is inside. */\n  \"{name}:exit\"?(node: {kind}): void;\n");
    }
    text.push_str("  /** Types that `[types]` of `wflint.toml` declares. */\n");
    text.push_str("  [type: string]: ((node: any) => void) | undefined;\n}\n");
}

/// Whether a definition of a schema is an object with documented members.
fn is_node(def: &Value) -> bool {
    def.get("properties").is_some()
}

/// `codeParameter` is `CodeParameter`.
fn type_name(def: &str) -> String {
    let mut letters = def.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn add_node(text: &mut String, name: &str, schema: &Value) {
    let about = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    let base = if TYPES.contains(&name) {
        " extends Activity"
    } else if FIELD_TYPES.contains(&name) {
        " extends Field"
    } else {
        ""
    };
    let _ = writeln!(text, "\n/** {about} */\nexport interface {name}{base} {}", members(schema, ""));
}

/// The members of an object, in braces.
fn members(schema: &Value, indent: &str) -> String {
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let required: Vec<&str> = required.filter_map(Value::as_str).collect();
    let mut text = "{\n".to_owned();
    for (key, member) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        if let Some(about) = member.get("description").and_then(Value::as_str) {
            let _ = writeln!(text, "{indent}  /** {about} */");
        }
        let optional = if required.contains(&key.as_str()) { "" } else { "?" };
        let _ = writeln!(text, "{indent}  readonly {key}{optional}: {};", type_of(member, &format!("{indent}  ")));
    }
    let _ = write!(
        text,
        "{indent}  /** Documents may have other keys. */\n{indent}  readonly [key: string]: any;\n{indent}}}"
    );
    text
}

/// The type of a value that a schema describes.
fn type_of(schema: &Value, indent: &str) -> String {
    let listed = |key: &str| schema.get(key).and_then(Value::as_array);
    if let Some(values) = listed("enum") {
        return values.iter().map(Value::to_string).collect::<Vec<_>>().join(" | ");
    }
    let single = schema.get("type").and_then(Value::as_str).map(|kind| vec![kind]);
    let kinds = listed("type").map(|kinds| kinds.iter().filter_map(Value::as_str).collect()).or(single);
    let named = schema.get("$ref").and_then(Value::as_str).and_then(|path| path.strip_prefix("#/$defs/"));
    let of_kind = |kind: &str| match (kind, named) {
        ("integer" | "number", _) => "number".to_owned(),
        // Arrays have a definition of their own.
        ("array", Some("activities")) => "readonly Activity[]".to_owned(),
        ("array", _) => {
            let item = schema.get("items").map_or_else(|| "any".to_owned(), |items| type_of(items, indent));
            format!("readonly {item}[]")
        }
        ("object", Some("locales")) => "{ readonly [locale: string]: string | null }".to_owned(),
        ("object", Some(def)) => type_name(def),
        ("object", None) => members(schema, indent),
        (kind, _) => kind.to_owned(),
    };
    match kinds {
        Some(kinds) => kinds.into_iter().map(of_kind).collect::<Vec<_>>().join(" | "),
        None => match named {
            Some("activities") => "readonly Activity[] | null".to_owned(),
            Some(def) => type_name(def),
            None if is_node(schema) => members(schema, indent),
            None => "any".to_owned(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_have_the_interface_and_the_members_of_documents() {
        let text = declarations();
        for line in [
            "export interface Rule {",
            "  create: (context: Context) => Visitors;",
            "  severity?: Severity | undefined;",
            "  readonly value: (binding: unknown) => Value;",
            "  Approval?(node: Approval): void;",
            "  \"DropDown:exit\"?(node: DropDown): void;",
            "export interface Approval extends Activity {",
            "  readonly timeout?: Binding | null;",
            "  readonly activities: readonly Activity[];",
            "    readonly dropdownItems?: readonly DropDownItem[] | null;",
            "  readonly statusTranslations?: { readonly [locale: string]: string | null } | null;",
            "  readonly operand: \"equal\" | \"notEqual\";",
            "export interface Party {",
        ] {
            assert!(text.lines().any(|known| known == line), "missing: {line}\n{text}");
        }
    }

    /// TypeScript has no type for what is named and not defined.
    #[test]
    fn every_named_type_is_defined() {
        let text = declarations();
        let is_defined = |name: &str| {
            [format!("export interface {name} "), format!("export type {name} ")].iter().any(|it| text.contains(it))
        };
        for (name, kind, _) in &interface().visitors {
            assert!(is_defined(kind), "visitor {name}");
        }
        for name in TYPES.iter().chain(&FIELD_TYPES) {
            assert!(interface().visitors.iter().any(|(known, ..)| known == name), "{name} has no visitor");
        }
        for kind in ["Rule", "Meta", "Report", "Related", "Fix", "Insertion", "Context", "Value", "Visitors"] {
            assert!(is_defined(kind), "{kind}");
        }
    }
}
