//! Settings that are not for this server.

use serde_json::{Value, json};

use super::client::{Client, uri_in};
use crate::support::folder::copy_of;

fn codes(shown: &[Value]) -> Vec<&str> {
    shown.iter().map(|it| it["code"].as_str().unwrap()).collect()
}

/// What Zed sends to the server that it takes for that of JSON: its options, then the settings of all documents.
#[test]
fn settings_of_others_change_nothing() {
    let folder = copy_of("examples");
    let name = "broken/order.workflow.json";
    let uri = uri_in(&folder, name);
    let options = json!({ "provideFormatter": true, "ignore": ["WF4"] });
    let mut client = Client::in_folder(&folder, &json!({ "workspace": { "configuration": true } }), &options);
    let schema =
        json!({ "fileMatch": ["tsconfig.json"], "schema": { "$schema": "http://json-schema.org/draft-07/schema#" } });
    let json_settings = json!({ "format": { "enable": true }, "validate": { "enable": true }, "schemas": [schema] });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "json": json_settings } }));
    client.notify("workspace/didChangeConfiguration", json!({ "settings": {} }));
    client.open(&uri, &folder.read(name));
    let is_shown = |message: &Value| message["method"] == "window/showMessage";
    let shown = client.wait(|message| is_shown(message) || message["method"] == "textDocument/publishDiagnostics");
    assert!(!is_shown(&shown), "{shown}");
    let shown = shown["params"]["diagnostics"].as_array().unwrap().clone();
    assert!(!shown.is_empty() && codes(&shown).iter().all(|code| !code.starts_with("WF4")), "{shown:?}");
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "wflint": {} } }));
    assert!(codes(&client.published(&uri, 1)).contains(&"WF404"));
    client.shut_down();
}
