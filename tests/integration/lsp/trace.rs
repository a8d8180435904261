//! The trace of messages.

use serde_json::{Value, json};

use super::client::{Client, uri_in};
use crate::support::folder::Folder;

fn next(client: &mut Client) -> Value {
    client.wait(|message| message["method"] == "$/logTrace")["params"].clone()
}

/// Asks for symbols, so that there is something to log.
fn ask(client: &mut Client) -> i64 {
    client.ask("workspace/symbol", json!({ "query": "x" }))
}

#[test]
fn messages_are_logged_as_the_client_wants_it() {
    let folder = Folder::with(&[]);
    let mut client = Client::start(folder.path());
    client.request("initialize", json!({ "capabilities": {}, "trace": "messages" }));
    client.notify("initialized", json!({}));
    let logged = next(&mut client);
    assert_eq!(logged, json!({ "message": "Received notification 'initialized'" }));
    let id = ask(&mut client);
    assert_eq!(next(&mut client), json!({ "message": format!("Received request 'workspace/symbol - ({id})'") }));
    let sent = next(&mut client);
    assert!(sent["message"].as_str().unwrap().starts_with(&format!("Sent response 'workspace/symbol - ({id})' in ")));
    assert_eq!(sent.get("verbose"), None);
    client.notify("$/setTrace", json!({ "value": "verbose" }));
    ask(&mut client);
    let is_of = |logged: &Value, begin: &str| logged["message"].as_str().unwrap().starts_with(begin);
    let mut logged = next(&mut client);
    while !is_of(&logged, "Received request") {
        logged = next(&mut client);
    }
    assert_eq!(logged["verbose"], r#"Params: {"query":"x"}"#);
    assert_eq!(next(&mut client)["verbose"], "Result: []");
    // A setting of another kind, and one that does not exist, change nothing.
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "trace": { "server": "off" } } }));
    client.notify("$/setTrace", json!({ "value": "loud" }));
    assert!(is_of(&next(&mut client), "Received notification 'workspace/didChangeConfiguration'"));
    // The text of a document may be long.
    let uri = uri_in(&folder, "a.json");
    client.open(&uri, &"x".repeat(100_000));
    logged = next(&mut client);
    while !is_of(&logged, "Received notification 'textDocument/didOpen'") {
        logged = next(&mut client);
    }
    assert!(logged["verbose"].as_str().unwrap().chars().count() < 20_000);
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "trace": "off" } }));
    let id = ask(&mut client);
    client.response(id);
    let id = ask(&mut client);
    let answer = client.wait(|message| message["id"] == id || message["method"] == "$/logTrace");
    assert_eq!(answer["id"], id);
    client.shut_down();
}

#[test]
fn setting_comes_before_the_protocol() {
    let folder = Folder::with(&[]);
    for (trace, setting, is_logged) in [("off", "messages", true), ("messages", "off", false)] {
        let mut client = Client::start(folder.path());
        let options = json!({ "trace": setting });
        let params = json!({ "capabilities": {}, "trace": trace, "initializationOptions": options });
        client.request("initialize", params);
        let id = ask(&mut client);
        let first = client.wait(|message| message["id"] == id || message["method"] == "$/logTrace");
        assert_eq!(first["method"] == "$/logTrace", is_logged, "{first}");
        client.shut_down();
    }
}
