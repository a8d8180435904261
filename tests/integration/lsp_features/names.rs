//! Definitions, references and highlights of names.

use wflint::lsp::features::{FileSpan, definition, highlights, references};

use super::editor::Editor;

const WORKFLOW: &str = r#"{
  "activities": [
    {
      "name": "Request",
      "type": "Provider",
      "method": "Request-ZPESignDocumentSignature",
      "providerParameters": [
        { "name": "PartyName", "value": { "state": "bound", "boundTo": "Name" } },
        { "name": "Prefix", "value": { "state": "static", "value": "ESign" } }
      ],
      "allProviderParameters": [
        { "name": "PartyName", "value": { "state": "bound", "boundTo": "Name" } }
      ],
      "ownBoundVariables": ["Name"]
    },
    {
      "name": "Script",
      "type": "Code",
      "parameters": [{ "name": "who", "value": { "isBound": true, "boundTo": "Name" } }],
      "script": "Json = JSON.stringify({ \"a\": who });"
    },
    {
      "name": "Say",
      "type": "Assign",
      "result": { "isBound": true, "boundTo": "State" },
      "body": "\u00e9 for {Name} and {ESignId}",
      "assignedVariables": [{ "isBound": true, "boundTo": "Name" }]
    },
    { "name": "Ask", "type": "Approval", "connectedFormName": "Other", "assignees": [] }
  ],
  "variables": [
    { "name": "Name", "id": 1, "variableType": "String" },
    { "name": "State", "id": 2, "variableType": "String" },
    { "name": "ESignId", "id": 3, "variableType": "String" }
  ]
}
"#;

const FORM: &str = r#"{
  "fields": [{ "name": "Who", "type": "InputText", "boundTo": "Name", "onLoad": "show('Name')" }],
  "variables": [{ "name": "Name", "id": 1 }]
}
"#;

/// The service with the cursor in the workflow.
fn service(place: &str) -> Editor {
    let at = place.replace("<|>", "");
    assert_eq!(WORKFLOW.matches(&at).count(), 1, "{at}");
    let workflow = WORKFLOW.replace(&at, place);
    Editor::with(&[("order.json", &workflow), ("form.json", FORM), ("Other.json", "{ \"fields\": [] }")])
}

fn defined(editor: &Editor) -> Vec<String> {
    let (file, offset) = editor.cursor;
    let found = editor.ask(|snapshot| definition(snapshot, file, offset));
    found.into_iter().flat_map(|found| found.targets).map(|place| editor.show(place)).collect()
}

fn referred(editor: &Editor) -> Vec<String> {
    let (file, offset) = editor.cursor;
    let found = editor.ask(|snapshot| references(snapshot, file, offset, false));
    found.into_iter().map(|place| editor.show(place)).collect()
}

#[test]
fn every_place_with_a_name_leads_to_the_declaration() {
    for place in [
        r#"{ "state": "bound", "boundTo": "<|>Name" } },"#,
        r#""ownBoundVariables": ["Name<|>"]"#,
        r#""parameters": [{ "name": "who", "value": { "isBound": true, "boundTo": "N<|>ame" } }]"#,
        r#""parameters": [{ "name": "w<|>ho""#,
        r#"{ \"a\": <|>who }"#,
        r"for {<|>Name}",
        r#""assignedVariables": [{ "isBound": true, "boundTo": "Na<|>me" }]"#,
        r#"{ "name": "<|>Name", "id": 1"#,
    ] {
        let editor = service(place);
        let wanted = r#"order.json: { "name": "«Name»", "id": 1, "variableType": "String" },"#;
        assert_eq!(defined(&editor), [wanted], "{place}");
    }
}

#[test]
fn output_leads_to_the_calls_that_write_it() {
    let editor = service("and {ESign<|>Id}");
    assert_eq!(
        defined(&editor),
        [
            r#"order.json: { "name": "«ESignId»", "id": 3, "variableType": "String" }"#,
            r#"order.json: { "name": "Prefix", "value": { "state": "static", "value": "«ESign»" } }"#
        ]
    );
}

#[test]
fn connected_form_leads_to_its_file() {
    assert_eq!(defined(&service(r#""connectedFormName": "Ot<|>her""#)), [r#"Other.json: «»{ "fields": [] }"#]);
}

#[test]
fn place_without_a_name_leads_nowhere() {
    for place in [r#""type": "<|>Code""#, r#""bo<|>dy""#, r"\u00e9<|> for", r#"<|>"activities""#] {
        assert_eq!((defined(&service(place)), referred(&service(place))), (Vec::new(), Vec::new()), "{place}");
    }
}

#[test]
fn references_are_all_places_of_the_service() {
    assert_eq!(
        referred(&service("for {Na<|>me}")),
        [
            r#"form.json: "fields": [{ "name": "Who", "type": "InputText", "boundTo": "«Name»", "onLoad": "show('Name')" }],"#,
            r#"form.json: "fields": [{ "name": "Who", "type": "InputText", "boundTo": "Name", "onLoad": "show('«Name»')" }],"#,
            r#"form.json: "variables": [{ "name": "«Name»", "id": 1 }]"#,
            r#"order.json: { "name": "PartyName", "value": { "state": "bound", "boundTo": "«Name»" } },"#,
            r#"order.json: { "name": "PartyName", "value": { "state": "bound", "boundTo": "«Name»" } }"#,
            r#"order.json: "ownBoundVariables": ["«Name»"]"#,
            r#"order.json: "parameters": [{ "name": "«who»", "value": { "isBound": true, "boundTo": "Name" } }],"#,
            r#"order.json: "parameters": [{ "name": "who", "value": { "isBound": true, "boundTo": "«Name»" } }],"#,
            r#"order.json: "script": "Json = JSON.stringify({ \"a\": «who» });""#,
            r#"order.json: "body": "\u00e9 for {«Name»} and {ESignId}","#,
            r#"order.json: "assignedVariables": [{ "isBound": true, "boundTo": "«Name»" }]"#
        ]
    );
}

#[test]
fn highlights_are_reads_and_writes_in_the_file() {
    let editor = service("for {<|>Name}");
    let (file, offset) = editor.cursor;
    let found = editor.ask(|snapshot| highlights(snapshot, file, offset));
    let shown: Vec<String> = found
        .iter()
        .map(|found| {
            let kind = format!("{:?}", found.kind).to_lowercase();
            format!("{kind} {}", editor.show(FileSpan { file, span: found.span }).split_once(": ").unwrap().1)
        })
        .collect();
    assert_eq!(
        shown,
        [
            r#"read { "name": "PartyName", "value": { "state": "bound", "boundTo": "«Name»" } },"#,
            r#"text { "name": "PartyName", "value": { "state": "bound", "boundTo": "«Name»" } }"#,
            r#"text "ownBoundVariables": ["«Name»"]"#,
            r#"text "parameters": [{ "name": "«who»", "value": { "isBound": true, "boundTo": "Name" } }],"#,
            r#"read "parameters": [{ "name": "who", "value": { "isBound": true, "boundTo": "«Name»" } }],"#,
            r#"read "script": "Json = JSON.stringify({ \"a\": «who» });""#,
            r#"read "body": "\u00e9 for {«Name»} and {ESignId}","#,
            r#"text "assignedVariables": [{ "isBound": true, "boundTo": "«Name»" }]"#,
            r#"text { "name": "«Name»", "id": 1, "variableType": "String" },"#
        ]
    );
}
