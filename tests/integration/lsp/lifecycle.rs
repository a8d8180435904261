//! From `initialize` to `exit`, and whatever else a client may send.

use serde_json::{Value, json};

use super::client::{Client, uri_in};
use crate::support::folder::Folder;
use crate::support::samples::{ERROR, FINE};

fn initialize(client: &mut Client) -> Value {
    client.request("initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} }))
}

#[track_caller]
fn refused(client: &mut Client, method: &str, params: Value, code: i64) {
    let response = client.call(method, params);
    assert_eq!(response["error"]["code"], code, "{method}: {response}");
    assert!(response["error"]["message"].is_string());
}

#[test]
fn requests_are_refused_before_initialize_and_after_shutdown() {
    let folder = Folder::with(&[]);
    let mut client = Client::start(folder.path());
    client.notify("textDocument/didOpen", json!({}));
    refused(&mut client, "textDocument/diagnostic", json!({}), -32002);
    refused(&mut client, "shutdown", Value::Null, -32002);
    refused(&mut client, "initialize", json!([]), -32602);
    let result = initialize(&mut client);
    assert_eq!(result["serverInfo"]["name"], "wflint");
    refused(&mut client, "initialize", json!({ "capabilities": {} }), -32600);
    assert_eq!(client.request("shutdown", Value::Null), Value::Null);
    refused(&mut client, "textDocument/diagnostic", json!({}), -32600);
    refused(&mut client, "shutdown", Value::Null, -32600);
    client.notify("exit", Value::Null);
    assert_eq!(client.end().code(), Some(0));
}

#[test]
fn server_ends_with_its_client() {
    let folder = Folder::with(&[]);
    let mut client = Client::start(folder.path());
    client.notify("exit", Value::Null);
    assert_eq!(client.end().code(), Some(1), "before `initialize`");
    let mut client = Client::start(folder.path());
    initialize(&mut client);
    client.notify("exit", Value::Null);
    assert_eq!(client.end().code(), Some(1), "without `shutdown`");
    let mut client = Client::start(folder.path());
    initialize(&mut client);
    client.hang_up();
    assert_eq!(client.end().code(), Some(1), "after its input is closed");
}

#[cfg(unix)]
#[test]
fn server_ends_when_the_process_of_the_client_is_gone() {
    let folder = Folder::with(&[]);
    let mut editor = std::process::Command::new("sleep").arg("600").spawn().unwrap();
    let mut client = Client::start(folder.path());
    client.request("initialize", json!({ "processId": editor.id(), "rootUri": null, "capabilities": {} }));
    editor.kill().unwrap();
    editor.wait().unwrap();
    assert_eq!(client.end().code(), Some(1));
}

#[test]
fn hostile_messages_are_answered_and_the_server_goes_on() {
    let folder = Folder::with(&[]);
    let mut client = Client::start(folder.path());
    initialize(&mut client);
    for (bytes, code) in [
        (&b"Content-Length: 1\r\n\r\n{"[..], -32700),
        (b"Content-Length: 2\r\n\r\n\xff\xfe", -32700),
        (b"Content-Length: 0\r\n\r\n", -32700),
        (b"Content-Length: 10737418240\r\n\r\n", -32700),
        (b"Content-Length: -1\r\n\r\n", -32700),
        (b"Content-Length: 99999999999999999999999999\r\n\r\n", -32700),
        (b"Content-Type: text/html\r\n\r\n", -32700),
        (b"GET / HTTP/1.1\r\n", -32700),
        (b"\0\0\0\0\n", -32700),
        (b"Content-Length: 2\r\n\r\n[]", -32600),
        (b"Content-Length: 4\r\n\r\nnull", -32600),
        (b"Content-Length: 10\r\n\r\n{\"id\":[1]}", -32600),
    ] {
        client.send_bytes(bytes);
        let response = client.wait(|message| message.get("error").is_some());
        assert_eq!((&response["error"]["code"], &response["id"]), (&json!(code), &Value::Null), "{bytes:?}");
    }
    client.send_bytes(format!("Content-Length: 200000\r\n\r\n{}", "[".repeat(200_000)).as_bytes());
    assert_eq!(client.wait(|message| message.get("error").is_some())["error"]["code"], -32700);
    refused(&mut client, "wflint/unknown", json!({}), -32601);
    refused(&mut client, "$/unknown", json!({}), -32601);
    for params in [Value::Null, json!([]), json!({ "textDocument": 1 }), json!("x")] {
        refused(&mut client, "textDocument/diagnostic", params.clone(), -32602);
        refused(&mut client, "textDocument/formatting", params, -32602);
    }
    for method in ["textDocument/didOpen", "textDocument/didChange", "$/cancelRequest", "unknown", "$/unknown"] {
        for params in [Value::Null, json!([]), json!({ "id": {} }), json!({ "textDocument": { "uri": 5 } })] {
            client.notify(method, params);
        }
    }
    client.send(&json!({ "id": 77, "result": [{}] }));
    client.send(&json!({ "id": "x", "error": { "code": 1 } }));
    client.shut_down();
}

#[test]
fn client_that_reads_late_is_answered() {
    let folder = Folder::with(&[]);
    let mut client = Client::start(folder.path());
    initialize(&mut client);
    // More than a pipe holds, in both directions.
    let long = "x".repeat(50_000);
    let ids: Vec<i64> = (0..100).map(|_| client.ask(&long, Value::Null)).collect();
    for id in ids {
        assert_eq!(client.response(id)["error"]["code"], -32601);
    }
    client.shut_down();
}

#[test]
fn ids_are_numbers_and_strings() {
    let folder = Folder::with(&[]);
    let mut client = Client::start(folder.path());
    for id in [json!(0), json!(-5), json!(i32::MAX), json!(""), json!("ä\"")] {
        client.send(&json!({ "jsonrpc": "2.0", "id": id, "method": "a" }));
        let response = client.wait(|message| message.get("error").is_some());
        assert_eq!((&response["id"], &response["error"]["code"]), (&id, &json!(-32002)));
    }
}

#[test]
fn encoding_is_the_best_that_the_client_offers() {
    let folder = Folder::with(&[]);
    for (offered, wanted) in [
        (Value::Null, "utf-16"),
        (json!(["utf-16", "utf-8"]), "utf-8"),
        (json!(["utf-32", "utf-16"]), "utf-16"),
        (json!(["utf-32"]), "utf-16"),
        (json!(5), "utf-16"),
    ] {
        let mut client = Client::start(folder.path());
        let capabilities = json!({ "general": { "positionEncodings": offered } });
        let result = client.request("initialize", json!({ "capabilities": capabilities }));
        assert_eq!(result["capabilities"]["positionEncoding"], wanted);
    }
}

#[test]
fn invalid_change_changes_nothing() {
    let folder = Folder::with(&[]);
    let mut client = Client::in_folder(&folder, &json!({}), &json!({}));
    let uri = uri_in(&folder, "a.json");
    client.open(&uri, ERROR);
    assert_eq!(client.published(&uri, 1).len(), 1);
    let range = json!({ "start": { "line": -1, "character": 0 }, "end": { "line": 0, "character": 0 } });
    client.change(&uri, 2, json!([{ "range": range, "text": "" }]));
    client.change(&uri, 3, json!({ "text": FINE }));
    client.change(&uri, 4, json!([]));
    assert_eq!(client.published(&uri, 4).len(), 1);
    client.change(&uri, 5, json!([{ "text": FINE }]));
    assert_eq!(client.published(&uri, 5), [Value::Null; 0]);
    client.shut_down();
}
