//! What typing costs in the language server: `cargo bench --bench editor [WORDS]`, on Linux.
//!
//! A client in this process opens the documents of a service and changes one value in the middle of its workflow, again and
//! again. For services of several sizes it prints the processor time of such a change until the findings are published,
//! beside that of a whole lint of the same service in the same run, without scripts, and their ratio. Then it types and
//! opens documents many times, and prints the memory of the process. With words, it does only that whose name contains one.
//! A ratio or a growth over its bound is an error (exit code 1).
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark stops at the first error")]

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write, pipe};
use std::path::Path;
use std::process::ExitCode;
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use wflint::lint::{self, Linter, Options};
use wflint::lsp::{self, Surroundings};
use wflint::project::{self, ConfigSource, Request};

/// The most that a change of one value may cost, as a part of a whole lint: where it is in a document that is almost all
/// of the service, and where the service has many.
const MAX_RATIO: f64 = 1.5;
const MAX_RATIO_OF_MANY: f64 = 1.1;
/// The most that the memory may grow, in bytes.
const MAX_GROWTH: usize = 16 << 20;
/// Changes that are measured, each with a pause after it.
const CHANGES: u32 = 10;
const ROUNDS: usize = 3;
/// As long as the server waits for more typing.
const PAUSE: Duration = Duration::from_millis(150);

/// A service: the names and texts of its documents; the first is a workflow.
type Documents = Vec<(String, String)>;

/// Something that is done many times.
type Work = fn(&mut Editor, usize);

fn main() -> ExitCode {
    let services = [
        ("50 KB in two documents", small(), MAX_RATIO),
        ("1 MiB in two documents", large(18), MAX_RATIO),
        ("1 MiB in many documents", many(13), MAX_RATIO_OF_MANY),
    ];
    let growths: [(&str, Work); 2] = [("keystrokes", keystrokes), ("documents opened and closed", opened)];
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word));
    let mut is_over = false;
    for (name, documents, max_ratio) in services.iter().filter(|(name, ..)| is_wanted(name)) {
        is_over |= ratio(name, documents) > *max_ratio;
    }
    for (name, work) in growths.into_iter().filter(|(name, _)| is_wanted(name)) {
        is_over |= growth(name, work) > MAX_GROWTH;
    }
    println!("{}", if is_over { "over the bound" } else { "all within the bounds" });
    ExitCode::from(u8::from(is_over))
}

fn example(name: &str) -> String {
    read("sign-directory", name)
}

fn read(example: &str, name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(example).join(name)).unwrap()
}

/// A service of ordinary size; its form is written without spaces.
fn small() -> Documents {
    let form: Value = serde_json::from_str(&read("sign-json", "order.form.json")).unwrap();
    vec![
        ("order.workflow.json".to_owned(), read("sign-json", "order.workflow.json")),
        ("order.form.json".to_owned(), form.to_string()),
    ]
}

/// A workflow that does the same so many times, and its form.
fn large(times: usize) -> Documents {
    let mut workflow: Value = serde_json::from_str(&example("order.workflow.json")).unwrap();
    let activities = workflow["activities"].as_array().unwrap();
    workflow["activities"] = std::iter::repeat_n(activities, times).flatten().cloned().collect();
    let workflow = serde_json::to_string_pretty(&workflow).unwrap();
    vec![("order.workflow.json".to_owned(), workflow), ("order.form.json".to_owned(), example("order.form.json"))]
}

/// So many workflows, each with a form.
fn many(number: usize) -> Documents {
    let names = ["workflow.json", "form.json"];
    let pair = |at| names.map(|name| (format!("order{at}.{name}"), example(&format!("order.{name}"))));
    (0..number).flat_map(pair).collect()
}

/// Measures and prints the ratio of a change to a whole lint.
fn ratio(name: &str, documents: &Documents) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in documents {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let mut editor = Editor::start(folder);
    for (name, text) in documents {
        editor.open(name, text);
    }
    let (changed, text) = &documents[0];
    let value = value_in_the_middle(text);
    // The least of several rounds, taken in turn, so that a busy moment falls on all alike.
    let (mut whole, mut change) = (f64::MAX, f64::MAX);
    for _ in 0..ROUNDS {
        // After pauses both, which empty the caches of the processor.
        whole = whole.min(mean(|_| {
            std::thread::sleep(PAUSE);
            whole_lint(editor.folder.path())
        }));
        change = change.min(mean(|at| {
            let before = processor_time();
            editor.change(changed, &value, at);
            editor.wait_for(changed);
            processor_time() - before
        }));
    }
    editor.stop();
    let ratio = change / whole;
    let size = documents.iter().map(|(_, text)| text.len()).sum::<usize>() / 1000;
    let (whole, change) = (whole * 1e3, change * 1e3);
    println!("{name:<28} {size:>5} kB: whole lint {whole:>6.2} ms, change {change:>6.2} ms, ratio {ratio:.2}");
    ratio
}

/// The mean of a time that is measured several times.
fn mean(mut time: impl FnMut(u32) -> f64) -> f64 {
    (0..CHANGES).map(&mut time).sum::<f64>() / f64::from(CHANGES)
}

/// A value in a line.
struct ValuePlace {
    line: usize,
    start: usize,
    length: usize,
}

/// A display name in the middle of a document.
fn value_in_the_middle(text: &str) -> ValuePlace {
    let key = "\"displayName\": \"";
    let second_half = text.lines().enumerate().skip(text.lines().count() / 2);
    let mut found = second_half.filter_map(|(line, text)| {
        let (before, rest) = text.split_once(key)?;
        Some(ValuePlace { line, start: before.len() + key.len(), length: rest.find('"')? })
    });
    found.next().unwrap()
}

