//! Code actions: what they do, done.

use serde_json::{Value, json};

use super::client::{Client, uri_in};
use crate::support::folder::{Folder, copy_of};
use crate::support::samples::WARNING;

/// A range around all of a document.
fn everywhere() -> Value {
    json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 100_000, "character": 0 } })
}

fn actions(client: &mut Client, uri: &str, only: &Value) -> Vec<Value> {
    let mut context = json!({ "diagnostics": [] });
    if only.is_array() {
        context["only"] = only.clone();
    }
    let params = json!({ "textDocument": { "uri": uri }, "range": everywhere(), "context": context });
    client.request("textDocument/codeAction", params).as_array().unwrap().clone()
}

/// Applies edits with UTF-16 positions in ASCII to a text.
pub fn applied(text: &str, edits: &Value) -> String {
    let offset = |position: &Value| {
        let line = usize::try_from(position["line"].as_u64().unwrap()).unwrap();
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        start + usize::try_from(position["character"].as_u64().unwrap()).unwrap()
    };
    let mut edits: Vec<(usize, usize, &str)> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| (offset(&edit["range"]["start"]), offset(&edit["range"]["end"]), edit["newText"].as_str().unwrap()))
        .collect();
    edits.sort_unstable();
    let mut text = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        text.replace_range(start..end, new);
    }
    text
}

#[test]
fn fixes_are_offered_and_applied() {
    let folder = copy_of("examples/broken");
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let (mut fixes, mut unsafe_fixes) = (0, 0);
    for name in ["order.workflow.json", "order.form.json"] {
        let uri = uri_in(&folder, name);
        client.open(&uri, &folder.read(name));
        let offered = actions(&mut client, &uri, &Value::Null);
        for fix in offered.iter().filter(|action| action["diagnostics"][0]["code"] != Value::Null) {
            let title = fix["title"].as_str().unwrap();
            let is_fix = !title.starts_with("Suppress ") && !title.starts_with("Explain ");
            if !is_fix {
                continue;
            }
            let is_unsafe = title.ends_with(" (unsafe)");
            assert_eq!(fix["isPreferred"], !is_unsafe, "{title}");
            fixes += 1;
            unsafe_fixes += usize::from(is_unsafe);
            let saved = Folder::with(&[]);
            for name in ["order.workflow.json", "order.form.json"] {
                let text = folder.read(name);
                let edits = fix["edit"]["changes"].get(uri_in(&folder, name));
                saved.write(name, edits.map_or(text.clone(), |edits| applied(&text, edits)));
            }
            let code = fix["diagnostics"][0]["code"].as_str().unwrap();
            let count = |folder: &Folder| folder.found(&[]).iter().filter(|line| line.contains(code)).count();
            assert!(count(&saved) < count(&folder), "{title}");
        }
        let all = actions(&mut client, &uri, &json!(["source.fixAll"]));
        assert!(all.iter().all(|action| action["kind"] == "source.fixAll.wflint"), "{all:?}");
        let none = actions(&mut client, &uri, &json!(["refactor"]));
        assert_eq!(none, [Value::Null; 0]);
    }
    assert!(fixes > 0, "no fixes");
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "unsafeFixes": false } }));
    let offered = actions(&mut client, &uri_in(&folder, "order.workflow.json"), &Value::Null);
    assert!(offered.iter().all(|action| !action["title"].as_str().unwrap().ends_with(" (unsafe)")), "{unsafe_fixes}");
    client.shut_down();
}

