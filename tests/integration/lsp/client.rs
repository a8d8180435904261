//! A client of the language server, which runs as a process.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::folder::Folder;

/// A test that waits longer than this fails.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    requests: i64,
    /// The last list that was published for each URI.
    pub published: BTreeMap<String, Value>,
    /// The requests of the server, in their order.
    pub asked: Vec<Value>,
}

impl Client {
    /// Starts the server in a folder.
    pub fn start(folder: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wflint"));
        command.arg("lsp").current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, messages, requests: 0, published: BTreeMap::new(), asked: Vec::new() }
    }

    /// Starts the server for a folder, and initializes it with these capabilities and options.
    pub fn in_folder(folder: &Folder, capabilities: &Value, options: &Value) -> Self {
        let mut client = Self::start(folder.path());
        let folders = json!([{ "uri": uri(&folder.path().canonicalize().unwrap()), "name": "a" }]);
        let params = json!({
            "processId": std::process::id(), "rootUri": null, "workspaceFolders": folders,
            "capabilities": capabilities, "initializationOptions": options,
        });
        client.request("initialize", params);
        client.notify("initialized", json!({}));
        client
    }

    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    pub fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub fn notify(&mut self, method: &str, params: impl Into<Value>) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params.into() }));
    }

    /// Sends a request, and returns its id.
    pub fn ask(&mut self, method: &str, params: impl Into<Value>) -> i64 {
        self.requests += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params.into() }));
        self.requests
    }

    /// The response to a request.
    #[track_caller]
    pub fn response(&mut self, id: i64) -> Value {
        self.wait(|message| message.get("method").is_none() && message["id"] == id)
    }

    /// Sends a request, and returns the response.
    #[track_caller]
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.response(id)
    }

    /// Sends a request, and returns its result.
    #[track_caller]
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let response = self.call(method, params);
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].clone()
    }

    /// Waits for a message.
    #[track_caller]
    pub fn wait(&mut self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let message = self.messages.recv_timeout(left).expect("no such message");
            if message["method"] == "textDocument/publishDiagnostics" {
                let uri = message["params"]["uri"].as_str().unwrap().to_owned();
                self.published.insert(uri, message["params"].clone());
            } else if message.get("method").is_some() && message.get("id").is_some() {
                self.asked.push(message.clone());
            }
            if is_wanted(&message) {
                return message;
            }
        }
    }

    /// Opens a document with version 1.
    pub fn open(&mut self, uri: &str, text: &str) {
        let language = if uri.ends_with("json") || uri.starts_with("untitled:") { "json" } else { "other" };
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Sends changes of a document.
    pub fn change(&mut self, uri: &str, version: i32, changes: impl Into<Value>) {
        let document = json!({ "uri": uri, "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes.into() }));
    }

    pub fn close(&mut self, uri: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    /// The list that is published for a version of a document.
    #[track_caller]
    pub fn published(&mut self, uri: &str, version: impl Into<Value>) -> Vec<Value> {
        let version = version.into();
        let is_it = |message: &Value| message["params"]["uri"] == uri && message["params"]["version"] == version;
        let message = self.wait(|message| message["method"] == "textDocument/publishDiagnostics" && is_it(message));
        message["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// The findings of a document, asked for.
    #[track_caller]
    pub fn pulled(&mut self, uri: &str) -> Vec<Value> {
        let report = self.request("textDocument/diagnostic", json!({ "textDocument": { "uri": uri } }));
        report["items"].as_array().unwrap().clone()
    }

    /// Closes the input.
    pub fn hang_up(&mut self) {
        self.input = None;
    }

    /// Waits for the end of the process.
    #[track_caller]
    pub fn end(mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the server does not end");
    }

    /// Shuts the server down.
    #[track_caller]
    pub fn shut_down(mut self) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        assert_eq!(self.end().code(), Some(0));
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => length = line.strip_prefix("Content-Length: ").map(|length| length.parse::<u64>().unwrap()),
        }
    }
    let mut message = Vec::new();
    output.take(length.unwrap()).read_to_end(&mut message).ok()?;
    Some(serde_json::from_slice(&message).unwrap())
}

/// The URI of a file.
pub fn uri(path: &Path) -> String {
    let path = path.to_str().unwrap().replace('\\', "/").replace(' ', "%20");
    if path.starts_with('/') { format!("file://{path}") } else { format!("file:///{path}") }
}

/// The URI of a file in a folder.
pub fn uri_in(folder: &Folder, name: &str) -> String {
    uri(&folder.path().canonicalize().unwrap().join(name))
}

/// What a client that asks for findings says of itself.
pub fn pulling() -> Value {
    json!({
        "textDocument": { "diagnostic": { "dynamicRegistration": false } },
        "workspace": { "diagnostics": { "refreshSupport": true } },
    })
}
