//! A scenario as YAML: its keys in the order in which the guide has them, and scalars plain where that is safe, otherwise in
//! double quotes.

use std::fmt::Write;

use serde_json::{Map, Value};

use crate::report::is_visible_at;
use crate::simulate::scenario::keys::{ELAPSED, EXPECT, FAULT, Keys, LIMITS, MAIL, RESULT, SCENARIO, SIGNER, UPLOAD};

/// Bytes of a key that may stand before its `:` (YAML 1.2.2, 7.4.2 allows 1024 characters).
const MAX_IMPLICIT_KEY: usize = 1000;
/// Objects that stand in one line.
const SMALL: [&Keys; 7] = [&SIGNER, &FAULT, &ELAPSED, &MAIL, &LIMITS, &UPLOAD, &RESULT];
/// Keys whose values are durations.
const DURATIONS: [&str; 4] = ["after", "at-least", "at-most", "virtual-time"];
/// Characters of an object in one line.
const MAX_LINE: usize = 100;

/// A scenario, with the end of its last line.
pub fn document(scenario: &Value) -> String {
    let mut text = String::new();
    if let Value::Object(members) = scenario {
        for (name, value) in ordered(members, SCENARIO.known) {
            let order = if name == "expect" { EXPECT.known } else { &[] };
            push_member(&mut text, name, value, order, 0);
        }
    }
    text
}

/// The members in the order of these keys; others come last, in their own order.
fn ordered<'m>(members: &'m Map<String, Value>, keys: &[&str]) -> Vec<(&'m str, &'m Value)> {
    let mut ordered: Vec<(&str, &Value)> = members.iter().map(|(name, value)| (name.as_str(), value)).collect();
    ordered.sort_by_key(|(name, _)| keys.iter().position(|key| key == name).unwrap_or(keys.len()));
    ordered
}

/// A member at an indentation: on one line, or with its value below.
fn push_member(text: &mut String, name: &str, value: &Value, order: &[&str], indent: usize) {
    let key = key(name, indent);
    let _ = write!(text, "{:indent$}{key}", "");
    push_value(text, Some(name), value, order, indent);
}

/// The value after a key or a dash, with the end of its line.
fn push_value(text: &mut String, name: Option<&str>, value: &Value, order: &[&str], indent: usize) {
    if let Some(line) = in_line(name, value) {
        let _ = writeln!(text, " {line}");
        return;
    }
    let inner = indent + 2;
    match value {
        Value::Object(members) => {
            text.push('\n');
            for (name, value) in ordered(members, order) {
                push_member(text, name, value, &[], inner);
            }
        }
        Value::Array(values) => {
            text.push('\n');
            for value in values {
                push_element(text, value, inner);
            }
        }
        _ => {}
    }
}

/// An element of an array, with its dash at an indentation.
fn push_element(text: &mut String, value: &Value, indent: usize) {
    match value {
        Value::Object(members) if in_line(None, value).is_none() => {
            let mut block = String::new();
            for (name, value) in ordered(members, &[]) {
                push_member(&mut block, name, value, &[], indent + 2);
            }
            // The dash takes the place of a space before the first key.
            block.replace_range(indent..=indent, "-");
            text.push_str(&block);
        }
        _ => {
            let _ = write!(text, "{:indent$}-", "");
            push_value(text, None, value, &[], indent);
        }
    }
}

/// A scalar, an empty array or object, or a small object; `None` for what needs lines of its own.
fn in_line(name: Option<&str>, value: &Value) -> Option<String> {
    match value {
        Value::Object(members) if members.is_empty() => Some("{}".to_owned()),
        Value::Array(values) if values.is_empty() => Some("[]".to_owned()),
        Value::Array(_) => None,
        Value::Object(members) => {
            let order = SMALL.into_iter().map(|keys| keys.known);
            let order = order.into_iter().find(|keys| members.keys().all(|name| keys.contains(&name.as_str())))?;
            let parts: Option<Vec<String>> = ordered(members, order)
                .into_iter()
                .map(|(name, value)| Some(format!("{name}: {}", one_scalar(Some(name), value)?)))
                .collect();
            Some(format!("{{ {} }}", parts?.join(", "))).filter(|line| line.len() <= MAX_LINE)
        }
        scalar => one_scalar(name, scalar),
    }
}

