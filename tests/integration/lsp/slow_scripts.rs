//! What is shown while scripts take long.

use serde_json::{Value, json};

use super::client::{Client, pulling, uri_in};
use crate::support::folder::Folder;
use crate::support::samples::WARNING;

/// Steps that take some seconds, also on a fast machine.
const SLOW: &str = "[limits]\nscript-seconds = 4\n";
/// Steps that take days.
const ENDLESS: &str = "[limits]\nscript-seconds = 86400\n";

const EARLY: [&str; 2] = ["WF414", "WF807"];
const COMPLETE: [&str; 3] = ["WF414", "WF806", "WF807"];

/// A workflow with [`EARLY`], and with [`COMPLETE`] when its script was run.
const LOOPING: &str = r#"{
  "activities": [
    { "name": "Say", "type": "Status" },
    { "name": "Run", "type": "Code", "script": "for(;;) try { throw 1; } catch (e) {} Json = '{}';" }
  ],
  "variables": []
}
"#;

fn codes(findings: &Value) -> Vec<&str> {
    findings.as_array().unwrap().iter().map(|finding| finding["code"].as_str().unwrap()).collect()
}

/// Whether a message is a part of the findings of a workspace, with these in a document.
fn is_part_with(message: &Value, uri: &str, wanted: &[&str]) -> bool {
    let reports = message["params"]["value"]["items"].as_array();
    reports.into_iter().flatten().any(|report| report["uri"] == uri && codes(&report["items"]) == wanted)
}

#[test]
fn findings_without_scripts_are_published_meanwhile() {
    let folder = Folder::with(&[("wflint.toml", SLOW)]);
    let uri = uri_in(&folder, "a.json");
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    client.open(&uri, LOOPING);
    assert_eq!(codes(&client.published(&uri, 1).into()), EARLY);
    assert_eq!(codes(&client.published(&uri, 1).into()), COMPLETE);
    // The script is not run again.
    client.change(&uri, 2, json!([{ "text": LOOPING.replace("Say", "Tell") }]));
    assert_eq!(codes(&client.published(&uri, 2).into()), COMPLETE);
    client.shut_down();
}

#[test]
fn findings_without_scripts_are_answered_meanwhile() {
    let folder = Folder::with(&[("wflint.toml", SLOW), ("b.json", WARNING)]);
    let uri = uri_in(&folder, "a.json");
    let mut client = Client::in_folder(&folder, &pulling(), &json!({ "workspaceDiagnostics": true }));
    client.open(&uri, LOOPING);
    let streamed = client.ask("workspace/diagnostic", json!({ "previousResultIds": [], "partialResultToken": 9 }));
    client.wait(|message| is_part_with(message, &uri, &EARLY));
    let all = client.request("workspace/diagnostic", json!({ "previousResultIds": [] }));
    let lists: Vec<_> = all["items"].as_array().unwrap().iter().map(|report| codes(&report["items"])).collect();
    assert_eq!(lists, [EARLY.to_vec(), vec!["WF414"]]);
    let document = json!({ "textDocument": { "uri": uri } });
    let early = client.request("textDocument/diagnostic", document.clone());
    assert_eq!(codes(&early["items"]), EARLY);

    client.wait(|message| is_part_with(message, &uri, &COMPLETE));
    assert_eq!(client.response(streamed)["result"], json!({ "items": [] }));
    client.wait(|message| message["method"] == "workspace/diagnostic/refresh");
    let complete = client.request("textDocument/diagnostic", document);
    assert_eq!(codes(&complete["items"]), COMPLETE);
    assert_ne!(complete["resultId"], early["resultId"]);
    client.shut_down();
}

#[test]
fn scripts_of_one_service_do_not_delay_others() {
    let folder = Folder::with(&[("a/wflint.toml", ENDLESS)]);
    let (looping, other) = (uri_in(&folder, "a/a.json"), uri_in(&folder, "b/b.json"));
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    client.open(&looping, LOOPING);
    assert_eq!(codes(&client.published(&looping, 1).into()), EARLY);
    client.open(&other, WARNING);
    assert_eq!(codes(&client.published(&other, 1).into()), ["WF414"]);
    client.shut_down();
}