/// The processor time of a lint as that of the command line, on one thread, in seconds.
fn whole_lint(folder: &Path) -> f64 {
    let request = Request {
        current: folder.to_path_buf(),
        paths: vec![folder.to_path_buf()],
        config: ConfigSource::Isolated,
        ..Request::default()
    };
    lint::on_pool(Some(1), || {
        let before = processor_time();
        let project = project::find(&request).unwrap();
        let options = Options::default();
        let outcome = wflint::fix::lint(&Linter::new(&project, &options).unwrap());
        assert_eq!(outcome.diagnostics.len(), 0, "the service is clean");
        processor_time() - before
    })
    .unwrap()
}

/// That of all threads of this process until now, in seconds.
#[cfg(unix)]
fn processor_time() -> f64 {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap().as_secs_f64()
}

/// The time of day, where processor time is not known.
#[cfg(not(unix))]
fn processor_time() -> f64 {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs_f64()
}

/// The growth of the memory by a piece of work that is done many times, in bytes, after a tenth of it.
fn growth(name: &str, work: Work) -> usize {
    let mut editor = Editor::start(tempfile::tempdir().unwrap());
    work(&mut editor, 1);
    let before = memory();
    work(&mut editor, 9);
    let after = memory();
    editor.stop();
    println!("{name:<28} memory {} MiB, then {} MiB", before >> 20, after >> 20);
    after.saturating_sub(before)
}

/// A thousand keystrokes so many times, with a pause after each hundred.
fn keystrokes(editor: &mut Editor, thousands: usize) {
    let name = "typed.workflow.json";
    let text = example("order.workflow.json");
    let value = value_in_the_middle(&text);
    editor.open(name, &text);
    for _ in 0..thousands * 10 {
        for at in 0..100 {
            editor.change(name, &value, at);
        }
        editor.wait_for(name);
    }
    editor.close(name);
}

/// A hundred documents so many times.
fn opened(editor: &mut Editor, hundreds: usize) {
    let text = example("order.workflow.json");
    for at in 0..hundreds * 100 {
        let name = format!("opened{at}.workflow.json");
        editor.open(&name, &text);
        editor.close(&name);
    }
}

/// The resident memory of this process, in bytes.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

/// A client of a server in this process.
struct Editor {
    folder: TempDir,
    input: PipeWriter,
    output: BufReader<PipeReader>,
    server: JoinHandle<()>,
    version: i32,
}

impl Editor {
    /// Starts a server, and initializes it for a folder.
    fn start(folder: TempDir) -> Self {
        let (from_client, input) = pipe().unwrap();
        let (output, to_client) = pipe().unwrap();
        let surroundings =
            Surroundings { current: folder.path().to_path_buf(), program: std::env::current_exe().unwrap() };
        let server = std::thread::spawn(move || {
            lsp::serve(from_client, to_client, surroundings).unwrap();
        });
        let mut editor = Self { folder, input, output: BufReader::new(output), server, version: 0 };
        let uri = format!("file://{}", editor.folder.path().display());
        let params = json!({
            "processId": null, "capabilities": {}, "workspaceFolders": [{ "uri": uri, "name": "a" }],
            "initializationOptions": { "runScripts": false },
        });
        editor.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }));
        while editor.receive()["id"] != 1 {}
        editor.notify("initialized", &json!({}));
        editor
    }

    fn uri(&self, name: &str) -> String {
        format!("file://{}", self.folder.path().join(name).display())
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    }

    fn notify(&mut self, method: &str, params: &Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).unwrap();
            match line.trim_end() {
                "" => break,
                line => length = line.strip_prefix("Content-Length: ").map_or(length, |length| length.parse().unwrap()),
            }
        }
        let mut message = vec![0; length];
        self.output.read_exact(&mut message).unwrap();
        serde_json::from_slice(&message).unwrap()
    }

    /// Waits until the findings of the last version are published.
    fn wait_for(&mut self, name: &str) {
        let uri = self.uri(name);
        loop {
            let message = self.receive();
            let params = &message["params"];
            if params["uri"] == uri.as_str() && params["version"] == self.version {
                assert_eq!(params["diagnostics"], json!([]), "the service is clean");
                return;
            }
        }
    }

    fn open(&mut self, name: &str, text: &str) {
        self.version += 1;
        let document = json!({ "uri": self.uri(name), "languageId": "json", "version": self.version, "text": text });
        self.notify("textDocument/didOpen", &json!({ "textDocument": document }));
        self.wait_for(name);
    }

    /// Changes a value to a number.
    fn change(&mut self, name: &str, &ValuePlace { line, start, length }: &ValuePlace, number: u32) {
        self.version += 1;
        let text = format!("{number:0length$}");
        let range = json!({
            "start": { "line": line, "character": start }, "end": { "line": line, "character": start + length },
        });
        let document = json!({ "uri": self.uri(name), "version": self.version });
        let changes = json!([{ "range": range, "text": text }]);
        self.notify("textDocument/didChange", &json!({ "textDocument": document, "contentChanges": changes }));
    }

    fn close(&mut self, name: &str) {
        let uri = self.uri(name);
        self.notify("textDocument/didClose", &json!({ "textDocument": { "uri": uri } }));
    }

    fn stop(mut self) {
        self.notify("exit", &Value::Null);
        drop(self.input);
        self.server.join().unwrap();
    }
}
