//! The running and waiting runs.

use std::collections::VecDeque;
use std::path::PathBuf;

use serde_json::Value;

use super::child::{Ended, OnEnd, RunChild};
use super::request::RunRequest;
use crate::lsp::message::Failure;
use crate::read::Unsaved;

/// Runs at a time; further ones wait.
const MAX_RUNNING: usize = 2;
/// Runs that wait; further ones are refused.
const MAX_WAITING: usize = 64;

/// A run to start, and the request that wants it.
#[derive(Debug)]
pub struct Order {
    /// Of the request.
    pub id: Value,
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
    id: Value,
    number: u64,
    shows_message: bool,
    child: RunChild,
}

/// The result of a run.
#[derive(Debug)]
pub struct Report {
    /// Of the request.
    pub id: Value,
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
    pub fn cancel(&mut self, id: &Value) -> bool {
        let before = self.running.len() + self.waiting.len();
        self.running.retain(|run| run.id != *id);
        self.waiting.retain(|order| order.id != *id);
        self.running.len() + self.waiting.len() < before
    }

    /// Ends all runs, and returns the ids of their requests.
    pub fn take(&mut self) -> Vec<Value> {
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
    pub fn start_waiting(&mut self) -> Vec<(Value, Failure)> {
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
