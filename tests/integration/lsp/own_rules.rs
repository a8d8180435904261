//! Rules of a team's own in an editor.

use serde_json::{Value, json};

use super::client::{Client, pulling, uri_in};
use crate::own_rules::findings::{RULE, WORKFLOW, folder};

const PAGE: &str = "# ORG101-no-todo\n\nReports an unfinished activity.\n";

/// What is shown of a document, as `code severity message`.
fn shown(items: &[Value]) -> Vec<String> {
    let line = |item: &Value| format!("{} {} {}", item["code"].as_str().unwrap(), item["severity"], item["message"]);
    items.iter().map(line).collect()
}

#[test]
fn own_rules_run_on_what_is_typed_and_their_changes_are_seen() {
    let folder = folder("", RULE);
    folder.write("rules/ORG101-no-todo.md", PAGE);
    let uri = uri_in(&folder, "order.workflow.json");
    let mut client = Client::in_folder(&folder, &pulling(), &json!({}));
    client.open(&uri, WORKFLOW);
    let items = client.pulled(&uri);
    assert_eq!(shown(&items), ["ORG101 2 \"unfinished activity `TODO`\""]);
    let page = items[0]["codeDescription"]["href"].as_str().unwrap();
    assert!(page.starts_with("file://") && page.ends_with("/rules/ORG101-no-todo.md"), "{page}");
    client.change(&uri, 2, json!([{ "text": WORKFLOW.replace("TODO", "Done") }]));
    assert_eq!(client.pulled(&uri), [Value::Null; 0]);
    folder.write("rules/ORG101-no-todo.js", RULE.replace("'TODO'", "'LATER'"));
    let changed = json!({ "changes": [{ "uri": uri_in(&folder, "rules/ORG101-no-todo.js"), "type": 2 }] });
    client.notify("workspace/didChangeWatchedFiles", changed);
    assert_eq!(shown(&client.pulled(&uri)), ["ORG101 2 \"unfinished activity `LATER`\""]);
    client.shut_down();
}

#[test]
fn own_rules_can_be_turned_off() {
    let folder = folder("", RULE);
    let uri = uri_in(&folder, "order.workflow.json");
    let mut client = Client::in_folder(&folder, &pulling(), &json!({ "ownRules": false }));
    client.open(&uri, WORKFLOW);
    assert_eq!(client.pulled(&uri), [Value::Null; 0]);
    client.shut_down();
    let mut client = Client::in_folder(&folder, &pulling(), &json!({ "runScripts": false, "select": "ORG101" }));
    client.open(&uri, WORKFLOW);
    assert_eq!(client.pulled(&uri).len(), 1, "that is about the scripts of Code activities");
    client.shut_down();
}

#[test]
fn rules_are_hovered_completed_and_explained() {
    let folder = folder("", RULE);
    folder.write("rules/ORG101-no-todo.md", PAGE);
    let uri = uri_in(&folder, "wflint.toml");
    let text = "rules = [\"rules/*.js\"]\nignore = [\"ORG101\"]\n";
    folder.write("wflint.toml", text);
    let mut client = Client::in_folder(&folder, &pulling(), &json!({}));
    client.open(&uri, text);
    let at = |column: u32| json!({ "textDocument": { "uri": uri }, "position": { "line": 1, "character": column } });
    let hover = client.request("textDocument/hover", at(13));
    let hover = hover["contents"]["value"].as_str().unwrap().to_owned();
    assert!(hover.contains("ORG101 no-todo") && hover.contains("Reports an unfinished activity."), "{hover}");
    let completed = client.request("textDocument/completion", at(11)).to_string();
    assert!(completed.contains("\"ORG101\"") && completed.contains("\"no-todo\""), "{completed}");
    let explained =
        client.request("workspace/executeCommand", json!({ "command": "wflint.explain", "arguments": ["ORG101"] }));
    assert_eq!(explained, PAGE);
    client.shut_down();
}

#[test]
fn failures_are_shown_in_the_file_of_the_rule() {
    let folder = folder("", "export default { create() { return { Activity() { null.x } } } };");
    let uri = uri_in(&folder, "order.workflow.json");
    let mut client = Client::in_folder(&folder, &json!({}), &json!({ "workspaceDiagnostics": true }));
    client.open(&uri, WORKFLOW);
    let rule = uri_in(&folder, "rules/ORG101-no-todo.js");
    let published = client.wait(|message| {
        message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == rule.as_str()
    });
    let items = published["params"]["diagnostics"].as_array().unwrap();
    assert_eq!((items.len(), &items[0]["code"]), (1, &json!("WF000")), "{published:#}");
    assert_eq!(items[0]["relatedInformation"][0]["location"]["uri"], uri.as_str());
    client.shut_down();
}

#[test]
fn rules_that_do_not_run_are_named_though_their_files_are_closed() {
    for (rule, wanted) in [
        ("export default {", "cannot load rule ORG101"),
        ("export default { create() { return { Activity() { null.x } } } };", "rule ORG101 failed"),
    ] {
        let folder = folder("", rule);
        let uri = uri_in(&folder, "order.workflow.json");
        let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
        client.open(&uri, WORKFLOW);
        let message = client.wait(|message| message["method"] == "window/showMessage");
        assert!(message["params"]["message"].as_str().unwrap().contains(wanted), "{message}");
        client.shut_down();
    }
}
