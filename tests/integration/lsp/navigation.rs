//! Definitions, references, symbols, folding and selection, as the protocol has them.

use serde_json::{Value, json};

use super::actions::applied;
use super::client::{Client, uri_in};
use crate::support::folder::{Folder, copy_of};

/// The position of a text in an ASCII document, and a bit further.
fn position(text: &str, wanted: &str, inside: usize) -> Value {
    let offset = text.find(wanted).unwrap() + inside;
    let line = text[..offset].matches('\n').count();
    json!({ "line": line, "character": offset - text[..offset].rfind('\n').map_or(0, |end| end + 1) })
}

fn at(folder: &Folder, name: &str, wanted: &str, inside: usize) -> Value {
    let position = position(&folder.read(name), wanted, inside);
    json!({ "textDocument": { "uri": uri_in(folder, name) }, "position": position })
}

#[test]
fn variable_is_found_in_all_documents_of_its_service() {
    let folder = copy_of("examples/approval");
    let (workflow, form) = ("order.workflow.json", "order.form.json");
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    client.open(&uri_in(&folder, workflow), &folder.read(workflow));
    let place = at(&folder, workflow, "\"ApproverGroup\"", 3);
    let found = client.request("textDocument/definition", place.clone());
    let declaration = &found[0];
    assert_eq!(declaration["uri"], uri_in(&folder, workflow), "{found}");
    let mut params = place.clone();
    params["context"] = json!({ "includeDeclaration": true });
    let references = client.request("textDocument/references", params);
    let of = |name: &str| references.as_array().unwrap().iter().filter(|it| it["uri"] == uri_in(&folder, name)).count();
    assert!(of(workflow) >= 2, "{references}");
    assert!(references.as_array().unwrap().contains(declaration));
    let highlights = client.request("textDocument/documentHighlight", place);
    assert_eq!(highlights.as_array().unwrap().len(), of(workflow));
    let shown = client.request("textDocument/hover", at(&folder, workflow, "\"ApproverGroup\"", 3));
    assert_eq!(shown["contents"]["kind"], "markdown");
    assert!(shown["contents"]["value"].as_str().unwrap().contains("ApproverGroup"), "{shown}");
    let nothing = at(&folder, workflow, "{", 0);
    assert_eq!(client.request("textDocument/hover", nothing.clone()), Value::Null);
    assert_eq!(client.request("textDocument/definition", nothing), Value::Null);
    let unknown =
        json!({ "textDocument": { "uri": "file:///nowhere/a.json" }, "position": { "line": 9, "character": 9 } });
    assert_eq!(client.request("textDocument/definition", unknown), Value::Null);
    client.open(&uri_in(&folder, form), &folder.read(form));
    client.shut_down();
}

#[test]
fn questions_are_about_the_text_as_it_is() {
    let folder = copy_of("examples/approval");
    let (workflow, form) = ("order.workflow.json", "order.form.json");
    let (uri, form) = (uri_in(&folder, workflow), uri_in(&folder, form));
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    client.open(&uri, &folder.read(workflow));
    let mut place = at(&folder, workflow, "\"ApproverGroup\"", 3);
    place["context"] = json!({ "includeDeclaration": true });
    let count = |client: &mut Client| {
        let references = client.request("textDocument/references", place.clone());
        references.as_array().map_or(0, Vec::len)
    };
    let first = count(&mut client);
    assert_eq!(count(&mut client), first);
    let others = folder.read("order.form.json").matches("\"ApproverGroup\"").count();
    assert!(first > others && others > 0);
    client.open(&form, "{}");
    let without_form = count(&mut client);
    assert!(without_form < first);
    client.change(&form, 2, json!([{ "text": folder.read("order.form.json") }]));
    assert_eq!(count(&mut client), first);
    client.change(&form, 3, json!([{ "text": "{}" }]));
    client.published(&form, 3);
    assert_eq!(count(&mut client), without_form);
    client.close(&form);
    assert_eq!(count(&mut client), first);
    client.shut_down();
}

#[test]
fn names_are_completed_in_broken_documents_too() {
    let folder = copy_of("examples/approval");
    let workflow = "order.workflow.json";
    let text = folder.read(workflow);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let uri = uri_in(&folder, workflow);
    client.open(&uri, &text);
    client.published(&uri, 1);
    let place = at(&folder, workflow, "\"ApproverGroup\"", 2);
    for broken in [false, true] {
        if broken {
            let cut = text.trim_end().strip_suffix('}').unwrap();
            client.change(&uri, 2, json!([{ "text": cut }]));
            assert_eq!(client.published(&uri, 2)[0]["code"], "WF001");
        }
        let found = client.request("textDocument/completion", place.clone());
        let item = found.as_array().unwrap().iter().find(|item| item["label"] == "ApproverGroup");
        assert!(item.is_some_and(|item| item["textEdit"]["newText"].is_string()), "{found}");
    }
    client.shut_down();
}