fn one_scalar(name: Option<&str>, value: &Value) -> Option<String> {
    match value {
        Value::String(text) if name.is_some_and(|name| DURATIONS.contains(&name)) && is_duration(text) => {
            Some(text.clone())
        }
        Value::String(text) => Some(scalar(text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

/// Whether a string is a number and a unit, which YAML reads as nothing else.
fn is_duration(text: &str) -> bool {
    let digits = text.strip_suffix(['s', 'm', 'h', 'd']).unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// A string as a scalar of one line.
fn scalar(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { quoted(text) }
}

/// A key of a block mapping, with its `:`, at this indentation.
fn key(text: &str, indent: usize) -> String {
    let scalar = scalar(text);
    if scalar.len() <= MAX_IMPLICIT_KEY { format!("{scalar}:") } else { format!("? {scalar}\n{:indent$}:", "") }
}

/// Whether a plain scalar reads as this string, in any version of YAML: it begins and ends with a letter or digit,
/// nothing in it has a meaning, and it is not a number, boolean or null.
fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 11] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n", "inf", "nan"];
    let is_inside = |one: char| one.is_ascii_alphanumeric() || " _-./@+".contains(one);
    text.starts_with(|one: char| one.is_ascii_alphabetic())
        && text.ends_with(|one: char| one.is_ascii_alphanumeric())
        && text.chars().all(is_inside)
        && !WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for (at, one) in text.char_indices() {
        match one {
            '"' | '\\' => quoted.extend(['\\', one]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            other if !is_visible_at(text, at, other) => {
                let code = u32::from(other);
                let _ = if code > 0xffff { write!(quoted, "\\U{code:08x}") } else { write!(quoted, "\\u{code:04x}") };
            }
            other => quoted.push(other),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::simulate::scenario::{Input, ScenarioSyntax, read};

    /// Strings that YAML may read as something else.
    const HARD: &[&str] = &[
        "Name",
        "a b",
        "- a",
        "a: b",
        "a #b",
        "a:",
        "'",
        "\"",
        "\\",
        "",
        " ",
        "~",
        "null",
        "yes",
        "0101901234",
        "1.10",
        "{a}",
        "[a]",
        "*a",
        "&a",
        "!a",
        "%a",
        "@a",
        "`a",
        "?",
        "? a",
        "-",
        "...",
        "---",
        "<<",
        "=",
        ">",
        "|",
        "a,b",
        "\n",
        "a\nb",
        "\r\n",
        "\t",
        "\u{0}\u{1b}\u{7f}\u{85}",
        "\u{2028}\u{feff}\u{202e}",
        "é漢😀",
        "##[error]a ##vso[b]",
        "::error::a\n::error::b",
        "\u{e0001}",
        "a ",
    ];

    #[test]
    fn any_string_reads_back_as_key_and_as_value() {
        let long = "\u{1}".repeat(512);
        for text in HARD.iter().copied().chain([long.as_str()]) {
            for indent in [0, 2] {
                let space = " ".repeat(indent);
                let entry = format!("{} {}", key(text, indent), scalar(text));
                let scenario = if indent == 0 {
                    format!("workflow: w\nsubmit:\n  {}\n", entry.replace("\n:", "\n  :"))
                } else {
                    format!("workflow: w\nsubmit:\n{space}{entry}\n")
                };
                let read =
                    read(&scenario, ScenarioSyntax::Yaml).unwrap_or_else(|error| panic!("{scenario}: {error:?}"));
                let submit = read.submit.unwrap();
                assert_eq!(submit[0].name.value, text);
                assert_eq!(submit[0].input.value, Input::Text(text.into()), "{scenario}");
            }
        }
    }

    #[test]
    fn usual_strings_are_plain() {
        for text in ["Anna Example", "anna@example.com", "order.workflow.json", "New-Mailbox"] {
            assert_eq!(scalar(text), text);
        }
        assert_eq!(scalar("19900101-2385"), "\"19900101-2385\"");
    }

    /// What a reader understands, without places.
    fn understood(text: &str, syntax: ScenarioSyntax) -> String {
        let scenario = read(text, syntax).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let shown = format!("{scenario:#?}");
        let is_place = |line: &&str| ["start:", "end:", "pointer:"].iter().any(|it| line.trim_start().starts_with(it));
        shown.lines().filter(|line| !is_place(line)).collect::<Vec<_>>().join("\n")
    }

    fn assert_same(scenario: &Value) {
        let yaml = document(scenario);
        let json = serde_json::to_string(scenario).unwrap();
        assert_eq!(understood(&yaml, ScenarioSyntax::Yaml), understood(&json, ScenarioSyntax::Json), "{yaml}");
    }

    #[test]
    fn scenario_is_written_as_the_guide_shows_it() {
        let scenario = json!({
            "expect": {
                "variables": { "ESignStatus": "Finished" }, "outcome": "completed",
                "statuses": ["...", "Document status - Finished"], "elapsed": { "at-most": "27h", "at-least": "26h" },
                "calls": { "Get-ZPADUser": 2 }, "mails": [{ "kind": "sign-request", "to": "anna@example.com" }],
                "approvals": { "Approval": "approved" },
            },
            "workflow": "../order.workflow.json",
            "form": "../order.form.json",
            "submit": { "PersonalId": "19900101-2385", "Name": "Anna Example", "Document": { "file": "contract.pdf" } },
            "signing": { "anna@example.com": [{ "action": "sign", "after": "1s" }, {}] },
            "approvals": { "Approval": { "boss@example.com": { "action": "approve", "after": "3h" } } },
            "faults": [{ "error": "simulated failure", "method": "Get-ZPADUser", "call": 2 }],
            "providers": { "New-Mailbox": [{ "outputs": { "Message": "created" } }, { "error": "quota" }] },
            "limits": { "virtual-time": "9999d" },
            "name": "The signer signs",
        });
        let expected = "\
name: The signer signs
workflow: \"../order.workflow.json\"
form: \"../order.form.json\"
submit:
  Document: { file: contract.pdf }
  Name: Anna Example
  PersonalId: \"19900101-2385\"
signing:
  anna@example.com:
    - { after: 1s, action: sign }
    - {}
approvals:
  Approval:
    boss@example.com: { after: 3h, action: approve }
faults:
  - { method: Get-ZPADUser, call: 2, error: simulated failure }
providers:
  New-Mailbox:
    - outputs:
        Message: created
    - { error: quota }
limits: { virtual-time: 9999d }
expect:
  outcome: completed
  variables:
    ESignStatus: Finished
  statuses:
    - \"...\"
    - Document status - Finished
  elapsed: { at-least: 26h, at-most: 27h }
  calls:
    Get-ZPADUser: 2
  mails:
    - { to: anna@example.com, kind: sign-request }
  approvals:
    Approval: approved
";
        assert_eq!(document(&scenario), expected);
        assert_same(&scenario);
    }

    #[test]
    fn any_names_and_values_read_back() {
        for text in [
            "",
            " ",
            "a: b",
            "- x",
            "{",
            "\"",
            "#",
            "yes",
            "1.10",
            "\n\u{1b}",
            "é漢😀",
            "26h",
            "file",
            "after",
            &"\u{1}".repeat(400),
        ] {
            assert_same(&json!({
                "workflow": text.to_owned() + "w",
                "submit": { text: text, "Document": { "file": format!("{text}f") } },
                "variables": { text: text },
                "providers": { text: [{ "outputs": { text: text } }, { "error": text }] },
                "faults": [{ "method": format!("{text}m"), "error": text }],
                "expect": { "statuses": [text, text], "variables": { text: text }, "failure": text },
            }));
        }
    }
}
