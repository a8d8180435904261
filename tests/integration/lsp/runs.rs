//! `wflint.run` and `wflint.explore`: runs of what is being typed.

use serde_json::{Value, json};

use super::client::{Client, uri_in};
use crate::support::folder::{Folder, copy_of};

const SCENARIO: &str = "workflow: order.workflow.json\n";

/// A workflow with more states than can be explored while a test runs: each of its conditions depends on a variable of its
/// own, and is evaluated twice.
fn large() -> String {
    let condition = |number: usize| {
        json!({ "name": format!("If {number}"), "type": "If", "activities": [], "expression": {
            "type": "EqualityExpression", "operand": "equal",
            "left": { "isBound": true, "boundTo": format!("V{number}") }, "right": { "isBound": false, "value": "x" },
        } })
    };
    let activities: Vec<Value> = (0..40).chain(0..40).map(condition).collect();
    let variables: Vec<Value> =
        (0..40).map(|number| json!({ "name": format!("V{number}"), "type": "String" })).collect();
    json!({ "activities": activities, "variables": variables }).to_string()
}

fn execute(command: &str, arguments: impl Into<Value>) -> Value {
    json!({ "command": command, "arguments": arguments.into() })
}

fn is_message(message: &Value) -> bool {
    message["method"] == "window/showMessage"
}

#[test]
fn result_is_what_the_command_line_prints() {
    let folder = copy_of("examples/sign-upload");
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let workflow = "order.workflow.json";
    let scenarios: Vec<String> = folder.names().into_iter().filter(|name| name.contains(".scenario.")).collect();
    let names: Vec<&str> = scenarios.iter().map(String::as_str).collect();
    let printed = |args: &[&str]| folder.run(args).out().to_owned();
    let run = execute("wflint.run", [uri_in(&folder, workflow)]);
    let shown = client.request("workspace/executeCommand", run);
    assert_eq!(shown.as_str().unwrap(), printed(&[&["--simulate"], names.as_slice()].concat()));
    let summary = client.wait(is_message);
    assert_eq!(summary["params"]["type"], 3);
    let last = shown.as_str().unwrap().trim_end().lines().next_back().unwrap();
    assert_eq!(summary["params"]["message"], last);
    let one = execute("wflint.run", [uri_in(&folder, names[0])]);
    assert_eq!(client.request("workspace/executeCommand", one).as_str().unwrap(), printed(&["--simulate", names[0]]));
    for document in [workflow, "order.form.json"] {
        let explore = execute("wflint.explore", [uri_in(&folder, document)]);
        let shown = client.request("workspace/executeCommand", explore);
        assert_eq!(shown.as_str().unwrap(), printed(&["explore", document]));
    }
    client.shut_down();
}

