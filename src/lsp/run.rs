//! Runs and searches that an editor asks for. Each is a process of its own, this program again, so that nothing waits for
//! it, it can be stopped at any moment, and its memory is given back.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::thread;

use lsp_server::RequestId;
use serde::{Deserialize, Serialize};

use super::connection::Failure;
use crate::read::Unsaved;
use crate::script::sandbox::NO_SCRIPTS;

/// Runs at a time; further ones wait.
const MAX_RUNNING: usize = 2;
/// Runs that wait; further ones are refused.
const MAX_WAITING: usize = 64;

/// A run to start, and the request that wants it.
#[derive(Debug)]
pub struct Order {
    /// Of the request.
    pub id: RequestId,
    /// The current folder, absolute.
    pub folder: PathBuf,
    pub arguments: Vec<String>,
    /// The texts of the open documents.
    pub unsaved: Unsaved,
    pub runs_scripts: bool,
    /// Whether the summary is shown as a message.
    pub shows_message: bool,
}

#[derive(Debug)]
struct Running {
    id: RequestId,
    number: u64,
    shows_message: bool,
    child: RunChild,
}

/// The result of a run.
#[derive(Debug)]
pub struct Report {
    /// Of the request.
    pub id: RequestId,
    pub result: Result<String, Failure>,
    /// If it is to be shown: the summary, and whether all is well.
    pub summary: Option<(String, bool)>,
}

pub struct Runs {
    program: PathBuf,
    on_end: OnEnd,
    running: Vec<Running>,
    waiting: VecDeque<Order>,
    started: u64,
}

impl Runs {
    pub fn new(program: PathBuf, on_end: OnEnd) -> Self {
        Self { program, on_end, running: Vec::new(), waiting: VecDeque::new(), started: 0 }
    }

    /// Starts a run, or lets it wait for others.
    ///
    /// # Errors
    /// Too many runs, or no process could be started.
    pub fn start(&mut self, order: Order) -> Result<(), Failure> {
        if self.running.len() < MAX_RUNNING {
            return self.launch(order);
        }
        if self.waiting.len() >= MAX_WAITING {
            return Err(Failure::refused("too many runs at a time"));
        }
        self.waiting.push_back(order);
        Ok(())
    }

    fn launch(&mut self, order: Order) -> Result<(), Failure> {
        let Order { id, folder, arguments, unsaved, runs_scripts, shows_message } = order;
        self.started += 1;
        let number = self.started;
        // Texts may have megabytes: they are copied by the thread of the run.
        let request = move || RunRequest::new(&folder, &arguments, &unsaved);
        let child = RunChild::start(&self.program, runs_scripts, number, request, self.on_end.clone());
        let child = child.map_err(|error| Failure::refused(format!("cannot start the run: {error}")))?;
        self.running.push(Running { id, number, shows_message, child });
        Ok(())
    }

    /// Ends a run. Whether it was there.
    pub fn cancel(&mut self, id: &RequestId) -> bool {
        let before = self.running.len() + self.waiting.len();
        self.running.retain(|run| run.id != *id);
        self.waiting.retain(|order| order.id != *id);
        self.running.len() + self.waiting.len() < before
    }

    /// Ends all runs, and returns the ids of their requests.
    pub fn take(&mut self) -> Vec<RequestId> {
        let running = self.running.drain(..).map(|run| run.id);
        running.chain(self.waiting.drain(..).map(|order| order.id)).collect()
    }

    /// Takes over what a process has written; nothing for one that was canceled.
    pub fn finish(&mut self, ended: &Ended) -> Option<Report> {
        let index = self.running.iter().position(|run| run.number == ended.number)?;
        let mut run = self.running.swap_remove(index);
        if ended.is_cut {
            let failure = Failure::refused("the result is too large; run fewer scenarios, or in a terminal");
            return Some(Report { id: run.id, result: Err(failure), summary: None });
        }
        let (output, errors) = (shown(&ended.output), shown(&ended.errors));
        let code = run.child.code();
        let result = match code {
            Some(0..=2) if !output.is_empty() => Ok(joined(&errors, output)),
            Some(2) => Err(Failure { message: reason(&errors), ..Failure::refused("") }),
            _ => Err(Failure::refused("the run has ended unexpectedly")),
        };
        let text = result.as_ref().ok().filter(|_| run.shows_message);
        let summary = text.map(|text| (last_line(text).to_owned(), code == Some(0)));
        Some(Report { id: run.id, result, summary })
    }

