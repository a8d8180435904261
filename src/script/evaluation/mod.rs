//! Runs the scripts of Code activities while documents are linted: in the sandbox, on made-up values
//! for what only an order knows.
//!
//! A script is run on several sets of values. What is the same for all of them is taken not to hang
//! on the values; of a failure it must also be seen why: no condition is around the place, and what
//! failed there is a constant, or nothing is asked of the values before.

mod values;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::sandbox::{Answer, FailureKind, Job, JsonVariable, Sandbox, ScriptFailure};
use super::syntax::{SureUse, offset};
use crate::collections::HashMap;
use crate::document::{Document, Limits, SyntaxErrorKind};
use values::Set;

/// How long one script may run, in seconds.
const SECONDS: f64 = 1.0;

/// How long all scripts of a run may take together.
const BUDGET: Duration = Duration::from_secs(30);

/// The time that scripts see: noon of 15 January 2030, UTC.
const NOW_MS: i64 = 1_894_708_800_000;

/// A script, and what it is given.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Request<'a> {
    /// JavaScript that parses.
    pub script: &'a str,
    /// Its parameters by name.
    pub parameters: Vec<(&'a str, Given)>,
    /// The names of the host that it uses.
    pub hosts: Vec<&'a str>,
    /// The uses of names in what runs whenever the script does.
    pub sure_uses: &'a [SureUse],
    /// Whether it asks something of a value that decides what it does.
    pub has_condition: bool,
}

/// The value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Given {
    /// The document says it.
    Text(String),
    /// Only an order does.
    Open,
    /// Only an order does, and the script reads it as JSON.
    OpenJson,
}

impl Given {
    /// The value with which the first text is built; the parameter's index and name.
    pub fn first_value(&self, index: usize, name: &str) -> String {
        self.value(Set::First, index, name)
    }

    const fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }

    /// The value in a set of values; the parameter's index and name.
    fn value(&self, set: Set, index: usize, name: &str) -> String {
        match (self, set) {
            (Self::Text(text), _) => text.clone(),
            (Self::OpenJson, Set::First) => Set::Objects.value(index, name),
            (Self::OpenJson, Set::Second) => Set::OtherObjects.value(index, name),
            _ => set.value(index, name),
        }
    }
}

/// How a script ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evaluation {
    /// With a text in `Json`. If it is no JSON, it is none whatever the values.
    Text {
        /// The text for one set of values.
        text: String,
        /// The text for another: what differs hangs on the values.
        other: String,
        /// Whether the script passes the values on and does not look into them, so that what is absent or
        /// empty in the text is so whatever the values.
        is_plain: bool,
    },
    /// With no text in `Json` but something else, whatever the values: what, in a word of JavaScript.
    NoText(String),
    /// Not at all: it fails.
    Failed {
        /// The failure.
        failure: ScriptFailure,
        /// Whether it fails so whatever the values.
        always: bool,
        /// A parameter and the value that was made up for it, if there is one.
        example: Option<(String, String)>,
    },
    /// Without anything in `Json`, and the script asks nothing of the values that could change that.
    Unset,
    /// In a way that hangs on the values, or that nothing is known of.
    NotKnown,
}

/// Runs scripts, each with the same values once.
pub struct Evaluator {
    program: PathBuf,
    /// Sandboxes that nobody uses now.
    free: Mutex<Vec<Sandbox>>,
    known: Mutex<HashMap<u64, Evaluation>>,
    /// Microseconds that scripts have taken.
    spent: AtomicU64,
    /// Why scripts were not run.
    note: Mutex<Option<String>>,
}

impl Evaluator {
    /// An evaluator. `program` is this program, as for [`Sandbox::new`].
    pub fn new(program: PathBuf) -> Self {
        Self {
            program,
            free: Mutex::default(),
            known: Mutex::default(),
            spent: AtomicU64::new(0),
            note: Mutex::default(),
        }
    }

