//! The loop of the server: one message, one result at a time.

use std::collections::VecDeque;
use std::io::{BufReader, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::Value;

use super::client::Client;
use super::connection::{self, Failure, Incoming};
use super::features::{drawing, plays};
use super::jobs;
use super::load::Scope;
use super::outbox::{Outbox, TraceLevel};
use super::queue::{Lane, Outcome, Worker};
use super::run::Runs;
use super::settings::Settings;
use super::state::Server;
use super::{capabilities, diagnostics, notifications, requests};
use crate::script::Evaluator;

/// Messages that were read and not handled yet; then the client waits.
const MAX_WAITING: usize = 64;
/// Maximum time that the loop waits, in case a clock stops.
const IDLE: Duration = Duration::from_secs(3600);
/// Bytes of stack for the loop: documents are nested.
const STACK_BYTES: usize = 32 << 20;

/// The environment of a server.
#[derive(Debug)]
pub struct ServerContext {
    /// The current folder, absolute.
    pub current: PathBuf,
    /// This program, which runs scripts in a child process.
    pub program: PathBuf,
}

/// How a server ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// As the client asked for it with `shutdown`.
    ShutDown,
    /// Without.
    Abandoned,
}

enum Event {
    Message(Incoming),
    /// A job or a run has ended.
    Done(Outcome<Server>),
    /// The input is closed, the output is, or the client is gone.
    Gone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Before `initialize`.
    New,
    Running,
    ShutDown,
}

/// Serves a client until it ends.
pub fn serve(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    context: ServerContext,
) -> Result<End, String> {
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
    let server = thread.spawn(move || run(input, output, context));
    let server = server.map_err(|error| format!("cannot create threads: {error}"))?;
    server.join().unwrap_or_else(|_| Err("the server has failed".to_owned()))
}

fn run(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
    context: ServerContext,
) -> Result<End, String> {
    let (events, receiver) = sync_channel(MAX_WAITING);
    let sender = events.clone();
    let outbox = Outbox::new(output, move || drop(sender.send(Event::Gone)));
    let start = |lane| {
        let sender = events.clone();
        let finish = move |outcome| Box::new(move |server: &mut Server| server.finish(lane, outcome));
        Worker::start(move |outcome| sender.send(Event::Done(finish(outcome))).is_ok())
    };
    let workers = [start(Lane::Quick)?, start(Lane::Scripts)?];
    let sender = events.clone();
    let runs = Runs::new(&context.program, move |id, report| {
        let finish = move |server: &mut Server| plays::finish_run(server, &id, report);
        drop(sender.send(Event::Done(Box::new(finish))));
    });
    let sender = events.clone();
    let evaluator = Evaluator::new(context.program);
    let server = Server::new(outbox, workers, runs, evaluator, context.current);
    std::thread::spawn(move || read(input, &sender));
    Ok(Loop::new(server, events).run(&receiver))
}

/// Reads messages until the input ends.
fn read(input: impl Read, events: &SyncSender<Event>) {
    let mut input = BufReader::new(input);
    while let Ok(Some(incoming)) = connection::read(&mut input) {
        if events.send(Event::Message(incoming)).is_err() {
            return;
        }
    }
    let _ = events.send(Event::Gone);
}

struct Loop {
    server: Server,
    phase: Phase,
    /// The problems of the first settings, shown when the client is ready.
    settings_problems: Vec<String>,
    events: SyncSender<Event>,
    /// What has arrived and is not handled yet.
    arrived: VecDeque<Event>,
}

impl Loop {
    const fn new(server: Server, events: SyncSender<Event>) -> Self {
        Self { server, phase: Phase::New, settings_problems: Vec::new(), events, arrived: VecDeque::new() }
    }

