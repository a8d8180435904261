//! What editors show beside the text: code lenses and inlay hints.

use serde_json::{Value, json};

use super::client::{Client, uri_in};
use crate::support::folder::Folder;

const SCENARIO: &str = "workflow: order.workflow.json\n";

/// The name of the call has characters of two and four bytes.
const ORDER: &str = r#"{ "activities": [
  { "name": "Sign 🖊 é", "type": "Provider", "method": "Request-ZPESignDocumentSignature", "providerParameters": [
    { "name": "Prefix", "value": { "state": "static", "value": "Sign" } } ] },
  { "name": "Wait", "type": "While", "iterationDelaySeconds": { "isBound": false, "value": "345600" },
    "expression": { "type": "EqualityExpression", "operand": "equal",
      "left": { "isBound": true, "boundTo": "SignId" }, "right": { "isBound": false, "value": "x" } },
    "activities": [] }
], "variables": [{ "name": "SignId", "type": "String" }] }"#;

fn lenses(client: &mut Client, uri: &str) -> Vec<(String, String, Value)> {
    let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    let shown = |lens: &Value| {
        let command = &lens["command"];
        let text = |name: &str| command[name].as_str().unwrap().to_owned();
        (text("title"), text("command"), command["arguments"].clone())
    };
    lenses.as_array().unwrap().iter().map(shown).collect()
}

#[test]
fn lenses_run_what_is_there() {
    let empty = r#"{ "activities": [], "variables": [] }"#;
    let other = "workflow: other.workflow.json\n";
    let folder = Folder::with(&[
        ("order.workflow.json", empty),
        ("order.form.json", r#"{ "fields": [] }"#),
        ("a.scenario.yaml", SCENARIO),
        ("inside/b.scenario.toml", "workflow = \"../order.workflow.json\"\n"),
        ("c.scenario.yaml", other),
    ]);
    let refreshes = json!({ "workspace": { "codeLens": { "refreshSupport": true } } });
    let mut client = Client::in_folder(&folder, &refreshes, &json!({}));
    let (workflow, scenario) = (uri_in(&folder, "order.workflow.json"), uri_in(&folder, "c.scenario.yaml"));
    client.open(&workflow, empty);
    client.published(&workflow, 1);
    let run = |title: &str, uri: &str| (title.to_owned(), "wflint.run".to_owned(), json!([uri]));
    let explore = ("explore".to_owned(), "wflint.explore".to_owned(), json!([workflow]));
    assert_eq!(lenses(&mut client, &workflow), [run("run 2 scenarios", &workflow), explore.clone()]);
    client.open(&scenario, SCENARIO);
    client.wait(|message| message["method"] == "workspace/codeLens/refresh");
    assert_eq!(lenses(&mut client, &workflow)[0], run("run 3 scenarios", &workflow));
    assert_eq!(lenses(&mut client, &scenario), [run("run", &scenario)]);
    client.change(&scenario, 2, json!([{ "text": other }]));
    let saved = folder.file("a.scenario.yaml");
    std::fs::remove_file(saved).unwrap();
    assert_eq!(lenses(&mut client, &workflow)[0], run("run 1 scenario", &workflow));
    folder.write("inside/b.scenario.toml", other);
    assert_eq!(lenses(&mut client, &workflow), std::slice::from_ref(&explore));
    // While it is typed, the lenses stay.
    client.change(&workflow, 2, json!([{ "text": "{ \"activities\": [" }]));
    assert_eq!(lenses(&mut client, &workflow), [explore]);
    assert_eq!(lenses(&mut client, &uri_in(&folder, "order.form.json")), []);
    assert_eq!(lenses(&mut client, "untitled:a"), []);
    client.shut_down();
}

fn hints(client: &mut Client, uri: &str, lines: (u32, u32)) -> Value {
    let range =
        json!({ "start": { "line": lines.0, "character": 0 }, "end": { "line": lines.1, "character": 100_000 } });
    client.request("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": range }))
}

#[test]
fn hints_are_right_behind_what_they_are_about() {
    let folder = Folder::with(&[("order.workflow.json", ORDER)]);
    let workflow = uri_in(&folder, "order.workflow.json");
    let places = [(json!(["utf-16"]), 23), (json!(["utf-8", "utf-16"]), 26)];
    for (encodings, character) in places {
        let capabilities = json!({ "general": { "positionEncodings": encodings } });
        let mut client = Client::in_folder(&folder, &capabilities, &json!({}));
        client.open(&workflow, ORDER);
        let found = hints(&mut client, &workflow, (0, 100));
        let shown: Vec<(&Value, &Value)> =
            found.as_array().unwrap().iter().map(|hint| (&hint["label"], &hint["position"])).collect();
        let call = json!({ "line": 1, "character": character });
        let delay = json!({ "line": 3, "character": 99 });
        assert_eq!(shown, [(&json!("→ SignId"), &call), (&json!("4 days"), &delay)]);
        assert_eq!(hints(&mut client, &workflow, (3, 3))[0]["label"], "4 days");
        assert_eq!(hints(&mut client, &workflow, (4, 9)), json!([]));
        client.shut_down();
    }
}

#[test]
fn hints_are_a_setting_and_are_asked_for_again() {
    let form = r#"{ "fields": [], "variables": [{ "name": "SignId", "type": "String" }] }"#;
    let order = ORDER.replace("{ \"name\": \"SignId\", \"type\": \"String\" }", "");
    let folder = Folder::with(&[("order.workflow.json", &order), ("order.form.json", "{ \"fields\": [] }")]);
    let refreshes = json!({ "workspace": { "inlayHint": { "refreshSupport": true } } });
    let mut client = Client::in_folder(&folder, &refreshes, &json!({}));
    let (workflow, other) = (uri_in(&folder, "order.workflow.json"), uri_in(&folder, "order.form.json"));
    client.open(&workflow, &order);
    assert_eq!(hints(&mut client, &workflow, (1, 1)), json!([]));
    client.published(&workflow, 1);
    let is_refresh = |message: &Value| message["method"] == "workspace/inlayHint/refresh";
    client.open(&other, form);
    client.wait(is_refresh);
    assert_eq!(hints(&mut client, &workflow, (1, 1))[0]["label"], "→ SignId");
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "inlayHints": false } }));
    client.wait(is_refresh);
    assert_eq!(hints(&mut client, &workflow, (1, 1)), Value::Null);
    client.shut_down();
}
