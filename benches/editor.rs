//! What typing costs in the language server: `cargo bench --bench editor [WORDS]`, on Linux.
//!
//! A client opens a workflow and changes one value in the middle of it, again and again. For services of several sizes it
//! prints the processor time of such a change until the findings are published and nothing is left to do, next to two
//! others:
//!
//! - the first lint: what the server takes for the document when it is opened, from the bytes of the message to the
//!   findings. Each service has a process of its own, so that nothing is prepared.
//! - a whole lint: what the command line takes on one thread in a process that has linted before.
//!
//! Once scripts are run, once not. The processes that run scripts count, the client does not.
//!
//! Then it types and opens documents many times, and prints the memory of the process. With words, it does only that
//! whose name contains one. A time or a growth over its bound is an error (exit code 1).
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a benchmark stops at the first error")]

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Read, Write, pipe};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use wflint::lint::{self, Linter, Options};
use wflint::lsp::{self, ServerContext};
use wflint::project::{self, ConfigSource, Request};
use wflint::script::sandbox::WORKER_ARGUMENT;

/// The most that the memory may grow, in bytes.
const MAX_GROWTH: usize = 16 << 20;
/// Changes that are measured, each with a pause after it.
const CHANGES: u32 = 5;
/// Processes for each service, of which the least times count.
const ROUNDS: usize = 5;
/// Longer than the server waits for more typing until it runs scripts.
const PAUSE: Duration = Duration::from_millis(400);

/// Seconds of processor time below which nothing was done in a pause.
const IDLE: f64 = 0.3e-3;

/// A service: the names and texts of its documents; the first is a workflow.
type Documents = Vec<(String, String)>;

/// Something that is done many times.
type Work = fn(&mut Editor, usize);

/// What is measured: a service, whether its scripts are run, and the most that a change may take, in milliseconds.
struct Case {
    name: &'static str,
    documents: fn() -> Documents,
    runs_scripts: bool,
    max: f64,
}

const CASES: [Case; 5] = [
    Case { name: "50 KB in two documents", documents: small, runs_scripts: false, max: 2.0 },
    Case { name: "1 MiB in two documents", documents: || large(18), runs_scripts: false, max: 50.0 },
    Case { name: "1 MiB in many documents", documents: || many(13), runs_scripts: false, max: 50.0 },
    Case { name: "1 MiB, conditions exclude", documents: || excluding(18, 100), runs_scripts: false, max: 50.0 },
    Case { name: "1 MiB, scripts run", documents: || large(18), runs_scripts: true, max: 50.0 },
];

