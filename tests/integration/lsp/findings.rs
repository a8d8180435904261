//! What editors show is what the command line reports.

use serde_json::{Value, json};

use super::client::{Client, pulling, uri, uri_in};
use crate::support::folder::{Folder, copy_of};
use crate::support::samples::{ERROR, FINE, WARNING};

/// The findings that the command line reports for a file, as an editor shows them.
pub fn reported(folder: &Folder, name: &str, is_utf8: bool) -> Vec<Value> {
    shown_of(folder, &folder.run(&["--format", "json"]).json(), name, is_utf8)
}

/// The findings of a report for a file, as an editor shows them.
pub fn shown_of(folder: &Folder, report: &Value, name: &str, is_utf8: bool) -> Vec<Value> {
    let findings = report["diagnostics"].as_array().unwrap().iter().filter(|finding| finding["file"] == name);
    findings.map(|finding| shown(folder, finding, is_utf8)).collect()
}

fn shown(folder: &Folder, finding: &Value, is_utf8: bool) -> Value {
    let severity = match finding["severity"].as_str().unwrap() {
        "error" => 1,
        "warning" => 2,
        _ => 3,
    };
    let message = finding["message"].as_str().unwrap();
    let help = finding["help"].as_str().map(|help| format!("\n{help}")).unwrap_or_default();
    let related = finding["related"].as_array().unwrap().iter();
    let related: Vec<Value> = related
        .map(|label| {
            let uri = uri_in(folder, label["file"].as_str().unwrap());
            json!({ "location": { "uri": uri, "range": range(folder, label, is_utf8) }, "message": label["message"] })
        })
        .collect();
    json!({
        "code": finding["code"], "severity": severity, "message": format!("{message}{help}"),
        "range": range(folder, finding, is_utf8), "related": related,
    })
}

/// The range of a finding, counted without the code of wflint.
fn range(folder: &Folder, place: &Value, is_utf8: bool) -> Value {
    let text = folder.read(place["file"].as_str().unwrap());
    let position = |place: &Value| {
        let offset = usize::try_from(place["offset"].as_u64().unwrap()).unwrap();
        let before = &text[..offset];
        let ended = before.replace("\r\n", "\n\n").replace('\r', "\n");
        // The LF of a CRLF, which ends its line, stands for its CR here.
        let start = ended.rfind('\n').map_or(0, |end| end + 1);
        let line = before.replace("\r\n", "\n").replace('\r', "\n").matches('\n').count();
        let units = if is_utf8 { before[start..].len() } else { before[start..].encode_utf16().count() };
        json!({ "line": line, "character": units })
    };
    json!({ "start": position(&place["range"]["start"]), "end": position(&place["range"]["end"]) })
}

/// The members of diagnostics that the command line has, too.
pub fn comparable(diagnostics: &[Value]) -> Vec<Value> {
    let comparable = |diagnostic: &Value| {
        assert_eq!(diagnostic["source"], "wflint");
        json!({
            "code": diagnostic["code"], "severity": diagnostic["severity"], "message": diagnostic["message"],
            "range": diagnostic["range"],
            "related": diagnostic.get("relatedInformation").cloned().unwrap_or_else(|| json!([])),
        })
    };
    diagnostics.iter().map(comparable).collect()
}

/// Waits until a version has these findings, or what the client asks for. Those of scripts may follow.
#[track_caller]
pub fn wait_until_shown(client: &mut Client, uri: &str, published: Option<i32>, wanted: &[Value]) {
    loop {
        let shown = comparable(&match published {
            Some(version) => client.published(uri, version),
            None => client.pulled(uri),
        });
        if shown == wanted {
            return;
        }
        eprintln!("{uri}: {shown:?}\nwanted: {wanted:?}");
        if published.is_none() {
            client.wait(|message| message["method"] == "workspace/diagnostic/refresh");
        }
    }
}

/// The documents of a folder.
pub fn documents(folder: &Folder) -> Vec<String> {
    let walk = ignore::WalkBuilder::new(folder.path()).build();
    let files = walk.map(Result::unwrap).filter(|entry| entry.path().extension().is_some_and(|end| end == "json"));
    let mut names: Vec<String> = files
        .map(|entry| entry.path().strip_prefix(folder.path()).unwrap().to_str().unwrap().replace('\\', "/"))
        .collect();
    names.sort();
    names
}

