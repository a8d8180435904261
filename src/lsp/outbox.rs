//! Sends messages on a separate thread, so that a client that does not read blocks nothing, and logs them if the client
//! wants that (`$/logTrace`).

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use gen_lsp_types::{LogTraceNotification, LogTraceParams, Notification, Request};
use lsp_server::{Message, ReqQueue, RequestId, Response};
use serde::Serialize;
use serde_json::{Value, json};

use super::connection::{Failure, Incoming};
use crate::text::truncate;

/// Bytes that wait for a client that does not read them.
const MAX_WAITING: usize = 1 << 30;
/// Time limit for the last messages.
const LAST_MESSAGES: Duration = Duration::from_secs(1);
/// Maximum number of characters of the content of a logged message.
const MAX_VERBOSE: usize = 10_000;

/// What is logged of messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TraceLevel {
    #[default]
    Off,
    /// Methods and ids of messages.
    Messages,
    /// The content of messages, too.
    Verbose,
}

impl TraceLevel {
    /// As the protocol writes it.
    pub fn of(value: &Value) -> Option<Self> {
        match value.as_str()? {
            "off" => Some(Self::Off),
            "messages" => Some(Self::Messages),
            "verbose" => Some(Self::Verbose),
            _ => None,
        }
    }
}

#[derive(Debug)]
pub struct Outbox {
    sender: Sender<Vec<u8>>,
    waiting: Arc<AtomicUsize>,
    written: Receiver<()>,
    /// The requests without an answer: those of the client, with their methods and when they were received, and those of
    /// the server, with their methods.
    requests: ReqQueue<(String, Instant), String>,
    pub trace: TraceLevel,
}

impl Outbox {
    /// Starts the thread that writes; it calls `gone` when the output is closed.
    pub fn new(mut output: impl Write + Send + 'static, gone: impl FnOnce() + Send + 'static) -> Self {
        let (sender, messages) = channel::<Vec<u8>>();
        let (done, written) = channel();
        let waiting = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&waiting);
        std::thread::spawn(move || {
            for message in messages {
                if output.write_all(&message).and_then(|()| output.flush()).is_err() {
                    gone();
                    break;
                }
                counter.fetch_sub(message.len(), Ordering::Relaxed);
            }
            let _ = done.send(());
        });
        Self { sender, waiting, written, requests: ReqQueue::default(), trace: TraceLevel::Off }
    }

    /// Whether more waits than a client that reads leaves.
    pub fn is_full(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > MAX_WAITING
    }

    /// Remembers and logs a message of the client.
    pub fn receive(&mut self, incoming: &Incoming) {
        match incoming {
            Incoming::Message(Message::Request(request)) => {
                let (id, method) = (&request.id, &request.method);
                self.requests.incoming.register(id.clone(), (method.clone(), Instant::now()));
                self.log("Params", &request.params, || format!("Received request '{method} - ({id})'"));
            }
            Incoming::Message(Message::Notification(notification)) => {
                let method = &notification.method;
                self.log("Params", &notification.params, || format!("Received notification '{method}'"));
            }
            Incoming::Message(Message::Response(response)) => {
                let result = response.response_result.as_ref().unwrap_or(&Value::Null);
                self.log("Result", result, || format!("Received response '({})'", response.id));
            }
            Incoming::Invalid(_, failure) => {
                let reason = failure.message.as_str().into();
                self.log("Reason", &reason, || "Received an invalid message".to_owned());
            }
        }
    }

    /// The method of a request of the server that the client has answered.
    pub fn complete(&mut self, id: RequestId) -> Option<String> {
        self.requests.outgoing.complete(id)
    }

    pub fn respond(&mut self, id: &RequestId, answer: Result<Value, Failure>) {
        let what = match self.requests.incoming.complete(id) {
            Some((method, received)) => format!("'{method} - ({id})' in {}ms", received.elapsed().as_millis()),
            None => format!("'({id})'"),
        };
        let response = match answer {
            Ok(result) => {
                self.log("Result", &result, || format!("Sent response {what}"));
                Response { id: id.clone(), response_result: Ok(result) }
            }
            Err(Failure { code, message }) => {
                let error = json!({ "code": code, "message": message });
                self.log("Error", &error, || format!("Sent error {what}"));
                Response::new_err(id.clone(), code, message)
            }
        };
        self.send(&response.into());
    }

    /// Answers a message that has no valid id.
    pub fn refuse(&self, Failure { code, message }: &Failure) {
        let error = json!({ "code": code, "message": message });
        self.log("Error", &error, || "Sent error '(null)'".to_owned());
        let text = json!({ "jsonrpc": "2.0", "id": null, "error": error }).to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes());
    }

    pub fn notify<N: Notification>(&self, params: &N::Params)
    where
        N::Params: Serialize,
    {
        // Fails only for maps whose keys are not strings, of which the protocol has none.
        self.notify_of(N::METHOD.as_str(), serde_json::to_value(params).unwrap_or_default());
    }

    /// Sends a notification that the protocol may not know.
    pub fn notify_of(&self, method: &str, params: Value) {
        self.log("Params", &params, || format!("Sent notification '{method}'"));
        self.send(&lsp_server::Notification { method: method.to_owned(), params }.into());
    }

    pub fn request<R: Request>(&mut self, params: &R::Params)
    where
        R::Params: Serialize,
    {
        let method = R::METHOD.as_str().to_owned();
        let params = serde_json::to_value(params).unwrap_or_default();
        let request = self.requests.outgoing.register(method.clone(), params, method);
        let (method, id) = (&request.method, &request.id);
        self.log("Params", &request.params, || format!("Sent request '{method} - ({id})'"));
        self.send(&request.into());
    }

    /// Logs a message with its content, if the client wants that.
    fn log(&self, name: &str, content: &Value, message: impl FnOnce() -> String) {
        if self.trace == TraceLevel::Off {
            return;
        }
        let is_verbose = self.trace == TraceLevel::Verbose;
        let verbose = is_verbose.then(|| format!("{name}: {}", truncate(&content.to_string(), MAX_VERBOSE)));
        let params = serde_json::to_value(LogTraceParams { message: message(), verbose }).unwrap_or_default();
        let method = LogTraceNotification::METHOD.as_str().to_owned();
        self.send(&lsp_server::Notification { method, params }.into());
    }

    fn send(&self, message: &Message) {
        let mut bytes = Vec::new();
        if message.write(&mut bytes).is_ok() {
            self.write(bytes);
        }
    }

    fn write(&self, bytes: Vec<u8>) {
        self.waiting.fetch_add(bytes.len(), Ordering::Relaxed);
        // A client that is gone is noticed by the thread.
        let _ = self.sender.send(bytes);
    }

    /// Waits until everything is written, but not for long.
    pub fn finish(self) {
        drop(self.sender);
        let _ = self.written.recv_timeout(LAST_MESSAGES);
    }
}