#[test]
fn finding_is_suppressed_in_the_configuration() {
    let config = "# mine\nselect = ['ALL']\n";
    let folder = Folder::with(&[("a.json", WARNING), ("wflint.toml", config)]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let uri = uri_in(&folder, "a.json");
    client.open(&uri, WARNING);
    let offered = actions(&mut client, &uri, &json!(["quickfix"]));
    let action = offered.iter().find(|action| action["title"] == "Suppress WF414 in wflint.toml").unwrap();
    let edits = &action["edit"]["changes"][uri_in(&folder, "wflint.toml")];
    folder.write("wflint.toml", applied(config, edits));
    assert_eq!(folder.found(&[]), [""; 0], "{}", folder.read("wflint.toml"));
    client.shut_down();
}

#[test]
fn configuration_is_created_where_the_client_can() {
    let folder = Folder::with(&[("a.json", WARNING)]);
    for can_create in [false, true] {
        let operations = if can_create { json!(["create"]) } else { json!([]) };
        let edits = json!({ "documentChanges": true, "resourceOperations": operations });
        let capabilities = json!({ "workspace": { "workspaceEdit": edits } });
        let mut client = Client::in_folder(&folder, &capabilities, &json!({}));
        let uri = uri_in(&folder, "a.json");
        client.open(&uri, WARNING);
        let offered = actions(&mut client, &uri, &Value::Null);
        let action = offered.iter().find(|action| action["title"] == "Suppress WF414 in wflint.toml");
        assert_eq!(action.is_some(), can_create);
        if let Some(action) = action {
            let changes = action["edit"]["documentChanges"].as_array().unwrap();
            assert_eq!(
                (&changes[0]["kind"], &changes[0]["uri"]),
                (&json!("create"), &changes[1]["textDocument"]["uri"])
            );
            folder.write("wflint.toml", applied("", &changes[1]["edits"]));
            assert_eq!(folder.found(&[]), [""; 0]);
        }
        client.shut_down();
    }
}

#[test]
fn rule_is_explained() {
    let folder = Folder::with(&[("a.json", WARNING)]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let uri = uri_in(&folder, "a.json");
    client.open(&uri, WARNING);
    let offered = actions(&mut client, &uri, &Value::Null);
    let action = offered.iter().find(|action| action["title"] == "Explain WF414").unwrap();
    let command = json!({ "command": action["command"]["command"], "arguments": action["command"]["arguments"] });
    let id = client.ask("workspace/executeCommand", command);
    let shown = client.wait(|message| message["method"] == "window/showMessage");
    assert!(shown["params"]["message"].as_str().unwrap().starts_with("WF414 empty-status: Reports"), "{shown}");
    assert!(client.response(id)["result"].as_str().unwrap().starts_with("# WF414 empty-status"));
    for wrong in [json!({ "command": "x" }), json!({ "command": "wflint.explain", "arguments": ["WF"] })] {
        assert_eq!(client.call("workspace/executeCommand", wrong)["error"]["code"], -32602);
    }
    client.shut_down();
}

#[test]
fn document_is_formatted_as_on_the_command_line() {
    let folder = copy_of("examples/approval");
    let name = "order.workflow.json";
    let text = folder.read(name).replace("  ", " ");
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let uri = uri_in(&folder, name);
    client.open(&uri, &text);
    let params = json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 4, "insertSpaces": true } });
    let edits = client.request("textDocument/formatting", params.clone());
    folder.write(name, &text);
    assert_eq!(folder.run(&["fmt", "--quiet", name]).code, 0);
    assert_eq!(applied(&text, &edits), folder.read(name));
    client.change(&uri, 2, json!([{ "text": "{ \"activities\": [" }]));
    assert_eq!(client.call("textDocument/formatting", params)["error"]["code"], -32803);
    client.shut_down();
}

/// The quick fixes of a rule in a file that is open, without those that suppress and explain: title, whether it is preferred, and
/// the text after it.
fn repairs(client: &mut Client, folder: &Folder, name: &str, code: &str) -> Vec<(String, bool, String)> {
    let uri = uri_in(folder, name);
    let text = folder.read(name);
    let offered = actions(client, &uri, &json!(["quickfix"]));
    let of_rule = offered.iter().filter(|action| action["diagnostics"][0]["code"] == code);
    let repairs = of_rule.filter_map(|action| {
        let edits = action["edit"]["changes"].get(&uri)?;
        Some((action["title"].as_str()?.to_owned(), action["isPreferred"] == true, applied(&text, edits)))
    });
    repairs.filter(|(title, ..)| !title.starts_with("Suppress ")).collect()
}

#[test]
fn each_alternative_is_a_quick_fix_of_its_own() {
    let text = r#"{
  "activities": [
    {
      "name": "Get the manager", "type": "Provider", "method": "Get-ZPADManager",
      "providerParameters": [
        { "name": "Identity", "value": { "state": "static", "value": "anna.berg" } },
        { "name": "Property", "value": { "state": "static", "value": "Mail" } },
        { "name": "Depth", "value": { "state": "notSet", "value": 2 } },
        { "name": "Prefix", "value": { "state": "static", "value": "Manager" } }
      ]
    }
  ],
  "variables": [{ "name": "ManagerMail", "id": 5001, "isOutputParameter": true }]
}
"#;
    let folder = Folder::with(&[("a.json", text)]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    client.open(&uri_in(&folder, "a.json"), text);
    let wanted = [
        ("set `state` to `static` (unsafe)".to_owned(), false, text.replace("notSet", "static")),
        ("set `value` to null, as it is not used".to_owned(), false, text.replace("\"value\": 2", "\"value\": null")),
    ];
    assert_eq!(repairs(&mut client, &folder, "a.json", "WF105"), wanted);
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "unsafeFixes": false } }));
    assert_eq!(repairs(&mut client, &folder, "a.json", "WF105"), wanted[1..]);
    client.shut_down();
}

#[test]
fn entry_of_a_configuration_that_matches_nothing_is_removed() {
    let config = "# mine\nselect = ['ALL']\n\n[per-file-ignores]\n'a.json' = ['WF110', 'WF414']\n";
    let folder = Folder::with(&[("a.json", WARNING), ("wflint.toml", config)]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    client.open(&uri_in(&folder, "wflint.toml"), config);
    let title = "remove it from `per-file-ignores` (unsafe)".to_owned();
    let wanted = (title, false, config.replace("'WF110', ", ""));
    assert_eq!(repairs(&mut client, &folder, "wflint.toml", "WF000"), [wanted]);
    client.shut_down();
}
