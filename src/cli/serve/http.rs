//! As much of HTTP/1.1 (RFC 9112) as a browser needs for one page: a request for each connection, without a body. Whoever
//! is slow or sends much is given up, and holds up nobody else.

use std::fmt::Write as _;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bytes of a request.
const MAX_HEAD: usize = 16 << 10;
const MAX_HEADERS: usize = 64;
/// Further connections are refused.
const MAX_CONNECTIONS: usize = 64;
/// For a whole request.
const PATIENCE: Duration = Duration::from_secs(10);
/// For each part of a response.
const WRITE_PATIENCE: Duration = Duration::from_secs(10);
/// What a client may still send after its request, so that it reads the response.
const MAX_REST: u64 = 1 << 20;
const REST_PATIENCE: Duration = Duration::from_millis(500);
/// Between attempts when no connection can be accepted.
const PAUSE: Duration = Duration::from_millis(50);

/// The head of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Request {
    pub method: String,
    pub path: String,
    /// Without the question mark.
    pub query: String,
    pub host: Option<String>,
    pub origin: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Response {
    pub status: u16,
    /// The type of the body.
    pub kind: &'static str,
    pub body: Vec<u8>,
    /// Where the answer is.
    pub location: Option<String>,
}

impl Response {
    pub fn new(kind: &'static str, body: impl Into<Vec<u8>>) -> Self {
        Self { status: 200, kind, body: body.into(), location: None }
    }

    /// A status with its reason, or another text for people.
    pub fn text(status: u16, text: &str) -> Self {
        Self { status, ..Self::new("text/plain; charset=utf-8", text) }
    }

    fn of_status(status: u16) -> Self {
        Self::text(status, reason(status))
    }

    /// Everything before the body.
    fn head(&self) -> String {
        let Self { status, kind, body, location } = self;
        let mut head = format!("HTTP/1.1 {status} {}\r\nContent-Length: {}\r\n", reason(*status), body.len());
        let content = (*status != 204).then_some(("Content-Type", *kind));
        let location = location.as_deref().map(|location| ("Location", location));
        let allow = (*status == 405).then_some(("Allow", "GET, HEAD"));
        for (name, value) in content.into_iter().chain(location).chain(allow).chain(HEADERS) {
            let _ = write!(head, "{name}: {value}\r\n");
        }
        head.push_str("\r\n");
        head
    }
}

/// With every response: nothing is loaded from or shown in anything else, and nothing is kept.
const HEADERS: [(&str, &str); 8] = [
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
    ("Connection", "close"),
];

const fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        204 => "No Content",
        303 => "See Other",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        422 => "Unprocessable Content",
        431 => "Request Header Fields Too Large",
        503 => "Service Unavailable",
        _ => "Error",
    }
}

/// Answers requests until the process ends, each on a thread.
pub(super) fn serve(listener: &TcpListener, answer: impl Fn(&Request) -> Response + Send + Sync + 'static) {
    // A clone for each connection.
    let answer = Arc::new(answer);
    for stream in listener.incoming() {
        let Ok(mut stream) = stream else {
            std::thread::sleep(PAUSE);
            continue;
        };
        if Arc::strong_count(&answer) > MAX_CONNECTIONS {
            let _ = write(&mut stream, &Response::of_status(503), true);
            continue;
        }
        let answer = Arc::clone(&answer);
        std::thread::spawn(move || {
            let request = read(&mut stream, Instant::now() + PATIENCE);
            let has_body = !request.as_ref().is_ok_and(|request| request.method == "HEAD");
            let response = request.map_or_else(Response::of_status, |request| answer(&request));
            // Whoever does not read it has gone.
            let _ = write(&mut stream, &response, has_body);
        });
    }
}

/// Reads the head of a request.
///
/// # Errors
/// The status that says why there is none.
fn read(stream: &mut TcpStream, deadline: Instant) -> Result<Request, u16> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()).ok_or(408_u16)?;
        stream.set_read_timeout(Some(left)).map_err(|_| 400_u16)?;
        match stream.read(&mut chunk) {
            Ok(0) => return Err(400),
            Ok(length) => bytes.extend(chunk.iter().take(length)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return Err(408),
        }
        if let Some(request) = parse(&bytes)? {
            return Ok(request);
        }
        if bytes.len() >= MAX_HEAD {
            return Err(431);
        }
    }
}

/// The head of a request; `None` if it goes on.
fn parse(bytes: &[u8]) -> Result<Option<Request>, u16> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(bytes) {
        Ok(httparse::Status::Complete(length)) if length <= MAX_HEAD => {}
        Ok(httparse::Status::Complete(_)) | Err(httparse::Error::TooManyHeaders) => return Err(431),
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(_) => return Err(400),
    }
    let only = |name: &str| {
        let mut values = request.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
        let value = values.next().map(|header| String::from_utf8_lossy(header.value).into_owned());
        // One that is given twice may mean either.
        if values.next().is_some() { Err(400_u16) } else { Ok(value) }
    };
    let (path, query) =
        request.path.unwrap_or_default().split_once('?').unwrap_or((request.path.unwrap_or_default(), ""));
    Ok(Some(Request {
        method: request.method.unwrap_or_default().to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        host: only("Host")?,
        origin: only("Origin")?,
    }))
}

/// Writes a response, and waits until it is read.
fn write(stream: &mut TcpStream, response: &Response, has_body: bool) -> io::Result<()> {
    stream.set_write_timeout(Some(WRITE_PATIENCE))?;
    stream.write_all(response.head().as_bytes())?;
    if has_body {
        stream.write_all(&response.body)?;
    }
    stream.shutdown(Shutdown::Write)?;
    // What has arrived and is not read would make the system drop the response.
    stream.set_read_timeout(Some(REST_PATIENCE))?;
    io::copy(&mut stream.take(MAX_REST), &mut io::sink()).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn head_is_read_when_it_is_complete() {
        let head = "GET /a/b?c=d?e HTTP/1.1\r\nHost: x\r\norigin: http://x\r\n\r\n";
        for end in 0..head.len() {
            assert_eq!(parse(&head.as_bytes()[..end]), Ok(None), "{end}");
        }
        let request = Request {
            method: "GET".to_owned(),
            path: "/a/b".to_owned(),
            query: "c=d?e".to_owned(),
            host: Some("x".to_owned()),
            origin: Some("http://x".to_owned()),
        };
        assert_eq!(parse(head.as_bytes()), Ok(Some(request)));
        assert_eq!(parse(b"GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n"), Err(400));
        assert_eq!(parse(b"\x16\x03\x01\x02"), Err(400), "TLS");
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(MAX_HEADERS + 1));
        assert_eq!(parse(many.as_bytes()), Err(431));
    }
}