    fn run(mut self, events: &Receiver<Event>) -> End {
        loop {
            let now = Instant::now();
            jobs::start_next(&mut self.server, now);
            let next = jobs::next_time(&self.server);
            let timeout = next.map_or(IDLE, |next| next.saturating_duration_since(now).min(IDLE));
            let is_ended = match self.next_event(events, timeout) {
                Ok(Event::Message(message)) => self.handle(message),
                Ok(Event::Done(outcome)) => {
                    outcome(&mut self.server);
                    diagnostics::refresh_others(&mut self.server);
                    false
                }
                Ok(Event::Gone) | Err(RecvTimeoutError::Disconnected) => true,
                Err(RecvTimeoutError::Timeout) => false,
            };
            if is_ended || self.server.outbox.is_full() {
                break;
            }
            self.show();
        }
        self.server.outbox.finish();
        if self.phase == Phase::ShutDown { End::ShutDown } else { End::Abandoned }
    }

    /// The next event. Messages behind it are taken, too: one may cancel a request before it is handled.
    fn next_event(&mut self, events: &Receiver<Event>, timeout: Duration) -> Result<Event, RecvTimeoutError> {
        while self.arrived.len() < MAX_WAITING
            && let Ok(event) = events.try_recv()
        {
            self.arrived.push_back(event);
        }
        self.arrived.pop_front().map_or_else(|| events.recv_timeout(timeout), Ok)
    }

    /// Answers and shows what is known now.
    fn show(&mut self) {
        let server = &mut self.server;
        drawing::note_changes(server);
        jobs::show_early(server, Instant::now());
        if self.phase == Phase::Running {
            requests::answer_waiting(server);
            if server.quick.running.is_none() && jobs::next_quick(server).is_none() {
                diagnostics::refresh_others(server);
            }
        }
        if server.client.pulls {
            diagnostics::answer(server);
        } else {
            diagnostics::publish(server);
        }
        if self.phase == Phase::Running {
            drawing::announce(server);
        }
    }

    /// Handles a message. Whether it ends the server.
    fn handle(&mut self, message: Incoming) -> bool {
        self.server.outbox.receive(&message);
        match message {
            Incoming::Message(Message::Request(request)) => self.answer(request),
            Incoming::Message(Message::Notification(Notification { method, params })) => {
                return self.notify(&method, params);
            }
            Incoming::Message(Message::Response(response)) => {
                if self.phase == Phase::Running {
                    notifications::handle_response(&mut self.server, response);
                }
            }
            Incoming::Invalid(Some(id), failure) => self.server.outbox.respond(&id, Err(failure)),
            Incoming::Invalid(None, failure) => self.server.outbox.refuse(&failure),
        }
        false
    }

    fn answer(&mut self, request: Request) {
        let answer = match (self.phase, request.method.as_str()) {
            (Phase::New, "initialize") => self.initialize(&request.params),
            (Phase::New, _) => Err(Failure::not_initialized()),
            (Phase::ShutDown, _) => Err(Failure::request("the server is shut down")),
            (Phase::Running, "initialize") => Err(Failure::request("duplicate `initialize`")),
            (Phase::Running, "shutdown") => Ok(self.shut_down()),
            (Phase::Running, _) if self.is_canceled(&request.id) => Err(Failure::canceled()),
            (Phase::Running, _) => return requests::answer(&mut self.server, request),
        };
        self.server.outbox.respond(&request.id, answer);
    }

    /// Whether a message that has arrived already cancels a request.
    fn is_canceled(&self, id: &RequestId) -> bool {
        self.arrived.iter().any(
            |event| matches!(event, Event::Message(Incoming::Message(message)) if notifications::cancels(message, id)),
        )
    }

    /// Requests that wait are not answered any more.
    fn shut_down(&mut self) -> Value {
        self.phase = Phase::ShutDown;
        let runs = self.server.runs.end_all(|_| true);
        for waiting in self.server.pending.take().into_iter().chain(runs) {
            self.server.outbox.respond(&waiting, Err(Failure::canceled()));
        }
        Value::Null
    }

