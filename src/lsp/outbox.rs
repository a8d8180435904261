//! Sends messages on a separate thread, so that a client that does not read blocks nothing.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use gen_lsp_types::{LogTraceNotification, Notification, Request};
use serde::Serialize;
use serde_json::{Value, json};

use super::frame;
use super::message::{Failure, Incoming};
use super::trace::{Trace, TraceLevel};

/// Bytes that wait for a client that does not read them.
const MAX_WAITING: usize = 1 << 30;
/// Time limit for the last messages.
const LAST_MESSAGES: Duration = Duration::from_secs(1);

/// A notification. It is not made a [`Value`] first, as there may be very many findings.
#[derive(Serialize)]
struct Notice<'n, P> {
    jsonrpc: &'n str,
    method: &'n str,
    params: &'n P,
}

#[derive(Debug)]
pub struct Outbox {
    sender: Sender<Vec<u8>>,
    waiting: Arc<AtomicUsize>,
    written: Receiver<()>,
    requests: u64,
    pub trace: Trace,
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
                if frame::write(&mut output, &message).is_err() {
                    gone();
                    break;
                }
                counter.fetch_sub(message.len(), Ordering::Relaxed);
            }
            let _ = done.send(());
        });
        Self { sender, waiting, written, requests: 0, trace: Trace::default() }
    }

    /// Whether more waits than a client that reads leaves.
    pub fn is_full(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) > MAX_WAITING
    }

    pub fn respond(&self, id: &Value, answer: Result<Value, Failure>) {
        self.send(&match answer {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(Failure { code, message }) => {
                json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
            }
        });
    }

    pub fn notify<N: Notification>(&self, params: &N::Params)
    where
        N::Params: Serialize,
    {
        self.send(&Notice { jsonrpc: "2.0", method: N::METHOD.as_str(), params });
    }

    /// Sends a request, and returns its id.
    pub fn request<R: Request>(&mut self, params: &R::Params) -> Value
    where
        R::Params: Serialize,
    {
        self.requests += 1;
        let id = Value::from(self.requests);
        let mut message = json!({ "jsonrpc": "2.0", "id": id, "method": R::METHOD.as_str(), "params": params });
        if let Some(message) = message.as_object_mut().filter(|message| message.get("params") == Some(&Value::Null)) {
            message.remove("params");
        }
        self.send(&message);
        id
    }

    /// Logs a message of the client, if it wants that.
    pub fn log_received(&self, message: &Incoming) {
        if let Some(entry) = self.trace.received(message) {
            self.notify::<LogTraceNotification>(&entry);
        }
    }

    fn send(&self, message: &impl Serialize) {
        if self.trace.level != TraceLevel::Off
            && let Ok(message) = serde_json::to_value(message)
            && let Some(entry) = self.trace.sent(&message)
        {
            self.notify::<LogTraceNotification>(&entry);
        }
        // Fails only for maps whose keys are not strings, of which the protocol has none.
        let Ok(message) = serde_json::to_vec(message) else { return };
        self.waiting.fetch_add(message.len(), Ordering::Relaxed);
        // A client that is gone is noticed by the thread.
        let _ = self.sender.send(message);
    }

    /// Waits until everything is written, but not for long.
    pub fn finish(self) {
        drop(self.sender);
        let _ = self.written.recv_timeout(LAST_MESSAGES);
    }
}
