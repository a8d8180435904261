//! `wflint/drawing`: the picture of what is being typed, and `wflint/drawingChanged`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Client, PATIENCE, pulling, uri_in};
use crate::support::folder::{Folder, copy_of};

/// Its name has characters of two and four bytes, and two code units.
const ORDER: &str = r#"{ "activities": [
  { "name": "Frame 🖊 é", "type": "Sequence", "activities": [
    { "name": "Say", "type": "Status", "status": { "isBound": false, "value": "Ordered" } },
    { "name": "Wrong", "type": "Status", "status": { "isBound": true, "boundTo": "Nobody" } } ] },
  { "name": "Last", "type": "Terminate" }
], "variables": [] }"#;

/// What a client says that shows drawings.
fn drawing() -> Value {
    json!({ "experimental": { "wflintDrawing": true } })
}

fn ask(uri: &str) -> Value {
    json!({ "textDocument": { "uri": uri } })
}

fn draw(client: &mut Client, uri: &str) -> Value {
    client.request("wflint/drawing", ask(uri))
}

fn is_change(message: &Value) -> bool {
    message["method"] == "wflint/drawingChanged"
}

/// The text of a range.
fn text(text: &str, range: &Value) -> String {
    let offset = |position: &Value| {
        let number = |key: &str| usize::try_from(position[key].as_u64().unwrap()).unwrap();
        let start: usize = text.split_inclusive('\n').take(number("line")).map(str::len).sum();
        let units: Vec<u16> = text[start..].encode_utf16().take(number("character")).collect();
        start + String::from_utf16(&units).unwrap().len()
    };
    text[offset(&range["start"])..offset(&range["end"])].to_owned()
}

fn of<'v>(list: &'v Value, key: &str) -> Vec<&'v str> {
    list.as_array().unwrap().iter().map(|item| item[key].as_str().unwrap()).collect()
}

#[test]
fn drawing_is_that_of_the_command_line_for_the_unsaved_text() {
    let folder = copy_of("examples/sign-upload");
    let workflow = uri_in(&folder, "order.workflow.json");
    let mut client = Client::start(folder.path());
    let params = json!({ "processId": null, "rootUri": super::client::uri(&folder.path().canonicalize().unwrap()),
        "capabilities": {} });
    let capabilities = client.request("initialize", params)["capabilities"].clone();
    assert_eq!(capabilities["experimental"]["wflintDrawing"], true);
    client.notify("initialized", json!({}));
    let typed = folder.read("order.workflow.json").replacen("\"name\": \"", "\"name\": \"Typed ", 3);
    client.open(&workflow, &typed);
    let picture = draw(&mut client, &workflow);
    assert_eq!((&picture["version"], &picture["stale"], &picture["current"]), (&json!(1), &json!(false), &Value::Null));
    assert_eq!(picture["name"], "order.workflow.json");
    folder.write("order.workflow.json", &typed);
    let written = folder.run(&["graph", "order.workflow.json", "--format", "svg"]).out().to_owned();
    assert_eq!(picture["svg"].as_str().unwrap(), written);
    let pointers = of(&picture["activities"], "pointer");
    assert!(pointers.len() > 5);
    assert!(pointers.iter().all(|it| written.contains(&format!("data-pointer=\"{it}\""))), "{pointers:?}");
    assert!(of(&picture["activities"], "name").iter().any(|name| name.starts_with("Typed ")));
    for activity in picture["activities"].as_array().unwrap() {
        let text: Value = serde_json::from_str(&text(&typed, &activity["range"])).unwrap();
        assert_eq!(text["name"], activity["name"]);
    }
    client.shut_down();
}

