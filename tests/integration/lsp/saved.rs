//! Documents that are saved, and files that are new: what is on the disk counts once a document is closed.

use serde_json::{Value, json};

use super::client::{Client, uri_in};
use crate::support::folder::Folder;

const EMPTY: &str = r#"{ "fields": [], "variables": [] }"#;

/// The form that declares the variable which the workflow writes.
const DECLARING: &str = r#"{ "fields": [], "variables": [{ "name": "SignId", "type": "String" }] }"#;

const WORKFLOW: &str = r#"{ "activities": [{ "name": "Sign", "type": "Provider",
  "method": "Request-ZPESignDocumentSignature", "providerParameters": [
    { "name": "Prefix", "value": { "state": "static", "value": "Sign" } } ] }], "variables": [] }"#;

const CREATED: u8 = 1;
const CHANGED: u8 = 2;

/// A client with the workflow open.
fn client(folder: &Folder) -> Client {
    let mut client = Client::in_folder(folder, &json!({}), &json!({}));
    client.open(&uri_in(folder, "order.workflow.json"), WORKFLOW);
    client
}

fn notify(client: &mut Client, uri: &str, kind: u8) {
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": kind }] }));
}

/// Whether the workflow is read with a form that declares its output.
fn is_declared(client: &mut Client, folder: &Folder) -> bool {
    let (start, end) = (json!({ "line": 0, "character": 0 }), json!({ "line": 9, "character": 0 }));
    let document = json!({ "uri": uri_in(folder, "order.workflow.json") });
    let params = json!({ "textDocument": document, "range": { "start": start, "end": end } });
    client.request("textDocument/inlayHint", params) != json!([])
}

#[test]
fn saved_document_stays_as_it_is_when_it_is_closed() {
    let folder = Folder::with(&[("order.workflow.json", WORKFLOW), ("order.form.json", EMPTY)]);
    let form = uri_in(&folder, "order.form.json");
    let mut client = client(&folder);
    client.open(&form, EMPTY);
    client.published(&form, 1);
    assert!(!is_declared(&mut client, &folder));
    client.change(&form, 2, json!([{ "text": DECLARING }]));
    client.published(&form, 2);
    folder.write("order.form.json", DECLARING);
    notify(&mut client, &form, CHANGED);
    client.close(&form);
    assert!(is_declared(&mut client, &folder));
    client.shut_down();
}

#[test]
fn new_document_is_read_from_the_disk_once_it_was_saved() {
    let folder = Folder::with(&[("order.workflow.json", WORKFLOW)]);
    let form = uri_in(&folder, "order.form.json");
    let mut client = client(&folder);
    assert!(!is_declared(&mut client, &folder));
    client.open(&form, DECLARING);
    assert!(is_declared(&mut client, &folder), "asked at once, before the folder was loaded again");
    folder.write("order.form.json", DECLARING);
    client.close(&form);
    assert!(is_declared(&mut client, &folder));
    folder.write("order.form.json", EMPTY);
    notify(&mut client, &form, CHANGED);
    assert!(!is_declared(&mut client, &folder));
    client.shut_down();
}

#[test]
fn new_scenario_is_seen() {
    let folder = Folder::with(&[("order.workflow.json", WORKFLOW)]);
    let mut client = client(&folder);
    let titles = |client: &mut Client| {
        let document = json!({ "uri": uri_in(&folder, "order.workflow.json") });
        let lenses = client.request("textDocument/codeLens", json!({ "textDocument": document }));
        let title = |lens: &Value| lens["command"]["title"].as_str().unwrap().to_owned();
        lenses.as_array().unwrap().iter().map(title).collect::<Vec<_>>()
    };
    assert_eq!(titles(&mut client), ["explore"]);
    folder.write("a.scenario.yaml", "workflow: order.workflow.json\n");
    notify(&mut client, &uri_in(&folder, "a.scenario.yaml"), CREATED);
    assert_eq!(titles(&mut client), ["run 1 scenario", "explore"]);
    // A client that watches no files.
    let other = uri_in(&folder, "b.scenario.yaml");
    client.open(&other, "workflow: order.workflow.json\n");
    folder.write("b.scenario.yaml", "workflow: order.workflow.json\n");
    client.close(&other);
    assert_eq!(titles(&mut client), ["run 2 scenarios", "explore"]);
    client.shut_down();
}

#[test]
fn symbols_wait_for_the_folder() {
    let folder = Folder::with(&[("order.form.json", DECLARING)]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let symbols = client.request("workspace/symbol", json!({ "query": "SignId" }));
    assert_eq!(symbols[0]["name"], "SignId");
    client.shut_down();
}
