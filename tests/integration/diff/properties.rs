//! Properties of all comparisons, on the examples and the corpus.

use serde_json::{Map, Value, json};

use super::data::{DOCUMENTS, changes, changes_of_texts, lines};

/// The editor state that docs/platform.md names.
const EDITOR_STATE: [&str; 7] = [
    "boundValues", "displayWarning", "hasNewerVersion", "ownBoundVariables", "hasWarning", "variableUsageList",
    "isValid",
];

fn visit(value: &mut Value, change: &mut impl FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            change(members);
            members.values_mut().for_each(|member| visit(member, change));
        }
        Value::Array(elements) => elements.iter_mut().for_each(|element| visit(element, change)),
        _ => {}
    }
}

/// The document with members in the opposite order, all letters escaped, and another form of numbers.
fn rewritten(value: &Value, depth: usize) -> String {
    let escaped = |text: &str| {
        let units: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
        format!("\"{units}\"")
    };
    let indent = "\t".repeat(depth);
    match value {
        Value::Object(members) => {
            let members: Vec<String> = members
                .iter()
                .rev()
                .map(|(key, member)| {
                    let key = if depth < 2 { format!("\"{key}\"") } else { escaped(key) };
                    format!("\r\n{indent}{key} : {}", rewritten(member, depth + 1))
                })
                .collect();
            format!("{{{}}}", members.join(","))
        }
        Value::Array(elements) => {
            format!("[ {} ]", elements.iter().map(|it| rewritten(it, depth + 1)).collect::<Vec<_>>().join(" , "))
        }
        Value::String(text) => escaped(text),
        Value::Number(number) if number.is_i64() && *number != 0.into() => format!("{number}00.0e-2"),
        other => other.to_string(),
    }
}

#[test]
fn document_in_another_form_is_the_same() {
    for (name, document) in DOCUMENTS.iter() {
        let text = document.to_string();
        assert_eq!(changes_of_texts(&text, &text), [Value::Null; 0], "{name}");
        assert_eq!(lines(&changes_of_texts(&text, &rewritten(document, 0))), [""; 0], "{name}");
    }
}

#[test]
fn document_with_other_ids_or_without_editor_state_is_the_same() {
    for (name, document) in DOCUMENTS.iter() {
        let mut renumbered = document.clone();
        visit(&mut renumbered, &mut |members| {
            // Fields and parties have no ids of the platform.
            if members.contains_key("fieldsViewModel") {
                return;
            }
            for key in ["id", "realId", "boundToId"] {
                if let Some(id) = members.get_mut(key).filter(|id| id.as_i64().is_some_and(|id| id != 0)) {
                    *id = json!(id.as_i64().unwrap() * 7 + 3);
                }
            }
        });
        assert_eq!(lines(&changes(document, &renumbered)), [""; 0], "{name}");
        let mut dropped = document.clone();
        visit(&mut dropped, &mut |members| {
            members.retain(|key, _| !EDITOR_STATE.contains(&key.as_str()));
            if members.contains_key("providerParameters") {
                members.remove("allProviderParameters");
            }
            if members.contains_key("body") {
                members.remove("assignedVariables");
            }
        });
        assert_eq!(lines(&changes(document, &dropped)), [""; 0], "{name}");
    }
}

/// What a member of a document is, by the keys around it: the label that a change of it has, or `None` if it does not count.
fn label(path: &[&str], document: &Value) -> Option<String> {
    let parent = |steps: usize| {
        let pointer: String = path[..path.len() - steps].iter().map(|step| format!("/{step}")).collect();
        document.pointer(&pointer).unwrap()
    };
    let thing = (1..=path.len()).find(|steps| {
        let value = parent(*steps);
        let is_listed = path.len().checked_sub(steps + 1).is_some_and(|at| path[at].parse::<usize>().is_ok());
        let list = path.len().checked_sub(steps + 2).map(|at| path[at]);
        value.is_object() && is_listed && matches!(list, Some("activities" | "fields" | "variables"))
    })?;
    let inside = &path[path.len() - thing..];
    if path.iter().any(|step| matches!(*step, "allProviderParameters" | "assignedVariables")) {
        return None;
    }
    match inside {
        [key] if matches!(*key, "name" | "type") => None,
        [list, index, "value", "value"] if list.ends_with("Parameters") => {
            let parameter = &parent(thing)[*list][index.parse::<usize>().unwrap()];
            (parameter["value"]["state"] == "static").then(|| parameter["name"].as_str().unwrap().to_owned())
        }
        [key, "value"] if parent(1)["isBound"] == false && !parent(1)["value"].is_null() => Some((*key).to_owned()),
        [key]
            if matches!(
                *key,
                "method" | "package" | "event" | "approvalType" | "body" | "size" | "onLoad" | "boundTo"
            ) =>
        {
            Some((*key).to_owned())
        }
        [key, locale] if matches!(*key, "statusTranslations" | "displayName" | "description") => {
            Some(format!("{key}.{locale}"))
        }
        ["expression", "operand"] => Some("expression.operand".to_owned()),
        ["properties", key] if matches!(*key, "validationpattern" | "dataSource") => Some(format!("properties.{key}")),
        _ => None,
    }
}