#[test]
fn findings_are_those_that_are_published_with_their_activities() {
    let folder = Folder::with(&[("order.workflow.json", ORDER)]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let workflow = uri_in(&folder, "order.workflow.json");
    client.open(&workflow, ORDER);
    let published = client.published(&workflow, 1);
    let picture = draw(&mut client, &workflow);
    let findings = picture["findings"].as_array().unwrap();
    assert!(!findings.is_empty());
    let shown = |list: &[Value]| -> Vec<(Value, Value, Value)> {
        list.iter().map(|it| (it["code"].clone(), it["message"].clone(), it["range"].clone())).collect()
    };
    assert_eq!(shown(findings), shown(&published));
    let wrong = findings.iter().find(|finding| finding["code"] == "WF101").unwrap();
    assert_eq!((&wrong["pointer"], &wrong["severity"]), (&json!("/activities/0/activities/1"), &json!("error")));
    assert_eq!(text(ORDER, &wrong["range"]), "\"Nobody\"");
    assert!(picture["svg"].as_str().unwrap().contains("error WF101"));
    client.shut_down();
}

#[test]
fn cursor_is_in_the_innermost_activity() {
    let folder = Folder::with(&[("order.workflow.json", ORDER)]);
    for encoding in ["utf-16", "utf-8"] {
        let capabilities = json!({ "general": { "positionEncodings": [encoding] } });
        let mut client = Client::in_folder(&folder, &capabilities, &json!({}));
        let workflow = uri_in(&folder, "order.workflow.json");
        client.open(&workflow, ORDER);
        let mut current = |line: u32, character: u32| {
            let position = json!({ "line": line, "character": character });
            let params = json!({ "textDocument": { "uri": workflow }, "position": position });
            client.request("wflint/drawing", params)["current"].clone()
        };
        assert_eq!(current(1, 4), "/activities/0");
        assert_eq!(current(2, 20), "/activities/0/activities/0");
        assert_eq!(current(3, 20), "/activities/0/activities/1");
        assert_eq!(current(4, 30), "/activities/1");
        assert_eq!(current(0, 0), Value::Null);
        assert_eq!(current(5, 2), Value::Null);
        assert_eq!(current(u32::MAX, u32::MAX), Value::Null);
        client.shut_down();
    }
}

#[test]
fn broken_json_keeps_the_last_drawing() {
    let folder = Folder::with(&[("order.workflow.json", "{}")]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    for document in [uri_in(&folder, "order.workflow.json"), "untitled:Untitled-1".to_owned()] {
        client.open(&document, ORDER);
        client.published(&document, 1);
        let before = draw(&mut client, &document);
        assert_eq!(before["stale"], false);
        // A quote is missing: the places after it are where they are now.
        let broken = ORDER.replace("\"Say\"", "\"Say somewhat more");
        client.change(&document, 2, json!([{ "text": broken }]));
        let position = json!({ "line": 4, "character": 12 });
        let params = json!({ "textDocument": { "uri": document }, "position": position });
        let stale = client.request("wflint/drawing", params);
        assert_eq!((&stale["version"], &stale["stale"]), (&json!(2), &json!(true)));
        assert_eq!(stale["svg"], before["svg"], "with the findings that were known");
        assert_eq!(stale["current"], "/activities/1");
        assert_eq!((of(&stale["findings"], "code"), &stale["findings"][0]["pointer"]), (vec!["WF001"], &json!("")));
        let ranges: Vec<String> =
            stale["activities"].as_array().unwrap().iter().map(|it| text(&broken, &it["range"])).collect();
        assert!(ranges[1].starts_with("{ \"name\": \"Say somewhat more") && ranges[1].ends_with("\"Ordered\" } }"));
        assert_eq!(ranges[3], r#"{ "name": "Last", "type": "Terminate" }"#);
        client.change(&document, 3, json!([{ "text": ORDER }]));
        assert_eq!(draw(&mut client, &document)["stale"], false);
    }
    client.shut_down();
}

#[test]
fn what_is_no_workflow_has_no_drawing() {
    let folder = Folder::with(&[
        ("order.form.json", r#"{ "fields": [] }"#),
        ("other.json", "[1]"),
        ("broken.workflow.json", "{ \"activities\": ["),
        ("wflint.toml", ""),
        ("a.scenario.yaml", "workflow: order.workflow.json\n"),
        ("saved.workflow.json", ORDER),
    ]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    for name in ["order.form.json", "other.json", "broken.workflow.json", "wflint.toml", "a.scenario.yaml"] {
        let uri = uri_in(&folder, name);
        assert_eq!(draw(&mut client, &uri), Value::Null, "{name}");
        client.open(&uri, &folder.read(name));
        assert_eq!(draw(&mut client, &uri), Value::Null, "{name} in an editor");
    }
    for uri in ["untitled:a", "file:///missing.json", "", "https://example.org/a.json"] {
        assert_eq!(draw(&mut client, uri), Value::Null, "{uri}");
    }
    let saved = draw(&mut client, &uri_in(&folder, "saved.workflow.json"));
    assert_eq!((&saved["version"], &saved["stale"]), (&Value::Null, &json!(false)), "a file that is not open");
    let workflow = uri_in(&folder, "saved.workflow.json");
    client.open(&workflow, ORDER);
    for (params, reason) in [
        (json!({}), "textDocument"),
        (json!([]), "parameters"),
        (json!({ "textDocument": { "uri": workflow }, "position": 1 }), "parameters"),
        (json!({ "textDocument": { "uri": workflow }, "collapsed": "/activities/0" }), "parameters"),
    ] {
        let error = client.call("wflint/drawing", params)["error"].clone();
        assert_eq!(error["code"], -32602, "{error}");
        assert!(error["message"].as_str().unwrap().contains(reason), "{error}");
    }
    client.change(&workflow, 2, json!([{ "text": "{ \"fields\": [] }" }]));
    assert_eq!(draw(&mut client, &workflow), Value::Null, "it is a form now");
    client.shut_down();
}

#[test]
fn sequences_are_folded() {
    let folder = Folder::with(&[("order.workflow.json", ORDER)]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let workflow = uri_in(&folder, "order.workflow.json");
    client.open(&workflow, ORDER);
    let mut fold = |pointers: Value| {
        let params = json!({ "textDocument": { "uri": workflow }, "collapsed": pointers });
        client.request("wflint/drawing", params)
    };
    let whole = fold(json!([]));
    let folded = fold(json!(["/activities/0", "/activities/1", "/nothing"]));
    let svg = folded["svg"].as_str().unwrap();
    assert!(svg.contains("2 steps") && svg.contains("error WF101") && !svg.contains("data-pointer=\"/activities/0/"));
    assert!(svg.contains("data-pointer=\"/activities/1\""));
    assert_eq!(folded["activities"], whole["activities"], "all are in the text");
    assert_eq!(fold(json!(["/activities/1"]))["svg"], whole["svg"], "it is not a Sequence");
    client.shut_down();
}

#[test]
fn texts_of_a_document_are_no_markup() {
    let hostile = "</svg><script>alert(1)</script>\\u202e&'\\\" onload=\\\"x";
    let order = ORDER.replace("Say", hostile).replace("Ordered", hostile).replace("Last", hostile);
    let folder = Folder::with(&[("order.workflow.json", &order)]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let workflow = uri_in(&folder, "order.workflow.json");
    client.open(&workflow, &order);
    let picture = draw(&mut client, &workflow);
    let svg = roxmltree::Document::parse(picture["svg"].as_str().unwrap()).unwrap();
    let elements = svg.descendants().filter(roxmltree::Node::is_element);
    for element in elements {
        assert_ne!(element.tag_name().name(), "script");
        assert!(element.attributes().all(|attribute| !attribute.name().starts_with("on")));
    }
    let name = picture["activities"][1]["name"].as_str().unwrap();
    assert!(name.contains("<script>") && !name.contains('\u{202e}'), "{name}");
    client.shut_down();
}

#[test]
fn client_is_told_of_each_version_of_the_service() {
    let form = r#"{ "fields": [] }"#;
    let folder = Folder::with(&[("order.workflow.json", ORDER), ("order.form.json", form)]);
    let (workflow, other) = (uri_in(&folder, "order.workflow.json"), uri_in(&folder, "order.form.json"));
    let mut all = pulling();
    all["experimental"] = drawing()["experimental"].clone();
    for (capabilities, pulls) in [(drawing(), false), (all, true)] {
        let mut client = Client::in_folder(&folder, &capabilities, &json!({}));
        client.open(&workflow, ORDER);
        let told = client.wait(is_change);
        assert_eq!(told["params"], json!({ "uri": workflow, "version": 1 }));
        assert!(pulls || client.published.contains_key(&workflow), "it is told when it has the findings");
        for version in 2..4 {
            client.change(&workflow, version, json!([{ "text": ORDER.replace("Say", &format!("Say {version}")) }]));
            assert_eq!(client.wait(is_change)["params"]["version"], version);
            assert!(draw(&mut client, &workflow)["svg"].as_str().unwrap().contains(&format!("Say {version}")));
        }
        client.open(&other, form);
        client.change(&other, 2, json!([{ "text": r#"{ "fields": [{ "name": "A" }] }"# }]));
        assert_eq!(client.wait(is_change)["params"], json!({ "uri": workflow, "version": 3 }), "a form has changed");
        client.change(&workflow, 4, json!([{ "text": "[" }]));
        assert_eq!(client.wait(is_change)["params"]["version"], 4);
        client.shut_down();
    }
}

#[test]
fn others_are_not_told() {
    let folder = Folder::with(&[("order.workflow.json", ORDER)]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let workflow = uri_in(&folder, "order.workflow.json");
    client.open(&workflow, ORDER);
    client.published(&workflow, 1);
    draw(&mut client, &workflow);
    let shutdown = client.ask("shutdown", Value::Null);
    let next = client.wait(|message| is_change(message) || message["id"] == shutdown);
    assert_eq!(next["id"], shutdown);
}

#[test]
fn drawing_follows_what_is_typed() {
    let folder = copy_of("examples/sign-upload");
    let workflow = uri_in(&folder, "order.workflow.json");
    let mut client = Client::in_folder(&folder, &drawing(), &json!({}));
    let text = folder.read("order.workflow.json");
    client.open(&workflow, &text);
    client.wait(is_change);
    let mut longest = Duration::ZERO;
    for version in 2..7 {
        client.change(&workflow, version, json!([{ "text": format!("{text}{}", " ".repeat(10)) }]));
        let begun = Instant::now();
        assert_eq!(draw(&mut client, &workflow)["version"], version);
        longest = longest.max(begun.elapsed());
    }
    // 200 ms is for a release on a machine that does nothing else.
    assert!(longest < PATIENCE / 10, "{longest:?}");
    client.shut_down();
}
