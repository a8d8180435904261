//! Messages of JSON-RPC, as they arrive.

use gen_lsp_types::{ErrorCodes, LspErrorCodes};
use serde_json::{Map, Value};

use crate::report::visible;

#[derive(Debug, PartialEq)]
pub enum Incoming {
    Request {
        /// A number or a string.
        id: Value,
        method: String,
        params: Value,
    },
    Notification {
        method: String,
        params: Value,
    },
    /// The answer to a request of the server; `None` if it failed.
    Response {
        id: Value,
        result: Option<Value>,
    },
    /// With the id to answer to, null if it is not known.
    Invalid(Value, Failure),
}

/// An error that answers a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub code: i32,
    /// For the user.
    pub message: String,
}

impl Failure {
    pub fn parse(reason: impl Into<String>) -> Self {
        Self { code: i32::from(ErrorCodes::ParseError), message: reason.into() }
    }

    pub fn request(reason: impl Into<String>) -> Self {
        Self { code: i32::from(ErrorCodes::InvalidRequest), message: reason.into() }
    }

    pub fn params(reason: impl Into<String>) -> Self {
        Self { code: i32::from(ErrorCodes::InvalidParams), message: reason.into() }
    }

    pub fn not_initialized() -> Self {
        let message = "expected `initialize` first".to_owned();
        Self { code: i32::from(ErrorCodes::ServerNotInitialized), message }
    }

    pub fn unknown_method(method: &str) -> Self {
        Self { code: i32::from(ErrorCodes::MethodNotFound), message: format!("unknown method `{method}`") }
    }

    /// Of a method that the server does not offer to this client.
    pub fn not_offered(reason: &str) -> Self {
        Self { code: i32::from(ErrorCodes::MethodNotFound), message: reason.to_owned() }
    }

    pub fn internal(method: &str) -> Self {
        Self { code: i32::from(ErrorCodes::InternalError), message: format!("`{method}` failed") }
    }

    pub fn canceled() -> Self {
        Self { code: i32::from(LspErrorCodes::RequestCancelled), message: "canceled".to_owned() }
    }

    /// The error of a request that cannot be fulfilled.
    pub fn refused(reason: impl Into<String>) -> Self {
        Self { code: i32::from(LspErrorCodes::RequestFailed), message: visible(&reason.into()).into_owned() }
    }
}

/// Reads a message.
pub fn parse(bytes: &[u8]) -> Incoming {
    match serde_json::from_slice(bytes) {
        Ok(Value::Object(message)) => of_object(message),
        Ok(_) => Incoming::Invalid(Value::Null, Failure::request("expected an object")),
        Err(error) => Incoming::Invalid(Value::Null, Failure::parse(format!("invalid JSON: {error}"))),
    }
}

fn of_object(mut message: Map<String, Value>) -> Incoming {
    let id = message.remove("id");
    let params = message.remove("params").unwrap_or_default();
    let is_id = |id: &Value| id.is_string() || id.is_i64() || id.is_u64();
    match (message.remove("method"), id) {
        (Some(Value::String(method)), None) => Incoming::Notification { method, params },
        (Some(Value::String(method)), Some(id)) if is_id(&id) => Incoming::Request { id, method, params },
        (None, Some(id)) if message.contains_key("result") || message.contains_key("error") => {
            Incoming::Response { id, result: message.remove("result").filter(|_| !message.contains_key("error")) }
        }
        (_, id) => {
            let id = id.filter(is_id).unwrap_or_default();
            Incoming::Invalid(id, Failure::request("expected a request, a notification or a response"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kind_of_message_follows_from_its_keys() {
        let id = || Value::from(1);
        let method = || "m".to_owned();
        let params = Value::Null;
        assert_eq!(
            parse(br#"{"jsonrpc":"2.0","id":1,"method":"m"}"#),
            Incoming::Request { id: id(), method: method(), params }
        );
        assert_eq!(parse(br#"{"method":"m"}"#), Incoming::Notification { method: method(), params: Value::Null });
        assert_eq!(parse(br#"{"id":1,"result":null}"#), Incoming::Response { id: id(), result: Some(Value::Null) });
        assert_eq!(parse(br#"{"id":1,"error":{}}"#), Incoming::Response { id: id(), result: None });
    }

    #[test]
    fn other_messages_are_refused() {
        let refused = |text: &str| match parse(text.as_bytes()) {
            Incoming::Invalid(id, failure) => (id, failure.code),
            other => panic!("{other:?}"),
        };
        for text in ["", "{", "\"\\ud800\"", "\u{feff}{}", &"[".repeat(100_000)] {
            assert_eq!(refused(text), (Value::Null, -32700), "{text}");
        }
        for text in ["[]", "1", "{}", r#"{"id":true,"method":"m"}"#, r#"{"id":null,"method":"m"}"#, r#"{"id":{}}"#] {
            assert_eq!(refused(text), (Value::Null, -32600), "{text}");
        }
        for text in [r#"{"id":1}"#, r#"{"id":1,"method":2}"#] {
            assert_eq!(refused(text), (Value::from(1), -32600), "{text}");
        }
    }
}