    /// Starts runs that waited. Those that could not be started are returned, with the reason.
    pub fn start_waiting(&mut self) -> Vec<(RequestId, Failure)> {
        let mut failed = Vec::new();
        while self.running.len() < MAX_RUNNING
            && let Some(order) = self.waiting.pop_front()
        {
            let id = order.id.clone();
            if let Err(failure) = self.launch(order) {
                failed.push((id, failure));
            }
        }
        failed
    }
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

/// Bytes of a result: the timelines of a hundred orders that run into their limits.
const MAX_RESULT: u64 = 64 << 20;
/// Maximum number of bytes of errors; the rest is left out.
const MAX_ERRORS: u64 = 1 << 20;

/// The output of a process that has ended.
#[derive(Debug)]
pub struct Ended {
    /// Of the run.
    pub number: u64,
    pub output: Vec<u8>,
    pub errors: Vec<u8>,
    /// Whether there was more output.
    pub is_cut: bool,
}

/// Called by a thread of the run.
pub type OnEnd = Arc<dyn Fn(Ended) + Send + Sync>;

/// Ends with its owner.
#[derive(Debug)]
struct RunChild(Child);

impl RunChild {
    /// Starts the process; threads write to it and read from it.
    ///
    /// # Errors
    /// When it cannot be started.
    fn start(
        program: &Path,
        runs_scripts: bool,
        number: u64,
        request: impl FnOnce() -> RunRequest + Send + 'static,
        on_end: OnEnd,
    ) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.arg(RUN_ARGUMENT).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if !runs_scripts {
            command.env(NO_SCRIPTS, "1");
        }
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let child = Self(child);
        let (Some(input), Some(output), Some(errors)) = pipes else { return Err(io::ErrorKind::BrokenPipe.into()) };
        let errors = thread::Builder::new().spawn(move || read(errors, MAX_ERRORS))?;
        thread::Builder::new().spawn(move || {
            let input = send(&request(), input);
            let mut output = read(output, MAX_RESULT + 1);
            let is_cut = output.len() as u64 > MAX_RESULT;
            if is_cut {
                // The process still runs: it is killed when this is known.
                output.clear();
            }
            let errors = if is_cut { Vec::new() } else { errors.join().unwrap_or_default() };
            drop(input);
            on_end(Ended { number, output, errors, is_cut });
        })?;
        Ok(child)
    }

    /// The exit code of a process that has closed its output; `None` if something has killed it.
    fn code(&mut self) -> Option<i32> {
        self.0.wait().ok()?.code()
    }

    fn kill(&mut self) {
        // It fails only when the process has ended.
        let _ = self.0.kill();
    }
}

impl Drop for RunChild {
    fn drop(&mut self) {
        self.kill();
        let _ = self.0.wait();
    }
}

/// The input stays open: the process ends when it is closed.
fn send(request: &RunRequest, mut input: ChildStdin) -> ChildStdin {
    // A process that does not read has ended, which is noticed by its output.
    let _ = request.write(&mut input);
    input
}

fn read(from: impl Read, limit: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = from.take(limit).read_to_end(&mut bytes);
    bytes
}

/// The argument that makes this program a run for an editor. It starts with dashes, so that it is never the name of a file
/// to lint.
pub const RUN_ARGUMENT: &str = "--editor-run";

/// A command line, and unsaved texts that replace files.
#[derive(Debug, Serialize, Deserialize)]
pub struct RunRequest {
    /// The current folder, absolute.
    pub folder: PathBuf,
    /// Without the name of the program.
    pub arguments: Vec<String>,
    texts: Vec<(PathBuf, String)>,
}

impl RunRequest {
    /// Texts of files whose paths are not Unicode are left out: the client cannot name them either.
    pub fn new(folder: &Path, arguments: &[String], unsaved: &Unsaved) -> Self {
        let texts = unsaved.paths().filter(|path| path.to_str().is_some());
        let texts = texts.filter_map(|path| Some((path.to_path_buf(), unsaved.text(path)?.to_string())));
        Self { folder: folder.to_path_buf(), arguments: arguments.to_vec(), texts: texts.collect() }
    }

    pub fn unsaved(&self) -> Unsaved {
        Unsaved::texts(self.texts.iter().map(|(path, text)| (path.clone(), text.as_str().into())))
    }

    /// Writes it as a line.
    ///
    /// # Errors
    /// When the reader is gone.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        to.write_all(&line)?;
        to.flush()
    }

    /// Reads the line; what follows is left.
    ///
    /// # Errors
    /// When it is not a request.
    pub fn read(from: impl Read) -> io::Result<Self> {
        let mut line = Vec::new();
        // A buffer that is dropped: nothing follows but the end.
        io::BufReader::new(from).read_until(b'\n', &mut line)?;
        Ok(serde_json::from_slice(&line)?)
    }
}
