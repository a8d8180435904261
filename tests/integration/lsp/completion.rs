//! Completions, as editors apply them.

use serde_json::{Value, json};

use super::actions::applied;
use super::client::{Client, uri_in};
use crate::support::folder::Folder;

/// A workflow with a binding; its cursor is at `|`.
fn workflow(binding: &str) -> String {
    format!(
        "{{ \"activities\": [{{ \"name\": \"S\", \"type\": \"Status\",\n\"status\": {binding} }}],\n\
         \"variables\": [{{ \"name\": \"Who\", \"id\": 17, \"type\": \"String\" }}] }}"
    )
}

/// The binding once `Who` is written: first the edit of the completion, then the additional ones, as most editors do.
fn completed(replaces_behind: bool, binding: &str) -> String {
    let text = workflow(binding);
    let at = text.find('|').unwrap();
    let before = text.get(..at).unwrap();
    let position = json!({ "line": before.matches('\n').count(), "character": at - before.rfind('\n').unwrap() - 1 });
    let text = text.replace('|', "");
    let folder = Folder::with(&[("order.workflow.json", &text)]);
    let item = json!({ "completionItem": { "insertReplaceSupport": replaces_behind } });
    let capabilities = json!({ "textDocument": { "completion": item } });
    let mut client = Client::in_folder(&folder, &capabilities, &json!({}));
    let uri = uri_in(&folder, "order.workflow.json");
    client.open(&uri, &text);
    let params = json!({ "textDocument": { "uri": uri }, "position": position });
    let items = client.request("textDocument/completion", params);
    let item = items.as_array().unwrap().iter().find(|item| item["label"] == "Who").unwrap();
    client.shut_down();
    let edit = &item["textEdit"];
    assert_eq!(edit["range"]["start"]["line"], edit["range"]["end"]["line"]);
    let text = applied(&text, &json!([edit]));
    let additional = &item["additionalTextEdits"];
    let text = if additional == &Value::Null { text } else { applied(&text, additional) };
    let start = text.find("\"status\": ").unwrap() + "\"status\": ".len();
    let end = text.find(" }],\n\"variables\"").unwrap();
    text.get(start..end).unwrap().to_owned()
}

#[test]
fn edits_behind_a_completion_are_a_part_of_it_or_left_out() {
    for (binding, whole, only) in [
        (
            r#"{ "isBound": true, "boundTo": "W|e", "boundToId": 5 }"#,
            r#"{ "isBound": true, "boundTo": "Who", "boundToId": 17 }"#,
            r#"{ "isBound": true, "boundTo": "Who", "boundToId": 5 }"#,
        ),
        (
            r#"{ "boundToId": 5, "isBound": true, "boundTo": "|" }"#,
            r#"{ "boundToId": 17, "isBound": true, "boundTo": "Who" }"#,
            r#"{ "boundToId": 17, "isBound": true, "boundTo": "Who" }"#,
        ),
        (
            "{ \"isBound\": true,\r\n\"boundTo\": \"|\",\r\n\"boundToId\": 5 }",
            "{ \"isBound\": true,\r\n\"boundTo\": \"Who\",\r\n\"boundToId\": 17 }",
            "{ \"isBound\": true,\r\n\"boundTo\": \"Who\",\r\n\"boundToId\": 17 }",
        ),
    ] {
        assert_eq!(completed(true, binding), whole);
        assert_eq!(completed(false, binding), only);
    }
}
