//! `wflint/plays` and `wflint/run`: runs for the player.

use serde_json::{Value, json};

use super::client::{Client, uri_in};
use crate::support::folder::{Folder, copy_of};

const ORDER: &str = r#"{ "activities": [
  { "name": "Say", "type": "Status", "status": { "isBound": false, "value": "Ordered" } },
  { "name": "Keep", "type": "Assign", "assign": { "body": "topsecret-{Pin}", "result": { "isBound": true, "boundTo": "Pin" } } }
], "variables": [{ "name": "Pin", "type": "String", "variableDetails": { "shouldHide": true, "hideAll": true } }] }"#;
const SCENARIO: &str = "workflow: order.workflow.json\nname: All is well\n";

fn ask(uri: &str) -> Value {
    json!({ "textDocument": { "uri": uri } })
}

fn run(uri: &str, kind: &str, wanted: &str) -> Value {
    json!({ "textDocument": { "uri": uri }, kind: wanted })
}

#[test]
fn runs_are_those_of_the_page() {
    let folder = copy_of("examples/sign-upload");
    let page = folder.run(&["report", ".", "--output", "report.html"]);
    assert_eq!(page.code, 0, "{}", page.err());
    let html = folder.read("report.html");
    std::fs::remove_file(folder.file("report.html")).unwrap();
    let data = html.split_once("id=\"wflint-data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: Value = serde_json::from_str(data).unwrap();
    let service = &data["services"][0];
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let workflow = uri_in(&folder, "order.workflow.json");
    client.open(&workflow, &folder.read("order.workflow.json"));
    let plays = client.request("wflint/plays", ask(&workflow));
    let of = |kind: &str| -> Vec<&Value> {
        service["runs"].as_array().unwrap().iter().filter(|run| run["kind"] == kind).collect()
    };
    let ids = |list: &Value| -> Vec<Value> { list.as_array().unwrap().iter().map(|it| it["id"].clone()).collect() };
    assert_eq!(ids(&plays["ends"]), of("end").iter().map(|run| run["id"].clone()).collect::<Vec<_>>());
    assert_eq!(ids(&plays["scenarios"]), of("scenario").iter().map(|run| run["id"].clone()).collect::<Vec<_>>());
    assert!(!of("end").is_empty() && !of("scenario").is_empty());
    for wanted in of("end").into_iter().chain(of("scenario")) {
        let (kind, id) = (wanted["kind"].as_str().unwrap(), wanted["id"].as_str().unwrap());
        let mut played = client.request("wflint/run", run(&workflow, kind, id));
        assert_eq!(events(&played, &played["runs"][0]), events(service, wanted), "{id}");
        assert_eq!(played["activities"], service["activities"]);
        assert_eq!(played["runs"].as_array().unwrap().len(), 1);
        assert_eq!((&played["name"], played.get("try")), (&service["name"], None));
        // What the player reads is what the schema describes.
        played["runs"][0].as_object_mut().unwrap().remove("events");
        let mut wanted = wanted.clone();
        wanted.as_object_mut().unwrap().remove("events");
        assert_eq!(played["runs"][0], wanted);
    }
    client.shut_down();
}

/// The events of a run with their texts.
fn events(service: &Value, run: &Value) -> Vec<Value> {
    let index = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let mut all = Vec::new();
    for step in run["events"].as_array().unwrap() {
        let (first, count) = (index(&step[1]), index(&step[2]));
        for event in &service["events"].as_array().unwrap()[first..first + count] {
            let texts = &service["texts"];
            let text = |at: usize| event.get(at).filter(|it| !it.is_null()).map(|it| texts[index(it)].clone());
            all.push(json!([step[0], event[0], text(1), event.get(2), text(3), text(4)]));
        }
    }
    all
}

#[test]
fn unsaved_texts_are_played_and_values_stay_covered() {
    let folder = Folder::with(&[("order.workflow.json", ORDER), ("a.scenario.yaml", SCENARIO)]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let (workflow, other) = (uri_in(&folder, "order.workflow.json"), uri_in(&folder, "b.scenario.yaml"));
    client.open(&workflow, &ORDER.replace("Ordered", "Typed"));
    client.open(&other, &SCENARIO.replace("All is well", "Never saved"));
    let plays = client.request("wflint/plays", ask(&workflow));
    let names: Vec<&Value> = plays["scenarios"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    assert_eq!(names, ["All is well", "Never saved"]);
    assert_eq!(plays["ends"][0]["outcome"], "completed");
    assert_eq!(plays["ends"][0]["title"], "completed: Typed");
    let played = client.request("wflint/run", run(&workflow, "scenario", "Never saved"));
    assert_eq!(played["runs"][0]["title"], "Never saved");
    assert!(played.to_string().contains("Typed"));
    assert!(!played.to_string().contains("topsecret"), "{played}");
    // After a change, it is another run.
    client.change(&workflow, 2, json!([{ "text": ORDER.replace("Ordered", "Typed anew") }]));
    let played = client.request("wflint/run", run(&workflow, "end", "end-1"));
    assert_eq!(played["runs"][0]["title"], "completed: Typed anew");
    // While the text is invalid, the last drawing is shown, and its runs.
    client.request("wflint/drawing", ask(&workflow));
    client.change(&workflow, 3, json!([{ "text": "{" }]));
    let played = client.request("wflint/run", run(&workflow, "end", "end-1"));
    assert_eq!(played["runs"][0]["title"], "completed: Typed anew");
    client.shut_down();
}

#[test]
fn what_cannot_be_played_is_an_error_with_a_reason() {
    let folder = Folder::with(&[
        ("order.workflow.json", ORDER),
        ("a.scenario.yaml", SCENARIO),
        ("order.form.json", r#"{ "fields": [] }"#),
        ("other.json", "[1]"),
    ]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let workflow = uri_in(&folder, "order.workflow.json");
    let form = uri_in(&folder, "order.form.json");
    for uri in [form.as_str(), &uri_in(&folder, "other.json"), "file:///missing.json", "untitled:a", ""] {
        assert_eq!(client.request("wflint/plays", ask(uri)), Value::Null, "{uri}");
    }
    let mut refused = |method: &str, params: Value, code: i64, reason: &str| {
        let error = client.call(method, params.clone())["error"].clone();
        assert_eq!(error["code"], code, "{params}: {error}");
        assert!(error["message"].as_str().unwrap().contains(reason), "{params}: {error}");
    };
    refused(
        "wflint/run",
        run(&workflow, "scenario", "Else"),
        -32602,
        "unknown scenario `Else`, expected `All is well`",
    );
    refused("wflint/run", run(&workflow, "end", "end-99"), -32602, "unknown end `end-99`, expected `end-1`");
    refused("wflint/run", run(&workflow, "scenario", "end-1"), -32602, "`All is well`");
    refused("wflint/run", ask(&workflow), -32602, "either `scenario` or `end`");
    let both = json!({ "textDocument": { "uri": workflow }, "scenario": "a", "end": "b" });
    refused("wflint/run", both, -32602, "either `scenario` or `end`");
    refused("wflint/run", run(&form, "end", "end-1"), -32602, "workflow");
    refused("wflint/run", json!({ "textDocument": { "uri": workflow }, "end": 1 }), -32602, "invalid parameters");
    refused("wflint/plays", json!({}), -32602, "invalid parameters");
    client.open("untitled:Untitled-1", ORDER);
    let unsaved = client.call("wflint/plays", ask("untitled:Untitled-1"));
    assert_eq!(unsaved["error"]["code"], -32803, "{unsaved}");
    assert!(unsaved["error"]["message"].as_str().unwrap().contains("save"));
    client.shut_down();
}

#[test]
fn newer_question_replaces_the_older_one() {
    let folder = Folder::with(&[("order.workflow.json", ORDER)]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let workflow = uri_in(&folder, "order.workflow.json");
    client.open(&workflow, ORDER);
    client.published(&workflow, 1);
    let asked: Vec<i64> = (0..3).map(|_| client.ask("wflint/plays", ask(&workflow))).collect();
    assert_eq!(client.response(asked[0])["error"]["code"], -32802);
    assert_eq!(client.response(asked[1])["error"]["code"], -32802);
    assert_eq!(client.response(asked[2])["result"]["ends"][0]["id"], "end-1");
    let canceled = client.ask("wflint/plays", ask(&workflow));
    client.notify("$/cancelRequest", json!({ "id": canceled }));
    assert_eq!(client.response(canceled)["error"]["code"], -32800);
    client.shut_down();
}