#[test]
fn findings_that_are_published_cannot_be_asked_for() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let document = json!({ "textDocument": { "uri": uri_in(&folder, "a.json") } });
    for (method, params) in
        [("textDocument/diagnostic", document), ("workspace/diagnostic", json!({ "previousResultIds": [] }))]
    {
        assert_eq!(client.call(method, params)["error"]["code"], -32601, "{method}");
    }
}

#[test]
fn editor_shows_what_the_command_line_reports() {
    let folder = copy_of("examples");
    let emoji = folder.read("broken/order.workflow.json").replace("\"Find the manager\"", "\"Find 😀 e\u{301} 😀\"");
    folder.write("emoji/order.workflow.json", emoji.replace('\n', "\r\n"));
    folder.write("emoji/order.form.json", folder.read("broken/order.form.json").replace('\n', " "));
    for (is_utf8, pulls) in [(false, false), (true, true)] {
        let mut capabilities = if pulls { pulling() } else { json!({}) };
        if is_utf8 {
            capabilities["general"] = json!({ "positionEncodings": ["utf-8"] });
        }
        let mut client = Client::in_folder(&folder, &capabilities, &json!({}));
        let mut found = 0;
        for name in documents(&folder) {
            let uri = uri_in(&folder, &name);
            client.open(&uri, &folder.read(&name));
            let wanted = reported(&folder, &name, is_utf8);
            wait_until_shown(&mut client, &uri, (!pulls).then_some(1), &wanted);
            found += wanted.len();
        }
        assert!(found > 10, "too few findings: {found}");
        client.shut_down();
    }
}

#[test]
fn unsaved_text_counts_for_the_whole_service() {
    let folder = copy_of("examples/approval");
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let (workflow, form) = (uri_in(&folder, "order.workflow.json"), uri_in(&folder, "order.form.json"));
    client.open(&workflow, &folder.read("order.workflow.json"));
    client.open(&form, &folder.read("order.form.json"));
    client.published(&form, 1);
    let renamed = folder.read("order.workflow.json").replace("\"ApproverGroup\"", "\"Approvers\"");
    client.change(&workflow, 2, json!([{ "text": renamed }]));
    client.published(&workflow, 2);
    client.change(&form, 2, json!([]));
    let shown = client.published(&form, 2);
    let saved = Folder::with(&[]);
    for name in documents(&folder) {
        saved.write(&name, folder.read(&name));
    }
    saved.write("order.workflow.json", renamed);
    assert!(!shown.is_empty());
    assert_eq!(comparable_places(&shown), comparable_places(&reported(&saved, "order.form.json", false)));
    client.close(&workflow);
    client.change(&form, 3, json!([]));
    assert_eq!(comparable(&client.published(&form, 3)), reported(&folder, "order.form.json", false));
    client.shut_down();
}

/// Without related places, whose files are in another folder.
fn comparable_places(diagnostics: &[Value]) -> Vec<Value> {
    diagnostics.iter().map(|it| json!([it["code"], it["severity"], it["message"], it["range"]])).collect()
}