    fn initialize(&mut self, params: &Value) -> Result<Value, Failure> {
        if !params.is_object() {
            return Err(Failure::params("expected an object"));
        }
        let server = &mut self.server;
        server.client = Client::new(params);
        (server.settings, self.settings_problems) =
            params.get("initializationOptions").map(|own| Settings::read(own, true)).unwrap_or_default();
        let level = params.get("trace").and_then(TraceLevel::of);
        server.outbox.trace = server.settings.trace.or(level).unwrap_or_default();
        let now = Instant::now();
        for folder in server.client.folders.clone() {
            server.add_root(Scope::Folder(folder), now);
        }
        if let Some(id) = server.client.process {
            let sender = self.events.clone();
            watch_process(id, move || drop(sender.send(Event::Gone)));
        }
        let result = serde_json::to_value(capabilities::initialize_result(&server.client));
        let result = result.map_err(|_| Failure::internal("initialize"))?;
        self.phase = Phase::Running;
        Ok(result)
    }

    /// Whether it ends the server.
    fn notify(&mut self, method: &str, params: Value) -> bool {
        match (self.phase, method) {
            (_, "exit") => return true,
            (Phase::Running, "initialized") => {
                notifications::register(&mut self.server);
                for problem in std::mem::take(&mut self.settings_problems) {
                    self.server.show_once(&problem);
                }
            }
            (Phase::Running, _) => {
                let server = &mut self.server;
                let _ = catch_unwind(AssertUnwindSafe(|| notifications::handle(server, method, params)));
            }
            (Phase::New | Phase::ShutDown, _) => {}
        }
        false
    }
}

/// The interval of the checks.
#[cfg(unix)]
const INTERVAL: Duration = Duration::from_secs(1);

/// Calls `gone` when a process has ended.
#[cfg(unix)]
fn watch_process(process: i32, gone: impl FnOnce() + Send + 'static) {
    let Some(process) = rustix::process::Pid::from_raw(process).filter(|_| process > 0) else { return };
    std::thread::spawn(move || {
        // A process of another user exists, too.
        while rustix::process::test_kill_process(process) != Err(rustix::io::Errno::SRCH) {
            std::thread::sleep(INTERVAL);
        }
        gone();
    });
}

/// On other systems, the input closes when the client ends.
#[cfg(not(unix))]
fn watch_process(_: i32, _: impl FnOnce() + Send + 'static) {}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn request_that_is_canceled_while_it_waits_is_not_handled() {
        let (jobs, _started) = std::sync::mpsc::channel();
        let workers = [jobs.clone(), jobs].map(Worker::new);
        let (mut answers, output) = std::io::pipe().unwrap();
        let outbox = Outbox::new(output, || {});
        let runs = Runs::new("wflint".as_ref(), |_, _| {});
        let server = Server::new(outbox, workers, runs, Evaluator::new("wflint".into()), "/".into());
        let (events, receiver) = sync_channel(MAX_WAITING);
        let mut server = Loop { phase: Phase::Running, ..Loop::new(server, events.clone()) };
        let request = |id: i32| Request { id: id.into(), method: "unknown".into(), params: Value::Null };
        let cancel = Notification { method: "$/cancelRequest".into(), params: json!({ "id": 2 }) };
        let messages: [Message; 4] = [request(1).into(), request(2).into(), cancel.into(), request(2).into()];
        for message in messages {
            events.send(Event::Message(Incoming::Message(message))).unwrap();
        }
        while let Ok(Event::Message(message)) = server.next_event(&receiver, Duration::ZERO) {
            assert!(!server.handle(message));
        }
        server.server.outbox.finish();
        let mut answered = String::new();
        answers.read_to_string(&mut answered).unwrap();
        let codes: Vec<&str> = answered
            .match_indices("\"code\":")
            .filter_map(|(at, key)| answered.get(at + key.len()..at + key.len() + 6))
            .collect();
        assert_eq!(codes, ["-32601", "-32800", "-32601"]);
    }
}
