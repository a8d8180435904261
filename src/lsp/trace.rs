//! The trace of messages, for people who look for a fault: `$/logTrace`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::time::Instant;

use gen_lsp_types::LogTraceParams;
use serde_json::Value;

use super::message::Incoming;
use crate::text::truncate;

/// The method of an entry, which has no entry of its own.
pub const LOG_TRACE: &str = "$/logTrace";

/// Maximum number of characters of the content of a message.
const MAX_VERBOSE: usize = 10_000;

/// The level of the trace.
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

#[derive(Debug, Default)]
pub struct Trace {
    pub level: TraceLevel,
    /// The requests of the client without an answer, by id: their methods, and when they were received.
    open: RefCell<BTreeMap<String, (String, Instant)>>,
}

impl Trace {
    /// The entry for a message of the client.
    pub fn received(&self, message: &Incoming) -> Option<LogTraceParams> {
        if self.level == TraceLevel::Off {
            return None;
        }
        match message {
            Incoming::Request { id, method, params } => {
                self.open.borrow_mut().insert(id.to_string(), (method.clone(), Instant::now()));
                Some(self.entry(format!("Received request '{method} - ({id})'"), "Params", params))
            }
            Incoming::Notification { method, params } => {
                Some(self.entry(format!("Received notification '{method}'"), "Params", params))
            }
            Incoming::Response { id, result } => {
                let result = result.as_ref().unwrap_or(&Value::Null);
                Some(self.entry(format!("Received response '({id})'"), "Result", result))
            }
            Incoming::Invalid(_, failure) => {
                Some(self.entry("Received an invalid message".to_owned(), "Reason", &failure.message.as_str().into()))
            }
        }
    }

    /// The entry for a message to the client.
    pub fn sent(&self, message: &Value) -> Option<LogTraceParams> {
        if self.level == TraceLevel::Off {
            return None;
        }
        let params = message.get("params").unwrap_or(&Value::Null);
        let id = message.get("id");
        match (message.get("method").and_then(Value::as_str), id) {
            (Some(LOG_TRACE), _) => None,
            (Some(method), Some(id)) => Some(self.entry(format!("Sent request '{method} - ({id})'"), "Params", params)),
            (Some(method), None) => Some(self.entry(format!("Sent notification '{method}'"), "Params", params)),
            (None, id) => {
                let id = id.unwrap_or(&Value::Null);
                let request = self.open.borrow_mut().remove(&id.to_string());
                let what = match request {
                    Some((method, received)) => format!("'{method} - ({id})' in {}ms", received.elapsed().as_millis()),
                    None => format!("'({id})'"),
                };
                match message.get("error") {
                    Some(error) => Some(self.entry(format!("Sent error {what}"), "Error", error)),
                    None => {
                        let result = message.get("result").unwrap_or(&Value::Null);
                        Some(self.entry(format!("Sent response {what}"), "Result", result))
                    }
                }
            }
        }
    }

    fn entry(&self, message: String, name: &str, value: &Value) -> LogTraceParams {
        let is_verbose = self.level == TraceLevel::Verbose;
        let verbose = is_verbose.then(|| format!("{name}: {}", truncate(&value.to_string(), MAX_VERBOSE)));
        LogTraceParams { message, verbose }
    }
}
