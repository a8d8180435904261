//! The JSON Schema and the reader accept the same scenarios.

use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};

use super::{ScenarioSyntax, read};

static VALIDATOR: LazyLock<Validator> = LazyLock::new(|| {
    let schema = crate::schema::SCHEMAS.iter().find(|schema| schema.name == "scenario").unwrap();
    jsonschema::validator_for(&serde_json::from_str(schema.text).unwrap()).unwrap()
});

/// Whether reader and schema accept a scenario; fails when they disagree.
fn is_accepted(scenario: &Value) -> bool {
    let text = scenario.to_string();
    let read = read(&text, ScenarioSyntax::Json);
    assert_eq!(read.is_ok(), VALIDATOR.is_valid(scenario), "{text}\n{read:?}");
    read.is_ok()
}

fn with(key: &str, value: &Value) -> Value {
    json!({ "workflow": "w.json", key: value })
}

/// A scenario with every key and every form that a value may have.
fn full() -> Value {
    json!({
        "name": "n", "workflow": "w.json", "form": "f.json", "culture": "en-US", "start": "2024-01-01T08:00:00.5+01:00",
        "requester": "a@b",
        "submit": { "a": "text", "b": { "file": "f.pdf" } },
        "variables": { "a": "text" },
        "directory": [{ "dn": "CN=A", "mail": "a@b", "member": ["CN=B", "CN=C"] }],
        "signing": { "a@b": { "after": "1h", "action": "sign" } },
        "approvals": {
            "A": { "a@b": { "after": "1h", "action": "approve" } },
            "B": [{ "a@b": { "after": "1h", "action": "reject" } }]
        },
        "faults": [{ "method": "m", "call": 1, "error": "e" }],
        "providers": { "m": [{ "outputs": { "o": "v" } }, { "error": "e" }] },
        "limits": { "steps": 5, "virtual-time": "1d", "script-seconds": 1.5 },
        "expect": {
            "outcome": "stuck", "variables": { "v": "x" }, "statuses": ["...", "s"],
            "elapsed": { "at-least": "1h", "at-most": "2h" }, "calls": { "m": { "at-least": 0, "at-most": "7" } },
            "mails": [{ "to": "a@b", "kind": "reminder" }], "approvals": { "A": "timed-out" }, "failure": "f"
        }
    })
}

#[test]
fn reader_and_schema_accept_valid_scenarios() {
    assert!(is_accepted(&full()));
    for (key, value) in [
        ("name", json!(5)),
        ("form", Value::Null),
        ("submit", json!({ "a": 1.10, "b": true, "c": null })),
        ("directory", json!("people.ldif")),
        ("approvals", json!([{ "a@b": { "after": "0s", "action": "reject" } }, {}])),
        ("faults", json!([{ "method": "m", "call": null, "error": "" }])),
        ("providers", json!({ "m": [{ "outputs": {}, "error": null }] })),
        ("limits", json!({ "steps": "100", "script-seconds": "0.5" })),
        ("expect", json!({})),
        ("expect", json!({ "elapsed": "1d", "calls": { "m": 3, "n": "4" } })),
        ("signing", json!({ "a@b": [{}, { "after": "1h", "action": "sign" }], "c@d": [] })),
        ("expect", json!({ "elapsed": { "at-most": "1h", "at-least": null }, "mails": [{}], "statuses": [] })),
    ] {
        assert!(is_accepted(&with(key, &value)), "{key}: {value}");
    }
}

#[test]
fn reader_and_schema_reject_invalid_scenarios() {
    for bad in [json!({}), json!([]), json!({ "name": "n" }), json!({ "workflow": "" }), json!({ "workflow": null })] {
        assert!(!is_accepted(&bad), "{bad}");
    }
    for (key, value) in [
        ("nmae", json!("n")),
        ("start", json!("2024-01-01")),
        ("submit", json!({ "a": { "fil": "x" } })),
        ("submit", json!({ "a": { "file": "x", "more": 1 } })),
        ("directory", json!({ "dn": "CN=A" })),
        ("directory", json!([{ "mail": "a@b" }])),
        ("directory", json!([{ "dn": "CN=A", "mail": null }])),
        ("signing", json!({ "a@b": { "after": "1h" } })),
        ("signing", json!({ "a@b": { "after": "1h", "action": "approve" } })),
        ("signing", json!([{ "a@b": { "after": "1h", "action": "sign" } }])),
        ("approvals", json!({ "A": null })),
        ("faults", json!([{ "method": "m", "call": 0, "error": "e" }])),
        ("faults", json!([{ "method": "m" }])),
        ("providers", json!({ "m": { "error": "e" } })),
        ("providers", json!({ "m": [{ "error": "e", "outputs": {} }] })),
        ("providers", json!({ "m": [{}] })),
        ("limits", json!({ "steps": -1 })),
        ("limits", json!({ "script-seconds": 0 })),
        ("limits", json!({ "script-seconds": "0.0" })),
        ("limits", json!({ "virtual-time": 5 })),
        ("expect", json!({ "elapsed": {} })),
        ("expect", json!({ "calls": { "m": -3 } })),
        ("expect", json!({ "calls": { "m": null } })),
        ("expect", json!({ "elapsed": 3 })),
        ("signing", json!({ "a@b": {} })),
        ("signing", json!({ "a@b": [{ "after": "1h" }] })),
        ("signing", json!({ "a@b": [null] })),
        ("expect", json!({ "mails": [{ "kind": "letter" }] })),
        ("expect", json!({ "statuses": [null] })),
    ] {
        assert!(!is_accepted(&with(key, &value)), "{key}: {value}");
    }
}

/// Every value of a full scenario is replaced by a value of each kind, removed and renamed.
#[test]
fn reader_and_schema_agree_on_every_changed_value() {
    let mut pointers = Vec::new();
    collect(&full(), String::new(), &mut pointers);
    let mut accepted = 0;
    for pointer in &pointers {
        for other in [
            Value::Null,
            json!(true),
            json!(7),
            json!(-1),
            json!(0),
            json!(1.5),
            json!("text"),
            json!(""),
            json!("30d"),
            json!("3"),
            json!([]),
            json!(["text"]),
            json!([{}]),
            json!({}),
            json!({ "file": "f" }),
            json!({ "unknown": {} }),
        ] {
            let mut changed = full();
            *changed.pointer_mut(pointer).unwrap() = other;
            // What a schema cannot say: how two bounds compare, and what a distinguished name is.
            if !pointer.ends_with("/at-most") && !pointer.ends_with("/at-least") && !pointer.ends_with("/dn") {
                accepted += usize::from(is_accepted(&changed));
            }
        }
        let Some((around, key)) = pointer.rsplit_once('/') else { continue };
        let mut changed = full();
        if let Some(members) = changed.pointer_mut(around).and_then(Value::as_object_mut) {
            let value = members.remove(key).unwrap();
            is_accepted(&changed);
            changed.pointer_mut(around).unwrap()["renamed"] = value;
            is_accepted(&changed);
        }
    }
    assert!(accepted > 100, "most changes are rejected: {accepted}");
}

fn collect(value: &Value, pointer: String, pointers: &mut Vec<String>) {
    match value {
        Value::Array(values) => {
            (0..)
                .zip(values)
                .for_each(|(index, value): (usize, _)| collect(value, format!("{pointer}/{index}"), pointers));
        }
        Value::Object(members) => {
            members.iter().for_each(|(key, value)| collect(value, format!("{pointer}/{key}"), pointers));
        }
        _ => {}
    }
    pointers.push(pointer);
}