    /// Why some scripts were not run, for the user.
    pub fn note(&self) -> Option<String> {
        self.note.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How a script ends.
    pub fn evaluate(&self, request: &Request<'_>) -> Evaluation {
        use std::hash::BuildHasher;
        let key = foldhash::fast::FixedState::default().hash_one(request);
        if let Some(known) = lock(&self.known).get(&key) {
            return known.clone();
        }
        let Some(mut runs) = self.runs(request) else { return Evaluation::NotKnown };
        let evaluation = runs.evaluate().unwrap_or(Evaluation::NotKnown);
        lock(&self.free).extend(runs.sandbox);
        lock(&self.known).insert(key, evaluation.clone());
        evaluation
    }

    fn runs<'r>(&'r self, request: &'r Request<'r>) -> Option<Runs<'r>> {
        if lock(&self.note).is_some() {
            return None;
        }
        let sandbox = lock(&self.free).pop().unwrap_or_else(|| Sandbox::new(self.program.clone()));
        Some(Runs { evaluator: self, request, sandbox: Some(sandbox) })
    }

    fn give_up(&self, note: String) {
        lock(&self.note).get_or_insert(note);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The runs of one script.
struct Runs<'r> {
    evaluator: &'r Evaluator,
    request: &'r Request<'r>,
    sandbox: Option<Sandbox>,
}