#[test]
fn unsaved_texts_are_run() {
    let order = r#"{ "activities": [{ "name": "Say", "type": "Status", "status": { "isBound": false, "value": "Saved" } }], "variables": [] }"#;
    let folder = Folder::with(&[("order.workflow.json", order)]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let (workflow, scenario) = (uri_in(&folder, "order.workflow.json"), uri_in(&folder, "a.scenario.yaml"));
    client.open(&workflow, &order.replace("Saved", "Typed"));
    client.open(&scenario, SCENARIO);
    let quiet = json!({ "showMessage": false });
    let run = execute("wflint.run", json!([scenario, quiet]));
    let id = client.ask("workspace/executeCommand", run);
    let shown = client.wait(|message| message["id"] == id || is_message(message));
    assert!(shown["result"].as_str().unwrap().contains("published \"Typed\""), "{shown}");
    let explore = execute("wflint.explore", json!([workflow, quiet]));
    let shown = client.request("workspace/executeCommand", explore);
    assert!(shown.as_str().unwrap().contains("Typed"), "{shown}");
    // The configuration is one of them.
    let config = uri_in(&folder, "wflint.toml");
    client.open(&config, "[explore]\nmax-states = \"many\"\n");
    let broken = client.call("workspace/executeCommand", execute("wflint.explore", [workflow.as_str()]));
    assert_eq!(broken["error"]["code"], -32803);
    assert!(broken["error"]["message"].as_str().unwrap().contains("wflint.toml:2:14"), "{broken}");
    client.shut_down();
}

#[test]
fn nothing_waits_for_a_run() {
    let order = large();
    let config = "[explore]\nmax-states = 1000000000\n";
    let folder = Folder::with(&[("order.workflow.json", &order), ("wflint.toml", config)]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let workflow = uri_in(&folder, "order.workflow.json");
    client.open(&workflow, &order);
    client.published(&workflow, 1);
    // More than run at a time.
    let explore = || execute("wflint.explore", [workflow.as_str()]);
    let runs: Vec<i64> = (0..4).map(|_| client.ask("workspace/executeCommand", explore())).collect();
    let character = order.find("\"V1\"").unwrap() + 1;
    let place = json!({ "textDocument": { "uri": workflow }, "position": { "line": 0, "character": character } });
    assert!(client.request("textDocument/hover", place)["contents"]["value"].as_str().unwrap().contains("V1"));
    client.change(&workflow, 2, json!([{ "text": "{ \"activities\": [" }]));
    assert_eq!(client.published(&workflow, 2)[0]["code"], "WF001");
    for id in [runs[0], runs[3]] {
        client.notify("$/cancelRequest", json!({ "id": id }));
        assert_eq!(client.response(id)["error"]["code"], -32800);
    }
    // The others end with the server.
    let shutdown = client.ask("shutdown", Value::Null);
    for id in [runs[1], runs[2]] {
        assert_eq!(client.response(id)["error"]["code"], -32800);
    }
    client.response(shutdown);
    client.notify("exit", Value::Null);
    assert_eq!(client.end().code(), Some(0));
}

#[test]
fn what_cannot_be_run_is_an_error_with_a_reason() {
    let form = r#"{ "fields": [] }"#;
    let empty = r#"{ "activities": [], "variables": [] }"#;
    let folder = Folder::with(&[
        ("order.workflow.json", empty),
        ("order.form.json", form),
        ("other.json", "[1]"),
        ("b.scenario.yaml", "workflow: nothing.json\n"),
    ]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let workflow = uri_in(&folder, "order.workflow.json");
    let mut refused = |command: &str, arguments: Value, code: i64, reason: &str| {
        let answer = client.call("workspace/executeCommand", execute(command, arguments.clone()));
        let error = &answer["error"];
        assert_eq!(error["code"], code, "{arguments}: {answer}");
        assert!(error["message"].as_str().unwrap().contains(reason), "{arguments}: {answer}");
    };
    for command in ["wflint.run", "wflint.explore"] {
        let invalid = [
            json!([]),
            json!([1]),
            json!([null]),
            json!([[workflow]]),
            json!([workflow, 1]),
            json!([workflow, {}, {}]),
            json!([workflow, { "showMessage": "no" }]),
            json!([""]),
            json!(["order.workflow.json"]),
            json!(["--help"]),
            json!(["file://elsewhere/order.workflow.json"]),
            json!(["file:///%00.json"]),
            json!([uri_in(&folder, "other.json")]),
            json!([uri_in(&folder, "missing.json")]),
            json!(["file:///dev/zero"]),
        ];
        for arguments in invalid {
            refused(command, arguments, -32602, "expected");
        }
        refused(command, json!(["untitled:Untitled-1"]), -32803, "save");
    }
    refused("wflint.run", json!([uri_in(&folder, "order.form.json")]), -32602, "expected");
    refused("wflint.run", json!([workflow]), -32803, "no scenario of order.workflow.json");
    refused("wflint.run", json!([uri_in(&folder, "b.scenario.yaml")]), -32803, "nothing.json");
    refused("wflint.run", json!([uri_in(&folder, "missing.scenario.yaml")]), -32803, "missing.scenario.yaml");
    refused("wflint.explore", json!([uri_in(&folder, "b.scenario.yaml")]), -32602, "expected");
    let without = client.call("workspace/executeCommand", json!({ "command": "wflint.run" }));
    assert_eq!(without["error"]["code"], -32602);
    client.shut_down();
}

#[test]
fn scripts_do_not_run_when_they_are_turned_off() {
    let order = r#"{ "activities": [{ "name": "Script", "type": "Code", "parameters": [], "script": "Json = 'ran'" }],
  "variables": [{ "name": "Json", "type": "String" }] }"#;
    let folder = Folder::with(&[("order.workflow.json", order), ("a.scenario.yaml", SCENARIO)]);
    for runs_scripts in [true, false] {
        let mut client = Client::in_folder(&folder, &json!({}), &json!({ "runScripts": runs_scripts }));
        let run = execute("wflint.run", [uri_in(&folder, "order.workflow.json")]);
        let shown = client.request("workspace/executeCommand", run);
        let shown = shown.as_str().unwrap();
        assert_eq!(shown.contains("`Json` = ran"), runs_scripts, "{shown}");
        assert_eq!(shown.contains("scripts are turned off"), !runs_scripts, "{shown}");
        let explore = execute("wflint.explore", [uri_in(&folder, "order.workflow.json")]);
        let explored = client.call("workspace/executeCommand", explore);
        assert_eq!(explored.to_string().contains("scripts are turned off"), !runs_scripts, "{explored}");
        client.shut_down();
    }
}
