//! `wflint graph --serve`: a process, asked over TCP.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::folder::{Folder, copy_of};

/// A test that waits longer than this fails.
const PATIENCE: Duration = Duration::from_secs(60);

const ORDER: &str = r#"{ "activities": [
  { "name": "Frame", "type": "Sequence", "activities": [
    { "name": "Say", "type": "Status", "status": { "isBound": false, "value": "Ordered" } } ] },
  { "name": "Wrong", "type": "Status", "status": { "isBound": true, "boundTo": "Nobody" } }
], "variables": [] }"#;

/// A running server, ended with the test.
struct Server {
    child: Child,
    port: u16,
    /// With slashes around the token.
    path: String,
}

struct Response {
    status: u16,
    /// In small letters.
    head: String,
    body: String,
}

impl Response {
    #[track_caller]
    fn json(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        serde_json::from_str(&self.body).unwrap()
    }
}

impl Server {
    #[track_caller]
    fn start(folder: &Folder, args: &[&str], set: impl FnOnce(&mut Command)) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wflint"));
        command.arg("graph").args(args).arg("--serve").current_dir(folder.path());
        set(command.stdout(Stdio::piped()).stderr(Stdio::null()));
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("http://127.0.0.1:").unwrap_or_else(|| panic!("{line}"));
        let (port, path) = address.split_once('/').unwrap();
        Self { child, port: port.parse().unwrap(), path: format!("/{path}") }
    }

    fn of(folder: &Folder) -> Self {
        Self::start(folder, &["order.workflow.json"], |_| {})
    }

    /// Sends these bytes, and reads the response.
    #[track_caller]
    fn send(&self, bytes: &[u8]) -> Response {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // It may answer before it has everything.
        let _ = stream.write_all(bytes);
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no response: {text}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Response { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    /// Sends a request with these headers.
    #[track_caller]
    fn ask(&self, method: &str, path: &str, headers: &str) -> Response {
        self.send(format!("{method} {path} HTTP/1.1\r\n{headers}\r\n").as_bytes())
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}\r\n", self.port)
    }

    /// Gets what is inside of the address, as the page does.
    #[track_caller]
    fn get(&self, inside: &str) -> Response {
        self.ask("GET", &format!("{}{inside}", self.path), &self.host())
    }

    /// Waits for a version after one.
    #[track_caller]
    fn version_after(&self, known: i64) -> i64 {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            let response = self.get(&format!("changes?after={known}"));
            if response.status == 200 {
                return response.json()["version"].as_i64().unwrap();
            }
            assert_eq!((response.status, response.body.as_str()), (204, ""));
        }
        panic!("nothing has changed");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn page_and_drawing_are_served() {
    let folder = Folder::with(&[("order.workflow.json", ORDER)]);
    let server = Server::of(&folder);
    let token = server.path.trim_matches('/');
    assert!(token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{token}");
    let page = server.get("");
    assert_eq!(page.status, 200);
    assert!(page.body.contains("<div id=\"panel\" data-source=\"http\"></div>"), "{}", page.body);
    assert!(page.head.contains("content-type: text/html"));
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self';",
        "x-content-type-options: nosniff",
        "cache-control: no-store",
        "referrer-policy: no-referrer",
    ] {
        assert!(page.head.contains(header), "{}", page.head);
    }
    assert!(!page.head.contains("unsafe-inline") && !page.body.contains("<style"));
    assert!(server.get("panel.js").head.contains("text/javascript"));
    assert!(server.get("panel.css").head.contains("text/css"));
    let picture = server.get("drawing").json();
    let drawn = folder.run(&["graph", "order.workflow.json", "--format", "svg"]);
    assert_eq!(picture["svg"].as_str().unwrap(), drawn.out());
    assert_eq!((&picture["version"], &picture["stale"]), (&1.into(), &false.into()));
    assert_eq!(picture["findings"][0]["code"], "WF101");
    assert_eq!(picture["findings"][0]["pointer"], "/activities/1");
    assert_eq!(picture["activities"][1]["range"]["start"]["line"], 2);
    let folded = server.get("drawing?collapsed=%2Factivities%2F0&collapsed=%2Fnothing").json();
    assert!(folded["svg"].as_str().unwrap().contains("1 step"));
    let head = server.ask("HEAD", &server.path, &server.host());
    assert_eq!((head.status, head.body.as_str()), (200, ""));
}

#[test]
fn requests_of_others_get_nothing() {
    let folder = Folder::with(&[("order.workflow.json", ORDER)]);
    let server = Server::of(&folder);
    let (port, path) = (server.port, format!("{}drawing", server.path));
    let own = format!("127.0.0.1:{port}");
    for headers in [
        String::new(),
        "Host: example.org\r\n".to_owned(),
        format!("Host: example.org:{port}\r\n"),
        "Host: 127.0.0.1\r\n".to_owned(),
        format!("Host: 127.0.0.1.example.org:{port}\r\n"),
        format!("Host: [::1]:{port}\r\n"),
        format!("Host: {own}\r\nOrigin: http://example.org\r\n"),
        format!("Host: {own}\r\nOrigin: null\r\n"),
        format!("Host: {own}\r\nOrigin: https://{own}\r\n"),
        format!("Host: {own}\r\nOrigin: http://localhost:{port}\r\n"),
        format!("Host: {own}\r\nOrigin: http://127.0.0.1:1\r\n"),
    ] {
        let refused = server.ask("GET", &path, &headers);
        assert_eq!((refused.status, refused.body.as_str()), (403, "Forbidden"), "{headers}");
        assert!(!refused.head.contains("order"), "{headers}");
    }
    for headers in [
        format!("Host: {own}\r\nOrigin: http://{own}\r\n"),
        format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n"),
        format!("Host: localhost:{port}\r\n"),
    ] {
        assert_eq!(server.ask("GET", &path, &headers).status, 200, "{headers}");
    }
}

#[test]
fn other_paths_and_methods_are_refused() {
    let folder = Folder::with(&[("order.workflow.json", ORDER)]);
    let server = Server::of(&folder);
    let host = server.host();
    let wrong = server.path.replace(|_: char| true, "0");
    let token = server.path.trim_matches('/');
    for path in [
        "/",
        "/drawing",
        "//drawing",
        "/favicon.ico",
        &wrong,
        &format!("/{token}"),
        &format!("/{token}0/drawing"),
        &format!("/{}/drawing", &token[1..]),
        &format!("/{token}/../drawing"),
        &format!("/{token}/order.workflow.json"),
        &format!("/{token}/drawing/"),
        &format!("/{token}//"),
        &format!("/x/{token}/"),
    ] {
        let refused = server.ask("GET", path, &host);
        assert_eq!((refused.status, refused.body.as_str()), (404, "Not Found"), "{path}");
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT"] {
        let refused = server.ask(method, &server.path, &format!("{host}Content-Length: 3\r\n\r\nabc"));
        assert_eq!(refused.status, 405, "{method}");
        assert!(refused.head.contains("allow: get, head"));
    }
    for (inside, status) in [
        ("run", 400),
        ("run?scenario=a&end=b", 400),
        ("changes", 400),
        ("changes?after=x", 400),
        ("run?end=end-99", 404),
    ] {
        assert_eq!(server.get(inside).status, status, "{inside}");
    }
}

#[test]
fn malformed_and_large_requests_are_refused_and_hold_up_nobody() {
    let folder = Folder::with(&[("order.workflow.json", ORDER)]);
    let server = Server::of(&folder);
    let mut slow: Vec<TcpStream> = Vec::new();
    for _ in 0..20 {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        stream.write_all(b"GET ").unwrap();
        slow.push(stream);
    }
    let large = format!("GET {} HTTP/1.1\r\n{}X: {}\r\n\r\n", server.path, server.host(), "a".repeat(1 << 20));
    assert_eq!(server.send(large.as_bytes()).status, 431);
    let many = "X: y\r\n".repeat(1000);
    assert_eq!(server.ask("GET", &server.path, &format!("{}{many}", server.host())).status, 431);
    for bytes in
        [&b"\x16\x03\x01\x00\xff\x01\x00\r\n\r\n"[..], b"GET\r\n\r\n", b"GET / HTTP/9\r\n\r\n", b"\xff\xfe\r\n\r\n"]
    {
        assert_eq!(server.send(bytes).status, 400, "{bytes:?}");
    }
    let twice = format!("{}{}", server.host(), server.host());
    assert_eq!(server.ask("GET", &server.path, &twice).status, 400);
    assert_eq!(server.get("drawing").status, 200);
    drop(slow);
}

#[test]
fn connections_are_limited() {
    let folder = Folder::with(&[("order.workflow.json", ORDER)]);
    let server = Server::of(&folder);
    let connect = || TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    let held: Vec<TcpStream> = (0..64).map(|_| connect()).collect();
    // Those before it may not have been accepted yet.
    let end = Instant::now() + PATIENCE;
    while server.get("drawing").status != 503 {
        assert!(Instant::now() < end);
    }
    drop(held);
    while server.get("drawing").status != 200 {
        assert!(Instant::now() < end);
    }
}

#[test]
fn page_follows_the_files() {
    let folder = Folder::with(&[("order.workflow.json", ORDER), ("order.form.json", r#"{ "fields": [] }"#)]);
    let server = Server::of(&folder);
    let picture = server.get("drawing").json();
    let mut version = picture["version"].as_i64().unwrap();
    folder.write("order.workflow.json", ORDER.replace("Say", "Tell"));
    version = server.version_after(version);
    let changed = server.get("drawing").json();
    assert!(changed["svg"].as_str().unwrap().contains("Tell"));
    // Invalid JSON keeps the drawing.
    folder.write("order.workflow.json", ORDER.replace("Say", "Tell").replace("\"variables\"", "\"variables"));
    version = server.version_after(version);
    let stale = server.get("drawing").json();
    assert_eq!((&stale["stale"], &stale["svg"]), (&true.into(), &changed["svg"]));
    assert_eq!(stale["findings"][0]["code"], "WF001");
    assert_eq!(server.get("plays").json()["ends"][0]["id"], "end-1", "the last drawing is played");
    // Without a workflow, there is a reason.
    folder.write("order.workflow.json", r#"{ "fields": [] }"#);
    version = server.version_after(version);
    let none = server.get("drawing");
    assert_eq!(none.status, 422);
    assert!(none.body.contains("order.workflow.json: expected a workflow"), "{}", none.body);
    folder.write("order.workflow.json", ORDER);
    version = server.version_after(version);
    // The configuration and scenarios count, too.
    folder.write("wflint.toml", "[severity]\nWF101 = 'info'\n");
    while server.get("drawing").json()["findings"][0]["severity"] != "info" {
        version = server.version_after(version);
    }
    folder.write("a.scenario.yaml", "workflow: order.workflow.json\nname: Now there\n");
    while server.get("plays").json()["scenarios"][0]["name"] != "Now there" {
        version = server.version_after(version);
    }
}

#[test]
fn scenarios_and_ends_are_played() {
    let folder = copy_of("examples/sign-upload");
    let server = Server::of(&folder);
    let plays = server.get("plays").json();
    let first = |kind: &str| plays[kind][0]["id"].as_str().unwrap().to_owned();
    for (kind, id) in [("scenario", first("scenarios")), ("end", first("ends"))] {
        let run = server.get(&format!("run?{kind}={id}")).json();
        assert_eq!((&run["runs"][0]["id"], &run["runs"][0]["kind"]), (&id.as_str().into(), &kind.into()));
        assert!(!run["events"].as_array().unwrap().is_empty());
    }
    let unknown = server.get("run?scenario=Not+%22there%22%0a");
    assert_eq!(unknown.status, 404);
    assert!(unknown.body.starts_with("unknown scenario `Not \"there\"\\n`, expected `"), "{}", unknown.body);
}

#[test]
fn what_cannot_be_served_is_refused() {
    let folder = Folder::with(&[
        ("order.workflow.json", ORDER),
        ("order.form.json", r#"{ "fields": [] }"#),
        ("broken.json", "{"),
    ]);
    for (args, reason) in [
        (vec!["-"], "not standard input"),
        (vec!["."], "not a folder"),
        (vec!["order.workflow.json:2"], "not a line of it"),
        (vec!["order.workflow.json", "--output", "a.svg"], "--output"),
        (vec!["order.workflow.json", "--format", "svg"], "--format"),
        (vec!["order.workflow.json", "--activity", "Say"], "--activity"),
        (vec!["order.form.json"], "expected a workflow, found a form"),
        (vec!["broken.json"], "invalid JSON"),
        (vec!["missing.json"], "missing.json"),
    ] {
        let refused = folder.run(&[&["graph", "--serve"], args.as_slice()].concat()).expect_code(2);
        assert!(refused.err().contains(reason), "{args:?}: {}", refused.err());
        assert_eq!(refused.out(), "");
    }
    let alone = folder.run(&["graph", "order.workflow.json", "--open"]).expect_code(2);
    assert!(alone.err().contains("--serve"), "{}", alone.err());
}

/// The browser gets an address that leads to the page once.
#[cfg(target_os = "linux")]
#[test]
fn browser_is_opened() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("order.workflow.json", ORDER)]);
    folder.write("bin/xdg-open", "#!/bin/sh\nprintf %s \"$1\" > opened.part && mv opened.part opened\n");
    std::fs::set_permissions(folder.file("bin/xdg-open"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.file("bin").display(), std::env::var("PATH").unwrap());
    let server = Server::start(&folder, &["order.workflow.json", "--open"], |command| {
        command.env("PATH", path);
    });
    let end = Instant::now() + PATIENCE;
    while !folder.file("opened").exists() {
        assert!(Instant::now() < end, "no browser is opened");
        std::thread::sleep(Duration::from_millis(10));
    }
    let opened = folder.read("opened");
    let once = opened.strip_prefix(&format!("http://127.0.0.1:{}", server.port)).unwrap();
    assert!(!opened.contains(&server.path));
    let first = server.ask("GET", once, &server.host());
    assert_eq!(first.status, 303);
    assert!(first.head.contains(&format!("location: http://127.0.0.1:{}{}", server.port, server.path)));
    assert_eq!(server.ask("GET", once, &server.host()).status, 404);
}

#[cfg(unix)]
#[test]
fn signal_ends_it() {
    let folder = Folder::with(&[("order.workflow.json", ORDER)]);
    let mut server = Server::of(&folder);
    let id = i32::try_from(server.child.id()).unwrap();
    rustix::process::kill_process(rustix::process::Pid::from_raw(id).unwrap(), rustix::process::Signal::TERM).unwrap();
    // Below a program that ignores signals, as `nohup` does, there is no handler, and the signal itself ends it.
    assert!(matches!(server.child.wait().unwrap().code(), Some(130) | None));
}