#[test]
fn findings_are_cleared_on_close() {
    let folder = Folder::with(&[("a.json", ERROR)]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let uri = uri_in(&folder, "a.json");
    client.open(&uri, WARNING);
    assert_eq!(client.published(&uri, 1)[0]["code"], "WF414");
    client.close(&uri);
    assert_eq!(client.published(&uri, Value::Null), [Value::Null; 0]);
    client.open(&uri, ERROR);
    assert_eq!(client.published(&uri, 1)[0]["code"], "WF101");
    client.shut_down();
}

#[test]
fn files_that_are_not_saved_belong_to_their_folder() {
    let folder = Folder::with(&[("a b/wflint.toml", "ignore = ['WF414']\n")]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let new = uri_in(&folder, "a b/new.json");
    client.open(&new, WARNING);
    assert_eq!(client.published(&new, 1), [Value::Null; 0]);
    client.change(&new, 2, json!([{ "text": ERROR }]));
    assert_eq!(client.published(&new, 2)[0]["code"], "WF101");
    let other = "untitled:Untitled-1";
    client.open(other, WARNING);
    assert_eq!(client.published(other, 1)[0]["code"], "WF414");
    client.change(other, 2, json!([{ "text": FINE }]));
    assert_eq!(client.published(other, 2), [Value::Null; 0]);
    client.close(other);
    let outside = Folder::with(&[("wflint.toml", "ignore = ['WF414']\n"), ("b.json", FINE)]);
    let outside = uri(&outside.path().canonicalize().unwrap().join("b.json"));
    client.open(&outside, ERROR);
    assert_eq!(client.published(&outside, 1)[0]["code"], "WF101");
    client.shut_down();
}

#[test]
fn configuration_is_read_as_it_is_typed() {
    let folder = Folder::with(&[("a.json", WARNING), ("wflint.toml", "ignore = ['WF414']\n")]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let (document, config) = (uri_in(&folder, "a.json"), uri_in(&folder, "wflint.toml"));
    client.open(&document, WARNING);
    assert_eq!(client.published(&document, 1), [Value::Null; 0]);
    client.open(&config, "ignore = []\n");
    assert_eq!(client.published(&document, 1)[0]["code"], "WF414");
    client.change(&config, 2, json!([{ "text": "ignore = [\n  'WF414', é" }]));
    let errors = client.published(&config, 2);
    assert_eq!((errors.len(), &errors[0]["range"]["start"]["line"]), (1, &json!(1)), "{errors:?}");
    client.change(&document, 2, json!([]));
    assert_eq!(client.published(&document, 2)[0]["code"], "WF414", "the last valid configuration holds");
    let unused = "ignore = ['WF414']\n[[suppress]]\nrule = 'WF101'\nfile = 'a.json'\nreason = 'x'\npointer = ''\n";
    client.change(&config, 3, json!([{ "text": unused }]));
    let problems = client.published(&config, 3);
    folder.write("wflint.toml", unused);
    assert_eq!(comparable(&problems), reported(&folder, "wflint.toml", false));
    assert_eq!(problems[0]["code"], "WF000");
    client.shut_down();
}

#[test]
fn settings_select_rules_and_run_no_scripts() {
    let folder = copy_of("examples");
    let name = "broken/order.workflow.json";
    let uri = uri_in(&folder, name);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({ "ignore": ["WF4"], "runScripts": false }));
    client.open(&uri, &folder.read(name));
    let codes = |shown: &[Value]| shown.iter().map(|it| it["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let shown = codes(&client.published(&uri, 1));
    assert!(!shown.is_empty() && shown.iter().all(|code| !code.starts_with("WF4")), "{shown:?}");
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "wflint": { "select": "WF4" } } }));
    let shown = codes(&client.published(&uri, 1));
    assert!(!shown.is_empty() && shown.iter().all(|code| code.starts_with("WF4")), "{shown:?}");
    client.shut_down();
}

#[test]
fn an_unknown_rule_in_the_settings_is_named_and_the_others_hold() {
    let folder = copy_of("examples");
    let name = "broken/order.workflow.json";
    let uri = uri_in(&folder, name);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({ "ignore": ["NOPE", "WF4"] }));
    let message = client.wait(|message| message["method"] == "window/showMessage");
    assert!(message["params"]["message"].as_str().unwrap().contains("NOPE"), "{message}");
    client.open(&uri, &folder.read(name));
    let shown = client.published(&uri, 1);
    assert!(!shown.is_empty() && shown.iter().all(|it| !it["code"].as_str().unwrap().starts_with("WF4")), "{shown:?}");
    client.shut_down();
}

#[test]
fn wrong_settings_are_named_once_and_the_others_hold() {
    let folder = copy_of("examples");
    let name = "broken/order.workflow.json";
    let uri = uri_in(&folder, name);
    let settings = json!({
        "configuration": 5, "select": "ALL", "ignore": ["WF4", 7], "unsafeFixes": "yes", "runScripts": null,
        "workspaceDiagnostics": [], "ignroe": ["WF4"], "path": "wflint",
    });
    let mut client = Client::in_folder(&folder, &json!({}), &settings);
    let mut said = Vec::new();
    while said.len() < 5 {
        let message = client.wait(|message| message["method"] == "window/showMessage");
        said.push(message["params"]["message"].as_str().unwrap().to_owned());
    }
    assert_eq!(
        said,
        [
            "invalid setting `configuration`: expected a string, found 5",
            "invalid setting `ignore`: expected strings, found 7",
            "invalid setting `unsafeFixes`: expected a boolean, found \"yes\"",
            "invalid setting `workspaceDiagnostics`: expected a boolean, found an array",
            "unknown setting `ignroe`",
        ]
    );
    client.open(&uri, &folder.read(name));
    let shown = client.published(&uri, 1);
    assert!(!shown.is_empty() && shown.iter().all(|it| !it["code"].as_str().unwrap().starts_with("WF4")), "{shown:?}");
    client.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
    // Those of another server.
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "otherServer": {}, "ignore": "WF4" } }));
    let others = json!({ "otherServer": {}, "wflint": { "unsafefixes": false } });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": others }));
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "wflint": 1 } }));
    for wanted in ["unknown setting `unsafefixes`", "invalid settings: expected an object, found 1"] {
        let message = client.wait(|message| message["method"] == "window/showMessage");
        assert_eq!(message["params"]["message"], wanted);
    }
    client.shut_down();
}