/// The argument before the index of a case that a process measures.
const MEASURE: &str = "--measure";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some(first) if first == WORKER_ARGUMENT => return wflint::cli::run_process(std::env::args_os()),
        Some(MEASURE) => {
            let [first, whole, change] = measure(&CASES[arguments[1].parse::<usize>().unwrap()]);
            println!("{first} {whole} {change}");
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    let growths: [(&str, Work); 2] = [("keystrokes", keystrokes), ("documents opened and closed", opened)];
    let words: Vec<String> = arguments.into_iter().filter(|word| !word.starts_with('-')).collect();
    let is_wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word));
    let mut is_over = false;
    for (index, case) in CASES.iter().enumerate().filter(|(_, case)| is_wanted(case.name)) {
        is_over |= is_over_bound(index, case);
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

/// A workflow that does the same so many times, each time with a script of its own, and its form.
fn large(times: usize) -> Documents {
    let text = example("order.workflow.json");
    let activities = |time: usize| {
        let script = format!("\"script\": \"// Case {time}.\\n");
        let workflow: Value = serde_json::from_str(&text.replace("\"script\": \"", &script)).unwrap();
        workflow["activities"].as_array().unwrap().clone()
    };
    let mut workflow: Value = serde_json::from_str(&text).unwrap();
    workflow["activities"] = (0..times).flat_map(activities).collect();
    let workflow = serde_json::to_string_pretty(&workflow).unwrap();
    vec![("order.workflow.json".to_owned(), workflow), ("order.form.json".to_owned(), example("order.form.json"))]
}

/// A workflow as [`large`], and behind it conditions that exclude each other: rules ask which paths are feasible.
fn excluding(times: usize, conditions: usize) -> Documents {
    const VARIABLES: usize = 10;
    let mut documents = large(times);
    let mut workflow: Value = serde_json::from_str(&documents[0].1).unwrap();
    let (name, id) = (|at: usize| format!("Excluded{at}"), |at: usize| 9000 + at);
    let bound = |at| json!({ "isBound": true, "value": null, "boundToId": id(at), "boundTo": name(at) });
    let decision = |at: usize, inside: Value| {
        let right = json!({ "isBound": false, "value": format!("Value {}", at % 7) });
        let left = bound(VARIABLES);
        let expression = json!({ "type": "EqualityExpression", "operand": "equal", "left": left, "right": right });
        json!({ "name": format!("If {at}"), "type": "If", "expression": expression, "activities": [inside] })
    };
    for at in 0..conditions {
        let (own, other) = (at % VARIABLES, (at + 1) % VARIABLES);
        let body = format!("{{{}}}", name(other));
        let assigned = [bound(other)];
        let assign =
            json!({ "name": "A", "type": "Assign", "result": bound(own), "body": body, "assignedVariables": assigned });
        let status = json!({ "name": "S", "type": "Status", "status": bound(own) });
        workflow["activities"].as_array_mut().unwrap().extend([decision(at, assign), decision(at, status)]);
    }
    let variable = |at| json!({ "name": name(at), "id": id(at), "variableType": "String", "isInputParameter": true });
    workflow["variables"].as_array_mut().unwrap().extend((0..=VARIABLES).map(variable));
    documents[0].1 = serde_json::to_string_pretty(&workflow).unwrap();
    documents
}

/// So many workflows, each with a form.
fn many(number: usize) -> Documents {
    let names = ["workflow.json", "form.json"];
    let pair = |at| names.map(|name| (format!("order{at}.{name}"), example(&format!("order.{name}"))));
    (0..number).flat_map(pair).collect()
}

/// Measures a case, prints its times, and returns whether a change is over its bound.
fn is_over_bound(index: usize, case: &Case) -> bool {
    let round = |_| {
        let output =
            Command::new(std::env::current_exe().unwrap()).args([MEASURE, &index.to_string()]).output().unwrap();
        let output = String::from_utf8(output.stdout).unwrap();
        let times: Vec<f64> = output.split_whitespace().map(|time| time.parse().unwrap()).collect();
        <[f64; 3]>::try_from(times).unwrap()
    };
    let least = |one: [f64; 3], other: [f64; 3]| std::array::from_fn(|at| one[at].min(other[at]));
    let [first, whole, change] = (0..ROUNDS).map(round).reduce(least).unwrap().map(|time| time * 1e3);
    let size = (case.documents)().iter().map(|(_, text)| text.len()).sum::<usize>() / 1000;
    println!(
        "{:<28} {size:>5} kB: first lint {first:>6.2} ms, whole {whole:>6.2} ms, change {change:>6.2} ms",
        case.name
    );
    change > case.max
}

/// The processor times of the first lint, a whole lint, and the change of a value, in seconds.
fn measure(case: &Case) -> [f64; 3] {
    let folder = tempfile::tempdir().unwrap();
    let documents = (case.documents)();
    for (name, text) in &documents {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let mut editor = Editor::start(folder, case.runs_scripts);
    let (changed, text) = &documents[0];
    let first = editor.processor_time_of(|editor| editor.open(changed, text));
    let value = parameter_description(text);
    let change = mean(|at| {
        editor.processor_time_of(|editor| {
            editor.change(changed, &value, at);
            editor.wait_for(changed);
        })
    });
    whole_lint(editor.folder.path(), case.runs_scripts);
    // After pauses as well, which empty the caches of the processor.
    let whole = mean(|_| {
        std::thread::sleep(PAUSE);
        whole_lint(editor.folder.path(), case.runs_scripts)
    });
    editor.stop();
    [first, whole, change]
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

/// The first display name of a variable, which follows the activities.
fn variable_display_name(text: &str) -> ValuePlace {
    value_behind(text, "\"displayName\": \"", text.lines().count() / 2)
}

/// The description of a parameter in the middle of the activities.
fn parameter_description(text: &str) -> ValuePlace {
    value_behind(text, "\"description\": \"", text.lines().count() / 3)
}

/// The first value behind a key from a line on.
fn value_behind(text: &str, key: &str, from: usize) -> ValuePlace {
    let mut found = text.lines().enumerate().skip(from).filter_map(|(line, text)| {
        let (before, rest) = text.split_once(key)?;
        Some(ValuePlace { line, start: before.len() + key.len(), length: rest.find('"')? })
    });
    found.next().unwrap()
}

/// The processor time of a lint as that of the command line, on one thread, in seconds.
fn whole_lint(folder: &Path, runs_scripts: bool) -> f64 {
    let request = Request {
        current: folder.to_path_buf(),
        paths: vec![folder.to_path_buf()],
        config: ConfigSource::Isolated,
        ..Request::default()
    };
    lint::on_pool(Some(1), || {
        let before = processor_time();
        let project = project::find(&request).unwrap();
        let program = runs_scripts.then(|| std::env::current_exe().unwrap());
        let options = Options { program, ..Options::default() };
        let linter = Linter::new(&project, &options).unwrap();
        let outcome = wflint::fix::lint(&linter);
        assert_eq!(outcome.diagnostics.len(), 0, "the service is clean");
        processor_time() - before
    })
    .unwrap()
}

/// That of all threads of this process and of those that it has started, in seconds.
#[cfg(unix)]
fn processor_time() -> f64 {
    seconds(rustix::time::ClockId::ProcessCPUTime) + children_time().unwrap_or_default()
}

/// As [`processor_time`], without this thread, which is that of the client.
#[cfg(unix)]
fn server_time() -> f64 {
    processor_time() - seconds(rustix::time::ClockId::ThreadCPUTime)
}

#[cfg(unix)]
fn seconds(clock: rustix::time::ClockId) -> f64 {
    Duration::try_from(rustix::time::clock_gettime(clock)).unwrap().as_secs_f64()
}

/// That of the processes that run scripts, as Linux says it in `/proc`.
fn children_time() -> std::io::Result<f64> {
    let mut nanoseconds = 0.0;
    for task in std::fs::read_dir("/proc/self/task")? {
        for child in std::fs::read_to_string(task?.path().join("children"))?.split_whitespace() {
            for task in std::fs::read_dir(format!("/proc/{child}/task"))? {
                let statistics = std::fs::read_to_string(task?.path().join("schedstat"))?;
                nanoseconds += statistics.split_whitespace().next().and_then(|time| time.parse().ok()).unwrap_or(0.0);
            }
        }
    }
    Ok(nanoseconds / 1e9)
}

/// The time of day, where processor time is not known.
#[cfg(not(unix))]
fn processor_time() -> f64 {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs_f64()
}

#[cfg(not(unix))]
fn server_time() -> f64 {
    processor_time()
}

/// The growth of the memory by a piece of work that is done many times, in bytes, after a tenth of it.
fn growth(name: &str, work: Work) -> usize {
    let mut editor = Editor::start(tempfile::tempdir().unwrap(), false);
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
    let value = variable_display_name(&text);
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
    fn start(folder: TempDir, runs_scripts: bool) -> Self {
        let (from_client, input) = pipe().unwrap();
        let (output, to_client) = pipe().unwrap();
        let context = ServerContext { current: folder.path().to_path_buf(), program: std::env::current_exe().unwrap() };
        let server = std::thread::spawn(move || {
            lsp::serve(from_client, to_client, context).unwrap();
        });
        let mut editor = Self { folder, input, output: BufReader::new(output), server, version: 0 };
        let uri = format!("file://{}", editor.folder.path().display());
        let params = json!({
            "processId": null, "capabilities": {}, "workspaceFolders": [{ "uri": uri, "name": "a" }],
            "initializationOptions": { "runScripts": runs_scripts },
        });
        editor.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }));
        while editor.receive()["id"] != 1 {}
        editor.notify("initialized", &json!({}));
        editor
    }

    /// The processor time of the server for some messages, until nothing is left to do, in seconds.
    fn processor_time_of(&mut self, work: impl FnOnce(&mut Self)) -> f64 {
        std::thread::sleep(PAUSE);
        let before = server_time();
        work(self);
        loop {
            let after = server_time();
            std::thread::sleep(PAUSE);
            if server_time() - after < IDLE {
                return after - before;
            }
        }
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