impl Runs<'_> {
    /// None when a run gives nothing to go by.
    fn evaluate(&mut self) -> Option<Evaluation> {
        let is_fixed = self.request.parameters.iter().all(|(_, value)| value.is_text());
        let first = self.run(Set::First)?;
        if let Answer::Done { json: JsonVariable::Text(text) } = &first
            && is_json(text)
        {
            let other = if is_fixed { first.clone() } else { self.run(Set::Second)? };
            let Answer::Done { json: JsonVariable::Text(other) } = other else { return None };
            let is_plain = is_fixed || self.is_plain();
            return Some(Evaluation::Text { text: text.clone(), other, is_plain });
        }
        let mut all = vec![first];
        for set in Set::OTHERS.into_iter().filter(|_| !is_fixed) {
            all.push(self.run(set)?);
        }
        let [first, others @ ..] = all.as_slice() else { return None };
        match first {
            Answer::Failed(failure) => {
                let always = others.iter().all(|answer| answer == first) && (is_fixed || self.is_sure(failure));
                Some(self.failed(failure, always))
            }
            Answer::Done { json: JsonVariable::Text(text) } => {
                let texts = others.iter().map(|answer| match answer {
                    Answer::Done { json: JsonVariable::Text(text) } if !is_json(text) => Some(text),
                    _ => None,
                });
                let texts: Option<Vec<&String>> = texts.collect();
                let other = texts?.first().map_or_else(|| text.clone(), |other| (*other).clone());
                Some(Evaluation::Text { text: text.clone(), other, is_plain: false })
            }
            Answer::Done { json: JsonVariable::Other(kind) } => {
                let is_other = |answer: &Answer| matches!(answer, Answer::Done { json: JsonVariable::Other(_) });
                others.iter().all(is_other).then(|| Evaluation::NoText(kind.clone()))
            }
            Answer::Done { json: JsonVariable::Unset } => {
                let is_always = !self.request.has_condition && others.iter().all(|answer| answer == first);
                is_always.then_some(Evaluation::Unset)
            }
        }
    }

    /// Whether a failure that came with every set of values comes with any.
    fn is_sure(&mut self, failure: &ScriptFailure) -> bool {
        let place =
            failure.line.zip(failure.column).and_then(|(line, column)| offset(self.request.script, line, column));
        let uses = self.request.sure_uses;
        let found = place.and_then(|place| uses.binary_search_by_key(&place, |found| found.start).ok());
        let Some(found) = found.and_then(|index| uses.get(index)) else { return false };
        if found.is_constant || !found.is_straight {
            return found.is_constant;
        }
        let opaque = self.opaque();
        // The line before the script is ours.
        let same = ScriptFailure { line: failure.line.map(|line| line + 1), ..failure.clone() };
        self.run_with(&opaque, Set::First) == Some(Answer::Failed(same))
    }

    /// Whether the script only passes on what only an order knows.
    fn is_plain(&mut self) -> bool {
        if self.request.has_condition {
            return false;
        }
        // What is joined to a text shows nothing yet: the script does not look into texts.
        let opaque = self.opaque().replacen("if(name!=='toJSON')", JOINS, 1);
        matches!(self.run_with(&opaque, Set::First), Some(Answer::Done { json: JsonVariable::Text(_) }))
    }

    fn opaque(&self) -> String {
        opaque(self.request.parameters.iter().filter(|(_, value)| !value.is_text()).map(|(name, _)| *name))
    }

    fn failed(&self, failure: &ScriptFailure, always: bool) -> Evaluation {
        let is_told = matches!(
            failure.kind,
            FailureKind::Thrown | FailureKind::TimeLimit | FailureKind::MemoryLimit | FailureKind::StackLimit
        );
        // What stands in for the host may be what the script fails on.
        if !is_told || !self.request.hosts.is_empty() {
            return Evaluation::NotKnown;
        }
        let mut open = self.request.parameters.iter().enumerate().filter(|(_, (_, value))| !value.is_text());
        let example =
            open.next().map(|(index, (name, value))| ((*name).to_owned(), value.value(Set::First, index, name)));
        Evaluation::Failed { failure: failure.clone(), always, example }
    }

    /// Runs the script on one set of values. None when that gives nothing to go by.
    fn run(&mut self, set: Set) -> Option<Answer> {
        self.run_with("", set)
    }

    fn run_with(&mut self, before_script: &str, set: Set) -> Option<Answer> {
        let variables = self
            .request
            .parameters
            .iter()
            .enumerate()
            .map(|(index, (name, value))| ((*name).to_owned(), value.value(set, index, name)));
        let job = Job {
            script: format!("{before_script}{}", self.request.script),
            variables: variables.collect(),
            hosts: self.request.hosts.iter().map(|name| (*name).to_owned()).collect(),
            now_ms: NOW_MS,
            seed: 1,
            seconds: SECONDS,
        };
        let spent = Duration::from_micros(self.evaluator.spent.load(Ordering::Relaxed));
        if spent > BUDGET {
            self.evaluator.give_up(format!(
                "scripts have run for {} s; the others are not run, so less is known of them",
                BUDGET.as_secs()
            ));
            return None;
        }
        let started = Instant::now();
        let answer = self.sandbox.as_mut()?.run(&job);
        let took = started.elapsed();
        self.evaluator.spent.fetch_add(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Ordering::Relaxed);
        match answer {
            // Stopped by the clock, not by the count of its steps: it may be the machine that is slow.
            Ok(Answer::Failed(failure)) if failure.kind == FailureKind::TimeLimit && took.as_secs_f64() >= SECONDS => {
                None
            }
            Ok(answer) => Some(answer),
            Err(error) => {
                self.evaluator.give_up(format!("the scripts of Code activities are not run: {error}"));
                self.sandbox = None;
                None
            }
        }
    }
}

/// Lets what [`opaque`] gives be joined to a text.
const JOINS: &str = "if(name===Symbol.toPrimitive)return function(){return 'joined'};if(name!=='toJSON')";

/// A line that puts something in the place of parameters that can be passed on, and nothing else: a
/// script that looks into it fails.
fn opaque<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const TRAPS: &str = r#"["set","has","apply","construct","ownKeys","getOwnPropertyDescriptor","defineProperty","deleteProperty","getPrototypeOf","setPrototypeOf","isExtensible","preventExtensions"]"#;
    let names = serde_json::Value::from(names.collect::<Vec<_>>());
    format!(
        "(function(){{function fail(){{throw new Error('opaque')}}var traps={{get:function(target,name){{if(name!=='toJSON')\
         fail()}}}};{TRAPS}.forEach(function(name){{traps[name]=fail}});{names}.forEach(function(name){{globalThis[name]=\
         new Proxy(function(){{}},traps)}})}})();\n"
    )
}

/// Whether a text is JSON, however deep, and whatever its strings hold.
fn is_json(text: &str) -> bool {
    let read = Document::parse(text, Limits::default());
    read.err().is_none_or(|error| !matches!(error.kind, SyntaxErrorKind::Unexpected(_)))
}