#[test]
fn configuration_that_cannot_be_read_is_named() {
    let broken = "nonsense = 1\n";
    for (settings, files, wanted) in [
        (json!({ "configuration": "missing.toml" }), vec![("a.json", WARNING)], "missing.toml"),
        (json!({}), vec![("a.json", WARNING), ("wflint.toml", broken)], "wflint.toml:1:1: unknown key `nonsense`"),
    ] {
        let folder = Folder::with(&files);
        let mut client = Client::in_folder(&folder, &json!({}), &settings);
        let message = client.wait(|message| message["method"] == "window/showMessage");
        assert!(message["params"]["message"].as_str().unwrap().contains(wanted), "{message}");
        let uri = uri_in(&folder, "a.json");
        client.open(&uri, WARNING);
        assert_eq!(client.published(&uri, 1)[0]["code"], "WF414");
        client.shut_down();
    }
}

#[test]
fn scenarios_show_why_they_cannot_be_read() {
    let folder = copy_of("examples/approval");
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let uri = uri_in(&folder, "new.scenario.yaml");
    let names = "workflow: order.workflow.json\nform: order.form.json\nsubmit:\n  Usre: x\nexpect:\n  variables: { Gorup: x }\n";
    client.open(&uri, "");
    for (version, text, number) in [(2, "workflow: missing.workflow.json\n", 1), (3, names, 2)] {
        client.change(&uri, version, json!([{ "text": text }]));
        let shown = client.published(&uri, version);
        assert_eq!((shown.len(), &shown[0]["severity"]), (number, &json!(1)), "{shown:?}");
        folder.write("new.scenario.yaml", text);
        let report = folder.run(&["--simulate", "new.scenario.yaml"]);
        for finding in shown {
            let first = finding["message"].as_str().unwrap().lines().next().unwrap();
            assert!(report.out().contains(first) || report.err().contains(first), "{first}\n{}", report.out());
        }
    }
    client.shut_down();
}

#[test]
fn result_ids_say_what_is_unchanged() {
    let folder = Folder::with(&[("a.json", ERROR), ("b/c.json", WARNING)]);
    let mut client = Client::in_folder(&folder, &pulling(), &json!({ "workspaceDiagnostics": true }));
    let uri = uri_in(&folder, "a.json");
    client.open(&uri, ERROR);
    let document = json!({ "textDocument": { "uri": uri } });
    let first = client.request("textDocument/diagnostic", document.clone());
    assert_eq!((&first["kind"], first["items"].as_array().unwrap().len()), (&json!("full"), 1));
    let again = json!({ "textDocument": { "uri": uri }, "previousResultId": first["resultId"] });
    let again = client.request("textDocument/diagnostic", again);
    assert_eq!(again, json!({ "kind": "unchanged", "resultId": first["resultId"] }));

    let all = client.request("workspace/diagnostic", json!({ "previousResultIds": [] }));
    let items = all["items"].as_array().unwrap();
    let known: Vec<Value> = items.iter().map(|it| json!({ "uri": it["uri"], "value": it["resultId"] })).collect();
    assert_eq!(items.iter().map(|it| &it["version"]).collect::<Vec<_>>(), [&json!(1), &Value::Null]);
    let held = client.ask("workspace/diagnostic", json!({ "previousResultIds": known, "partialResultToken": 9 }));
    client.change(&uri, 2, json!([{ "text": FINE }]));
    let part = client.wait(|message| message["method"] == "$/progress");
    assert_eq!((&part["params"]["token"], &part["params"]["value"]["items"][0]["items"]), (&json!(9), &json!([])));
    assert_eq!(client.response(held)["result"], json!({ "items": [] }));
    let known = json!([{ "uri": uri_in(&folder, "b/c.json"), "value": known[1]["value"] }]);
    let held = client.ask("workspace/diagnostic", json!({ "previousResultIds": known }));
    client.notify("$/cancelRequest", json!({ "id": held }));
    assert_eq!(client.response(held)["error"]["code"], -32800);
    client.shut_down();
}

