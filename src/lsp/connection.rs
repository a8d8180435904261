//! Messages as they arrive: those of `lsp_server`, whose own reader ends at the first one that is malformed, and reserves
//! the memory that a header announces.

use std::io::{self, BufRead, Read};

use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use serde_json::{Map, Value};

use crate::report::visible;

/// Bytes of a message. A document of 64 MiB fits, however it is escaped.
const MAX_BYTES: u64 = 512 << 20;
/// Bytes of a header's line.
const MAX_HEADER: u64 = 4096;

#[derive(Debug)]
pub enum Incoming {
    Message(Message),
    /// With the id to answer to, if it is known.
    Invalid(Option<RequestId>, Failure),
}

/// An error that answers a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub code: i32,
    /// For the user.
    pub message: String,
}

impl Failure {
    fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code: code as i32, message: message.into() }
    }

    pub fn request(reason: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidRequest, reason)
    }

    pub fn params(reason: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidParams, reason)
    }

    pub fn not_initialized() -> Self {
        Self::new(ErrorCode::ServerNotInitialized, "expected `initialize` first")
    }

    pub fn unknown_method(method: &str) -> Self {
        Self::not_offered(format!("unknown method `{method}`"))
    }

    /// Of a method that the server does not offer to this client.
    pub fn not_offered(reason: impl Into<String>) -> Self {
        Self::new(ErrorCode::MethodNotFound, reason)
    }

    pub fn internal(method: &str) -> Self {
        Self::new(ErrorCode::InternalError, format!("`{method}` failed"))
    }

    pub fn canceled() -> Self {
        Self::new(ErrorCode::RequestCanceled, "canceled")
    }

    /// Of a request that a newer one replaces.
    pub fn replaced() -> Self {
        Self::new(ErrorCode::ServerCancelled, "replaced by a newer request")
    }

    /// The error of a request that cannot be fulfilled.
    pub fn refused(reason: impl AsRef<str>) -> Self {
        Self::new(ErrorCode::RequestFailed, visible(reason.as_ref()))
    }
}

/// Reads the next message; `None` at the end of the input. After bytes that are not a message, what follows is searched
/// for the next one. Memory grows with the bytes that arrive, whatever a header announces.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let length = match read_headers(input)? {
        Some(Ok(length)) => length,
        Some(Err(reason)) => return Ok(Some(Incoming::Invalid(None, Failure::new(ErrorCode::ParseError, reason)))),
        None => return Ok(None),
    };
    let mut text = Vec::new();
    input.take(length).read_to_end(&mut text)?;
    Ok((text.len() as u64 == length).then(|| parse(&text)))
}

/// Reads the headers of a message up to the empty line: its length in bytes, or why they are invalid. `None` at the end of
/// the input.
fn read_headers(input: &mut impl BufRead) -> io::Result<Option<Result<u64, &'static str>>> {
    let mut length = None;
    let mut has_headers = false;
    loop {
        let mut line = Vec::new();
        input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        let line = line.trim_ascii();
        if line.is_empty() && has_headers {
            return Ok(Some(length.ok_or("missing header `Content-Length`")));
        }
        if line.is_empty() {
            continue;
        }
        has_headers = true;
        match header(line) {
            Some((name, value)) if name.eq_ignore_ascii_case("Content-Length") => match value.parse::<u64>() {
                Ok(bytes) if bytes <= MAX_BYTES => length = Some(bytes),
                Ok(_) => return Ok(Some(Err("message exceeds the limit of 512 MiB"))),
                Err(_) => return Ok(Some(Err("invalid `Content-Length`"))),
            },
            Some(_) => {}
            None => return Ok(Some(Err("invalid header"))),
        }
    }
}

/// The name and the value of a header.
fn header(line: &[u8]) -> Option<(&str, &str)> {
    let (name, value) = std::str::from_utf8(line).ok()?.split_once(':')?;
    let is_token = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    (is_token && !name.is_empty()).then(|| (name, value.trim()))
}

fn parse(text: &[u8]) -> Incoming {
    match serde_json::from_slice(text) {
        Ok(Value::Object(message)) => of_object(message),
        Ok(_) => Incoming::Invalid(None, Failure::request("expected an object")),
        Err(error) => Incoming::Invalid(None, Failure::new(ErrorCode::ParseError, format!("invalid JSON: {error}"))),
    }
}

/// A message is what its keys say. The types of the crate would take a request with an invalid id for a notification.
fn of_object(mut message: Map<String, Value>) -> Incoming {
    let has_id = message.contains_key("id");
    let id = message.remove("id").and_then(request_id);
    let params = message.remove("params").unwrap_or_default();
    let is_answer = message.contains_key("result") || message.contains_key("error");
    Incoming::Message(match (message.remove("method"), id) {
        (Some(Value::String(method)), None) if !has_id => Notification { method, params }.into(),
        (Some(Value::String(method)), Some(id)) => Request { id, method, params }.into(),
        (None, Some(id)) if is_answer => {
            let failed = ResponseError { code: 0, message: String::new(), data: message.remove("error") };
            let result = message.remove("result").filter(|_| failed.data.is_none());
            Response { id, response_result: result.ok_or(failed) }.into()
        }
        (_, id) => {
            return Incoming::Invalid(id, Failure::request("expected a request, a notification or a response"));
        }
    })
}

/// An integer of 32 bits, or a string.
pub fn request_id(id: Value) -> Option<RequestId> {
    serde_json::from_value(id).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kinds of messages, and the ids and codes of the answers to what is none.
    fn kinds(mut input: &[u8]) -> Vec<String> {
        let next = || read(&mut input).unwrap();
        let kind = |incoming| match incoming {
            Incoming::Message(Message::Request(request)) => format!("request {}", request.id),
            Incoming::Message(Message::Notification(notification)) => notification.method,
            Incoming::Message(Message::Response(Response { id, response_result })) => {
                format!("response {id} {}", response_result.is_ok())
            }
            Incoming::Invalid(id, failure) => {
                format!("{} {}", id.map_or_else(|| "null".to_owned(), |id| id.to_string()), failure.code)
            }
        };
        std::iter::from_fn(next).map(kind).collect()
    }

    fn kind(text: &str) -> String {
        kinds(format!("content-length:{}\r\nContent-Type: x; charset=utf-8\r\n\r\n{text}", text.len()).as_bytes())
            .concat()
    }

    #[test]
    fn kind_of_message_follows_from_its_keys() {
        for (text, wanted) in [
            (r#"{"jsonrpc":"2.0","id":1,"method":"m"}"#, "request 1"),
            (r#"{"id":"é","method":"m","params":[]}"#, "request \"é\""),
            (r#"{"method":"m"}"#, "m"),
            (r#"{"id":1,"result":null}"#, "response 1 true"),
            (r#"{"id":1,"error":{}}"#, "response 1 false"),
            (r#"{"id":1}"#, "1 -32600"),
            (r#"{"id":1,"method":2}"#, "1 -32600"),
        ] {
            assert_eq!(kind(text), wanted, "{text}");
        }
    }

    #[test]
    fn other_messages_are_refused() {
        for text in ["", "{", "\"\\ud800\"", "\u{feff}{}", &"[".repeat(100_000)] {
            assert_eq!(kind(text), "null -32700", "{text}");
        }
        for text in ["[]", "1", "{}", r#"{"id":true,"method":"m"}"#, r#"{"id":null,"method":"m"}"#, r#"{"id":{}}"#] {
            assert_eq!(kind(text), "null -32600", "{text}");
        }
    }
}