#[test]
fn completions_come_before_those_of_an_editor_for_json() {
    let folder = copy_of("examples/approval");
    let workflow = "order.workflow.json";
    let text = folder.read(workflow);
    let inside = at(&folder, workflow, "\"ApproverGroup\"", 2);
    let place = &inside["position"];
    let (line, character) = (&place["line"], place["character"].as_u64().unwrap() - 1);
    for (replaces, written) in [(false, "ApproverGroup"), (true, "\"ApproverGroup")] {
        let item = json!({ "insertReplaceSupport": replaces });
        let capabilities = json!({ "textDocument": { "completion": { "completionItem": item } } });
        let mut client = Client::in_folder(&folder, &capabilities, &json!({}));
        client.open(&uri_in(&folder, workflow), &text);
        let found = client.request("textDocument/completion", inside.clone());
        let item = found.as_array().unwrap().iter().find(|item| item["label"] == "ApproverGroup").unwrap();
        assert_eq!((&item["filterText"], &item["textEdit"]["newText"]), (&json!(written), &json!(written)));
        let start = json!({ "line": line, "character": character - u64::from(replaces) });
        assert_eq!(item["textEdit"]["range"]["start"], start);
        assert_eq!(applied(&text, &json!([item["textEdit"]])), text, "the quotes are those that were there");
        assert!(item["sortText"].as_str().unwrap() < "\"");
        client.shut_down();
    }
}

#[test]
fn renamed_service_has_the_findings_that_it_had() {
    let folder = copy_of("examples/approval");
    let workflow = "order.workflow.json";
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    client.open(&uri_in(&folder, workflow), &folder.read(workflow));
    let mut params = at(&folder, workflow, "\"ApproverGroup\"", 3);
    let prepared = client.request("textDocument/prepareRename", params.clone());
    assert_eq!(prepared["placeholder"], "ApproverGroup");
    let before = folder.found(&[]);
    params["newName"] = json!("not {a} name");
    assert_eq!(client.call("textDocument/rename", params.clone())["error"]["code"], -32803);
    params["newName"] = json!("Approvers");
    let edit = client.request("textDocument/rename", params);
    for (uri, edits) in edit["changes"].as_object().unwrap() {
        let name = std::path::Path::new(uri).file_name().unwrap().to_str().unwrap().to_owned();
        let text = applied(&folder.read(&name), edits);
        assert!(text.contains("\"Approvers\"") && !text.contains("\"boundTo\": \"ApproverGroup\""), "{name}");
        folder.write(&name, text);
    }
    assert_eq!(folder.found(&[]), before);
    let nothing = at(&folder, workflow, "{", 0);
    assert_eq!(client.call("textDocument/prepareRename", nothing)["error"]["code"], -32803);
    client.shut_down();
}

#[test]
fn variable_is_renamed_in_scenarios_beside_a_file_that_is_opened_alone() {
    let folder = copy_of("examples/approval");
    let workflow = "order.workflow.json";
    let mut client = Client::start(folder.path());
    client.request("initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} }));
    client.notify("initialized", json!({}));
    client.open(&uri_in(&folder, workflow), &folder.read(workflow));
    let mut params = at(&folder, workflow, "\"boundTo\": \"ApprovalResult\"", 14);
    params["newName"] = json!("Decision");
    let edit = client.request("textDocument/rename", params);
    assert!(edit["changes"].get(uri_in(&folder, "approved.scenario.yaml")).is_some(), "{edit}");
    client.shut_down();
}

#[test]
fn symbols_are_activities_fields_and_variables() {
    let text = r#"{
  "activities": [
    { "name": "Wait", "type": "While", "activities": [
      { "name": "Say", "type": "Status" }
    ] }
  ],
  "variables": [{ "name": "State", "type": "String" }]
}"#;
    let folder = Folder::with(&[("sign/a.json", text)]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let uri = uri_in(&folder, "sign/a.json");
    client.open(&uri, text);
    let document = json!({ "textDocument": { "uri": uri } });
    let symbols = client.request("textDocument/documentSymbol", document.clone());
    assert_eq!((&symbols[0]["name"], &symbols[0]["detail"]), (&json!("Wait"), &json!("While")));
    assert_eq!(symbols[0]["children"][0]["name"], "Say");
    assert_eq!((&symbols[1]["name"], &symbols[1]["kind"]), (&json!("State"), &json!(13)));
    let selection = json!({ "start": { "line": 2, "character": 14 }, "end": { "line": 2, "character": 20 } });
    assert_eq!(symbols[0]["selectionRange"], selection);
    let found = client.request("workspace/symbol", json!({ "query": "sa" }));
    let names: Vec<&Value> = found.as_array().unwrap().iter().map(|symbol| &symbol["name"]).collect();
    assert_eq!(names, ["Say", "State"]);
    assert_eq!(client.request("workspace/symbol", json!({ "query": "sign" }))[0]["name"], "sign");
    let folds = client.request("textDocument/foldingRange", document);
    let lines = |fold: &Value| (fold["startLine"].as_u64().unwrap(), fold["endLine"].as_u64().unwrap());
    let folds: Vec<(u64, u64)> = folds.as_array().unwrap().iter().map(lines).collect();
    assert_eq!(folds, [(0, 6), (1, 4), (2, 3)]);
    let place = position(text, "State", 2);
    let selections =
        client.request("textDocument/selectionRange", json!({ "textDocument": { "uri": uri }, "positions": [place] }));
    let mut around = &selections[0];
    let mut widths = Vec::new();
    while around.is_object() {
        widths.push(around["range"].clone());
        around = &around["parent"];
    }
    assert_eq!(widths[0], json!({ "start": { "line": 6, "character": 26 }, "end": { "line": 6, "character": 33 } }));
    assert_eq!(widths.last().unwrap()["end"], json!({ "line": 7, "character": 1 }));
    assert_eq!(widths.len(), 6, "{widths:?}");
    client.change(&uri, 2, json!([{ "text": "{ \"activities\": [" }]));
    assert_eq!(client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } })), Value::Null);
    client.shut_down();
}