#[test]
fn documents_that_are_not_open_are_answered() {
    let folder = Folder::with(&[("a.json", ERROR), ("b/c.json", WARNING)]);
    let mut client = Client::in_folder(&folder, &pulling(), &json!({}));
    let uri = uri_in(&folder, "a.json");
    let found = client.pulled(&uri);
    assert_eq!(found.len(), 1, "{found:?}");
    let params = json!({
        "textDocument": { "uri": uri_in(&folder, "b/c.json") }, "context": { "diagnostics": [] },
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } },
    });
    let actions = client.request("textDocument/codeAction", params);
    assert!(actions.as_array().is_some_and(|actions| !actions.is_empty()), "{actions}");
    client.shut_down();
}

#[test]
fn findings_of_open_documents_stay_when_those_of_the_workspace_are_not_shown() {
    let folder = Folder::with(&[("a.json", ERROR), ("b/c.json", WARNING)]);
    let (open, closed) = (uri_in(&folder, "a.json"), uri_in(&folder, "b/c.json"));
    let mut client = Client::in_folder(&folder, &pulling(), &json!({}));
    client.open(&open, ERROR);
    let found = client.request("textDocument/diagnostic", json!({ "textDocument": { "uri": open } }));
    let known = json!([{ "uri": open, "value": found["resultId"] }, { "uri": closed, "value": "shown before" }]);
    let all = client.request("workspace/diagnostic", json!({ "previousResultIds": known }));
    let reports: Vec<_> = all["items"].as_array().unwrap().iter().map(|it| (&it["uri"], &it["items"])).collect();
    assert_eq!(reports, [(&json!(closed), &json!([]))]);
    let known = json!([{ "uri": open, "value": "an old one" }]);
    let all = client.request("workspace/diagnostic", json!({ "previousResultIds": known }));
    assert_eq!((&all["items"][0]["uri"], &all["items"][0]["items"]), (&json!(open), &found["items"]));
    client.shut_down();
}

#[test]
fn findings_of_the_workspace_wait_for_open_documents_outside() {
    let folder = Folder::with(&[("a.json", WARNING)]);
    let other = Folder::with(&[("b.json", FINE)]);
    let outside = uri_in(&other, "b.json");
    let mut client = Client::in_folder(&folder, &pulling(), &json!({ "workspaceDiagnostics": true }));
    client.open(&uri_in(&folder, "a.json"), WARNING);
    client.pulled(&uri_in(&folder, "a.json"));
    client.open(&outside, ERROR);
    let all = client.request("workspace/diagnostic", json!({ "previousResultIds": [] }));
    let items = all["items"].as_array().unwrap();
    let codes = items.iter().find(|report| report["uri"] == outside).map(|report| report["items"][0]["code"].clone());
    assert_eq!(codes, Some(json!("WF101")), "{all}");
    client.shut_down();
}

#[test]
fn client_is_asked_to_ask_again_when_another_document_changes() {
    let folder = copy_of("examples/approval");
    let mut client = Client::in_folder(&folder, &pulling(), &json!({}));
    let (workflow, form) = (uri_in(&folder, "order.workflow.json"), uri_in(&folder, "order.form.json"));
    client.open(&workflow, &folder.read("order.workflow.json"));
    client.open(&form, &folder.read("order.form.json"));
    let before = client.pulled(&form);
    let renamed = folder.read("order.workflow.json").replace("\"ApproverGroup\"", "\"Approvers\"");
    client.change(&workflow, 2, json!([{ "text": renamed }]));
    client.wait(|message| message["method"] == "workspace/diagnostic/refresh");
    assert_ne!(client.pulled(&form), before);
    client.shut_down();
}

#[test]
fn changed_files_are_seen() {
    let folder = Folder::with(&[("a.json", FINE), ("wflint.toml", "")]);
    let capabilities = json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } });
    let mut client = Client::in_folder(&folder, &capabilities, &json!({ "workspaceDiagnostics": true }));
    client.wait(|message| message["method"] == "client/registerCapability");
    let uri = uri_in(&folder, "a.json");
    folder.write("a.json", WARNING);
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": uri, "type": 2 }] }));
    assert_eq!(client.published(&uri, Value::Null)[0]["code"], "WF414");
    folder.write("wflint.toml", "ignore = ['WF414']\n");
    let config = uri_in(&folder, "wflint.toml");
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": config, "type": 2 }] }));
    assert_eq!(client.published(&uri, Value::Null), [Value::Null; 0]);
    folder.write("sub/b.json", ERROR);
    let new = uri_in(&folder, "sub/b.json");
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": [{ "uri": new, "type": 1 }] }));
    assert_eq!(client.published(&new, Value::Null)[0]["code"], "WF101");
    client.shut_down();
}
