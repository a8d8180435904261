//! Runs and searches that an editor asks for. Each is a process of its own, this program again, so that nothing waits for
//! it, it can be stopped at any moment, and its memory is given back.

use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use lsp_server::RequestId;
use serde::{Deserialize, Serialize};

use super::connection::Failure;
use super::document_uri::DocumentUri;
use crate::files::read::Unsaved;
use crate::page::{Play, Plays};
use crate::script::sandbox::NO_SCRIPTS;

/// Runs at a time; further ones wait.
const MAX_RUNNING: usize = 2;
/// Runs that run or wait; further ones are refused.
const MAX_RUNS: usize = 64;
/// Bytes of a result: the timelines of a hundred orders that run into their limits.
const MAX_RESULT: u64 = 64 << 20;
/// Maximum number of bytes of errors; the rest is left out.
const MAX_ERRORS: u64 = 1 << 20;

/// A run to start, and the request that wants it.
#[derive(Debug)]
pub struct Order {
    /// Of the request.
    pub id: RequestId,
    /// The current folder, absolute.
    pub folder: PathBuf,
    pub work: Work,
    /// The texts of the open documents.
    pub unsaved: Unsaved,
    pub runs_scripts: bool,
    pub wanted: Wanted,
}

/// What the process does.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum Work {
    /// A command line, without the name of the program.
    Command(Vec<String>),
    /// Prints the data of a workflow's page, without "Try it".
    Plays(PlaysOrder),
}

/// What can be played of a workflow. Paths are absolute.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct PlaysOrder {
    pub workflow: PathBuf,
    /// If empty, those beside the workflow.
    pub scenarios: Vec<PathBuf>,
    /// As `--config`, `--isolated` and `--allow-outside`.
    pub config: Option<PathBuf>,
    pub isolated: bool,
    pub allow_outside: bool,
}

/// What becomes of the output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    Report {
        /// Whether the summary is shown as a message.
        shows_message: bool,
    },
    /// What can be played of a workflow, after a number of edits: all of it, or one run.
    Plays { uri: DocumentUri, edits: u64, play: Option<Play> },
}

/// The result of a run.
#[derive(Debug)]
pub struct Report {
    pub result: Result<String, Failure>,
    /// If it is to be shown: the summary, and whether all is well.
    pub summary: Option<(String, bool)>,
}

/// What can be played of a workflow, for as long as the client tells of no change.
#[derive(Debug, Clone)]
pub struct KnownPlays {
    pub uri: DocumentUri,
    /// The number of changes before.
    pub edits: u64,
    pub plays: Arc<Plays>,
}

/// The runs without an answer.
#[derive(Debug)]
pub struct Runs {
    /// What was collected last.
    pub plays: Option<KnownPlays>,
    orders: Sender<(Order, Arc<Process>)>,
    started: Vec<(RequestId, Wanted, Arc<Process>)>,
}

/// The process of a run.
#[derive(Debug, Default)]
struct Process(Mutex<State>);

#[derive(Debug, Default)]
enum State {
    #[default]
    Waiting,
    Running(Child),
    Ended,
}

impl Runs {
    /// Starts the threads, which pass the result of each run to `on_end`.
    pub fn new(program: &Path, on_end: impl Fn(RequestId, Report) + Clone + Send + 'static) -> Self {
        let (orders, receiver) = channel::<(Order, Arc<Process>)>();
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..MAX_RUNNING {
            let (program, on_end, receiver) = (program.to_path_buf(), on_end.clone(), Arc::clone(&receiver));
            thread::spawn(move || {
                let next = || lock(&receiver).recv();
                while let Ok((order, process)) = next() {
                    if let Some(report) = process.run(&program, &order) {
                        on_end(order.id, report);
                    }
                }
            });
        }
        Self { plays: None, orders, started: Vec::new() }
    }

    /// Starts a run, or lets it wait for others.
    pub fn start(&mut self, order: Order) -> Result<(), Failure> {
        if self.started.len() >= MAX_RUNS {
            return Err(Failure::refused("too many runs at a time"));
        }
        let process = Arc::default();
        self.started.push((order.id.clone(), order.wanted.clone(), Arc::clone(&process)));
        // The threads end after this.
        let _ = self.orders.send((order, process));
        Ok(())
    }

    /// Ends a run, and returns what was wanted of it; `None` for one that was canceled: it has no result.
    pub fn end(&mut self, id: &RequestId) -> Option<Wanted> {
        let mut ended = self.started.extract_if(.., |(known, ..)| known == id);
        ended.next().map(|(_, wanted, process)| {
            process.end();
            wanted
        })
    }

    /// Ends runs, and returns the ids of their requests.
    pub fn end_all(&mut self, is_ended: impl Fn(&Wanted) -> bool) -> Vec<RequestId> {
        let runs = self.started.extract_if(.., |(_, wanted, _)| is_ended(wanted));
        runs.map(|(id, _, process)| {
            process.end();
            id
        })
        .collect()
    }
}

