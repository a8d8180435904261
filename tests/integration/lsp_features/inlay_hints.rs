//! Inlay hints.

use wflint::lsp::features::inlay_hints;

use super::editor::Editor;

/// A workflow with its hints in it, each in `«»`.
fn shown(text: &str) -> String {
    let editor = Editor::with(&[("order.json", text)]);
    let file = editor.ids()[0];
    let mut text = editor.text(file);
    for hint in editor.ask(|snapshot| inlay_hints(snapshot, file, 0..=u32::MAX)).into_iter().rev() {
        text.insert_str(hint.offset as usize, &format!("«{}»", hint.label));
    }
    text
}

#[test]
fn call_shows_the_variables_that_it_writes() {
    let lookup = r#"{ "activities": [
  { "name": "Look up", "type": "Provider", "method": "Get-ZPADUser", "providerParameters": [
    { "name": "Prefix", "value": { "state": "static", "value": "User" } },
    { "name": "Property", "value": { "state": "static", "value": "a,b,c,d,e,f" } } ] },
  { "type": "Provider", "method": "Get-ZPADUser", "providerParameters": [
    { "name": "Prefix", "value": { "state": "static", "value": "Own" } },
    { "name": "Property", "value": { "state": "static", "value": "mail" } } ] },
  { "name": "Lost", "type": "Provider", "method": "Get-ZPADUser", "providerParameters": [] },
  { "name": "Unknown", "type": "Provider", "method": "Get-Something", "providerParameters": [] }
], "variables": [VARIABLES] }"#;
    let names = ["Usera", "Userb", "Userc", "Userd", "Usere", "Ownmail"];
    let variables = names.map(|name| format!("{{ \"name\": \"{name}\", \"type\": \"String\" }}")).join(", ");
    let lookup = lookup.replace("VARIABLES", &variables);
    let found = shown(&lookup);
    assert!(found.contains("\"Look up\"«→ Usera, Userb, Userc, Userd, … 1 more»,"), "{found}");
    assert!(found.contains("  {«→ Ownmail» \"type\""), "{found}");
    assert_eq!(found.matches('«').count(), 2, "{found}");
}

#[test]
fn delay_is_in_words() {
    let loops = |delay: &str| {
        let text = format!(
            r#"{{ "activities": [{{ "name": "Wait", "type": "While", "iterationDelaySeconds": {delay} }}], "variables": [] }}"#
        );
        shown(&text)
    };
    assert!(loops(r#"{ "isBound": false, "value": 345600 }"#).contains("345600«4 days»"));
    assert!(loops(r#"{ "isBound": false, "value": "90" }"#).contains("\"90\"«1 minute 30 seconds»"));
    let without = [
        r#"{ "isBound": true, "boundTo": "Delay", "value": 60 }"#,
        r#"{ "isBound": false, "value": 0 }"#,
        r#"{ "isBound": false, "value": "soon" }"#,
        r#"{ "isBound": false, "value": [60] }"#,
        "60",
    ];
    for delay in without {
        assert!(!loops(delay).contains('«'), "{delay}");
    }
}

#[test]
fn only_the_range_that_is_asked_for_has_hints() {
    let text = r#"{ "activities": [
  { "name": "A", "type": "While", "iterationDelaySeconds": { "isBound": false, "value": 60 } },
  { "name": "B", "type": "While", "iterationDelaySeconds": { "isBound": false, "value": 3600 } }
], "variables": [] }"#;
    let editor = Editor::with(&[("order.json", text)]);
    let end = |value: &str| u32::try_from(text.find(value).unwrap() + value.len()).unwrap();
    let labels = |range| {
        let hints = editor.ask(|snapshot| inlay_hints(snapshot, editor.ids()[0], range));
        hints.into_iter().map(|hint| hint.label).collect::<Vec<_>>()
    };
    assert_eq!(labels(0..=end(": 60")), ["1 minute"]);
    assert_eq!(labels(end(": 60") + 1..=end(": 3600")), ["1 hour"]);
    assert_eq!(labels(end(": 3600") + 1..=u32::MAX), [""; 0]);
}