fn strings(value: &Value, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    match value {
        Value::Object(members) => {
            for (key, member) in members {
                path.push(key.clone());
                strings(member, path, found);
                path.pop();
            }
        }
        Value::Array(elements) => {
            for (index, element) in elements.iter().enumerate() {
                path.push(index.to_string());
                strings(element, path, found);
                path.pop();
            }
        }
        Value::String(_) | Value::Number(_) | Value::Bool(_) => found.push(path.clone()),
        Value::Null => {}
    }
}

#[test]
fn mutation_of_one_member_is_one_change() {
    let mut tried = 0;
    for (name, document) in DOCUMENTS.iter() {
        let mut places = Vec::new();
        strings(document, &mut Vec::new(), &mut places);
        let counting: Vec<_> = places
            .iter()
            .filter_map(|place| {
                let path: Vec<&str> = place.iter().map(String::as_str).collect();
                Some((place, label(&path, document)?))
            })
            .collect();
        for (place, label) in counting.iter().step_by(counting.len() / 12 + 1) {
            let pointer: String = place.iter().map(|step| format!("/{step}")).collect();
            let mut mutated = document.clone();
            let value = mutated.pointer_mut(&pointer).unwrap();
            *value = match value {
                Value::String(text) => json!(format!("{text}x")),
                Value::Bool(flag) => json!(!*flag),
                _ => json!(4711),
            };
            let found = changes(document, &mutated);
            assert_eq!(found.len(), 1, "{name}{pointer}: {:?}", lines(&found));
            assert_eq!(
                (&found[0]["change"], &found[0]["member"]),
                (&json!("changed"), &json!(label)),
                "{name}{pointer}"
            );
            assert_ne!(found[0]["before"], found[0]["after"], "{name}{pointer}");
            tried += 1;
        }
    }
    assert!(tried > 200, "{tried}");
}

/// A change from the other side.
fn swapped(change: &Value) -> Value {
    let mut swapped = change.clone();
    let other = match change["change"].as_str().unwrap() {
        "added" => "removed",
        "removed" => "added",
        same => same,
    };
    swapped["change"] = json!(other);
    for (one, two) in [("before", "after"), ("old", "new")] {
        swapped[one] = change[two].clone();
        swapped[two] = change[one].clone();
    }
    if change["change"] == "renamed" {
        swapped["name"] = change["before"].clone();
    } else {
        // Of what was renamed and changed, each side has its own name.
        swapped["name"] = Value::Null;
    }
    swapped
}

fn normalized(changes: &[Value], is_swapped: bool) -> Vec<String> {
    let mut all: Vec<String> = changes
        .iter()
        .map(|change| {
            let mut text = if is_swapped { swapped(change) } else { change.clone() };
            if change["change"] != "renamed" {
                text["name"] = Value::Null;
            }
            text["old"]["file"] = Value::Null;
            text["new"]["file"] = Value::Null;
            text.to_string()
        })
        .collect();
    all.sort();
    all
}

#[test]
fn swapped_sides_show_the_opposite() {
    let mut shown = 0;
    for pair in DOCUMENTS.windows(2) {
        let [(one, old), (other, new)] = pair else { continue };
        if old.get("activities").is_some() != new.get("activities").is_some()
            || old.get("Parties").is_some() != new.get("Parties").is_some()
        {
            continue;
        }
        let (there, back) = (changes(old, new), changes(new, old));
        assert_eq!(normalized(&there, false), normalized(&back, true), "{one} {other}");
        shown += there.len();
    }
    for (name, document) in DOCUMENTS.iter() {
        let Some(list) = document.get("activities").and_then(Value::as_array) else { continue };
        let mut turned = list.clone();
        turned.reverse();
        let mut other = document.clone();
        other["activities"] = Value::Array(turned);
        let (there, back) = (changes(document, &other), changes(&other, document));
        assert_eq!(normalized(&there, false), normalized(&back, true), "{name}");
        assert!(there.len() < list.len().max(1), "{name}: one stays");
        shown += there.len();
    }
    assert!(shown > 50, "{shown}");
}