impl Drop for Runs {
    fn drop(&mut self) {
        self.end_all(|_| true);
    }
}

impl Process {
    /// Runs it; `None` if it was ended before.
    fn run(&self, program: &Path, order: &Order) -> Option<Report> {
        let failed = |reason: &str| Report { result: Err(Failure::refused(reason)), summary: None };
        let mut command = Command::new(program);
        command.arg(RUN_ARGUMENT).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if !order.runs_scripts {
            command.env(NO_SCRIPTS, "1");
        }
        let (input, output, errors) = {
            let mut state = lock(&self.0);
            if matches!(*state, State::Ended) {
                return None;
            }
            let mut child = match command.spawn() {
                Ok(child) => child,
                Err(error) => return Some(failed(&format!("cannot start the run: {error}"))),
            };
            let pipes = (child.stdin.take()?, child.stdout.take()?, child.stderr.take()?);
            *state = State::Running(child);
            pipes
        };
        let errors = thread::spawn(move || read(errors, MAX_ERRORS));
        let mut input = input;
        // A process that does not read has ended, which is noticed by its output. It ends when its input is closed.
        let _ = RunRequest::new(&order.folder, order.work.clone(), &order.unsaved).write(&mut input);
        let output = read(output, MAX_RESULT + 1);
        if output.len() as u64 > MAX_RESULT {
            self.end();
            return Some(failed("the result is too large; run fewer scenarios, or in a terminal"));
        }
        let errors = errors.join().unwrap_or_default();
        let State::Running(mut child) = std::mem::replace(&mut *lock(&self.0), State::Ended) else { return None };
        let code = child.wait().ok()?.code();
        drop(input);
        let (output, errors) = (shown(&output), shown(&errors));
        let result = match code {
            Some(0..=2) if !output.is_empty() => Ok(match order.work {
                Work::Command(_) => joined(&errors, output),
                Work::Plays(_) => output,
            }),
            Some(2) => Err(Failure { message: reason(&errors), ..Failure::refused("") }),
            _ => Err(Failure::refused("the run has ended unexpectedly")),
        };
        let shows_message = order.wanted == Wanted::Report { shows_message: true };
        let text = result.as_ref().ok().filter(|_| shows_message);
        let summary = text.map(|text| (last_line(text).to_owned(), code == Some(0)));
        Some(Report { result, summary })
    }

    fn end(&self) {
        if let State::Running(mut child) = std::mem::replace(&mut *lock(&self.0), State::Ended) {
            // It fails only when the process has ended.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read(from: impl Read, limit: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = from.take(limit).read_to_end(&mut bytes);
    bytes
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Errors come first, as in a terminal.
fn joined(errors: &str, output: String) -> String {
    if errors.is_empty() { output } else { format!("{errors}\n{output}") }
}

/// Errors without the name of the program; they hold no unsafe characters.
fn reason(errors: &str) -> String {
    let lines = errors.lines().map(|line| line.strip_prefix("wflint: ").unwrap_or(line));
    let reason: Vec<&str> = lines.collect();
    reason.join("\n").trim().to_owned()
}

fn last_line(text: &str) -> &str {
    text.trim_end().lines().next_back().unwrap_or_default()
}

/// The argument that makes this program a run for an editor. It starts with dashes, so that it is never the name of a file
/// to lint.
pub const RUN_ARGUMENT: &str = "--editor-run";

/// What to do, and unsaved texts that replace files.
#[derive(Debug, Serialize, Deserialize)]
pub struct RunRequest {
    /// The current folder, absolute.
    pub folder: PathBuf,
    pub work: Work,
    texts: Vec<(PathBuf, String)>,
}

impl RunRequest {
    /// Texts of files whose paths are not Unicode are left out: the client cannot name them either.
    pub fn new(folder: &Path, work: Work, unsaved: &Unsaved) -> Self {
        let texts = unsaved.paths().filter(|path| path.to_str().is_some());
        let texts = texts.filter_map(|path| Some((path.to_path_buf(), unsaved.text(path)?.to_string())));
        Self { folder: folder.to_path_buf(), work, texts: texts.collect() }
    }

    pub fn unsaved(&self) -> Unsaved {
        Unsaved::texts(self.texts.iter().map(|(path, text)| (path.clone(), text.as_str().into())))
    }

    /// Writes it as a line.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        to.write_all(&line)?;
        to.flush()
    }

    /// Reads the line; what follows is left.
    pub fn read(from: impl Read) -> io::Result<Self> {
        let mut line = Vec::new();
        // A buffer that is dropped: nothing follows but the end.
        io::BufReader::new(from).read_until(b'\n', &mut line)?;
        Ok(serde_json::from_slice(&line)?)
    }
}
