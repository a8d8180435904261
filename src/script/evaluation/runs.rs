//! The runs of one script, and what follows from comparing them.
//!
//! A script is run once for each set of generated values. What is the same in all runs is taken to hold
//! for all values. For a failure that is not enough: some value that was not tried may avoid it, so
//! the position of the failure must also show that it does not depend on the values.

use std::time::{Duration, Instant};

use super::budget::Budget;
use super::outcome::{Evaluation, Example};
use super::probe::{Concatenation, probe};
use super::request::EvaluationRequest;
use super::values::ValueSet;
use crate::document::{Document, Limits, SyntaxErrorKind};
use crate::script::sandbox::{Answer, FailureKind, Job, JsonVariable, Sandbox, ScriptFailure, Setup};
use crate::script::syntax::offset;

/// The time limit of one run.
const TIME_LIMIT: Duration = Duration::from_secs(1);

/// The clock of scripts: noon of 15 January 2030, UTC.
const NOW_MS: i64 = 1_894_708_800_000;

pub(super) struct Runs<'r> {
    pub request: &'r EvaluationRequest<'r>,
    pub budget: &'r Budget,
    /// `None` after it could not start a process.
    pub sandbox: Option<Sandbox>,
}

impl Runs<'_> {
    pub fn evaluate(&mut self) -> Evaluation {
        self.compare().unwrap_or(Evaluation::Unknown)
    }

    /// `None` when a run shows nothing, or the runs differ in kind.
    fn compare(&mut self) -> Option<Evaluation> {
        let first = self.run(ValueSet::First)?;
        if let Answer::Done { json: JsonVariable::Text(text) } = &first
            && is_json(text)
        {
            return self.compare_json(text);
        }
        // With fixed parameters every run would be the same.
        let sets: &[ValueSet] = if self.request.is_fixed() { &[] } else { &ValueSet::OTHERS };
        let others: Vec<Answer> = sets.iter().map(|&set| self.run(set)).collect::<Option<_>>()?;
        let is_same_in_all = others.iter().all(|answer| *answer == first);
        match first {
            Answer::Failed(failure) => {
                let always = is_same_in_all && (self.request.is_fixed() || self.is_definite(&failure));
                Some(self.failed(failure, always))
            }
            Answer::Done { json: JsonVariable::Text(text) } => {
                // Not JSON. It is reported only if it is not JSON for any values.
                let texts = others.iter().map(|answer| match answer {
                    Answer::Done { json: JsonVariable::Text(text) } if !is_json(text) => Some(text),
                    _ => None,
                });
                let texts: Vec<&String> = texts.collect::<Option<_>>()?;
                let other = texts.first().map_or_else(|| text.clone(), |other| (*other).clone());
                Some(Evaluation::Text { text, other, forwards_parameters: false })
            }
            Answer::Done { json: JsonVariable::Other(kind) } => {
                let is_other = |answer: &Answer| matches!(answer, Answer::Done { json: JsonVariable::Other(_) });
                others.iter().all(is_other).then_some(Evaluation::NoText(kind))
            }
            Answer::Done { json: JsonVariable::Unset } => {
                let is_always = is_same_in_all && !self.request.syntax.has_condition;
                is_always.then_some(Evaluation::Unset)
            }
        }
    }

    /// For a script that builds JSON two runs suffice: where their results differ, a value made the
    /// difference.
    fn compare_json(&mut self, text: &str) -> Option<Evaluation> {
        let is_fixed = self.request.is_fixed();
        let other = if is_fixed {
            text.to_owned()
        } else {
            let Answer::Done { json: JsonVariable::Text(other) } = self.run(ValueSet::Second)? else { return None };
            other
        };
        let forwards_parameters = is_fixed || self.forwards_parameters();
        Some(Evaluation::Text { text: text.to_owned(), other, forwards_parameters })
    }

    /// Whether a failure that occurred with every set of values occurs with all values.
    fn is_definite(&mut self, failure: &ScriptFailure) -> bool {
        let start =
            failure.line.zip(failure.column).and_then(|(line, column)| offset(self.request.script, line, column));
        let uses = &self.request.syntax.definite_uses;
        let found = start.and_then(|start| uses.binary_search_by_key(&start, |found| found.start).ok());
        // The failing expression may not be reached with other values.
        let Some(found) = found.and_then(|index| uses.get(index)) else { return false };
        if found.is_constant {
            return true;
        }
        if !found.precedes_conditions {
            return false;
        }
        // It is reached in every run, on a computed value. The same failure with probes shows that the
        // script has not inspected its parameters before.
        let setup = self.probe(Concatenation::Fails);
        self.run_with(Some(setup), ValueSet::First).is_some_and(|answer| answer == Answer::Failed(failure.clone()))
    }

    /// Whether the script only passes its open parameters on.
    fn forwards_parameters(&mut self) -> bool {
        // Text that contains a parameter can be inspected like the parameter itself, but the probe is
        // lost in it. That a script without conditions inspects no text allows concatenation here.
        if self.request.syntax.has_condition {
            return false;
        }
        let setup = self.probe(Concatenation::Allowed);
        let answer = self.run_with(Some(setup), ValueSet::First);
        matches!(answer, Some(Answer::Done { json: JsonVariable::Text(_) }))
    }

    fn probe(&self, concatenation: Concatenation) -> Setup {
        probe(self.request.open_parameters().map(|(_, parameter)| parameter.name), concatenation)
    }

    fn failed(&self, failure: ScriptFailure, always: bool) -> Evaluation {
        let is_of_script = matches!(
            failure.kind,
            FailureKind::Thrown | FailureKind::TimeLimit | FailureKind::MemoryLimit | FailureKind::StackLimit
        );
        // With objects of the host the reason may be that ours do nothing.
        if !is_of_script || !self.request.hosts.is_empty() {
            return Evaluation::Unknown;
        }
        let example = self.request.open_parameters().next().map(|(index, parameter)| Example {
            parameter: parameter.name.to_owned(),
            value: parameter.value(ValueSet::First, index),
        });
        Evaluation::Failed { failure, always, example }
    }

    /// Runs the script on one set of values. `None` when that shows nothing.
    fn run(&mut self, set: ValueSet) -> Option<Answer> {
        self.run_with(None, set)
    }

    fn run_with(&mut self, setup: Option<Setup>, set: ValueSet) -> Option<Answer> {
        if !self.budget.allows_run() {
            return None;
        }
        let job = Job {
            script: self.request.script.to_owned(),
            variables: self.request.variables(set),
            hosts: self.request.hosts.iter().map(|name| (*name).to_owned()).collect(),
            setup,
            now_ms: NOW_MS,
            seed: 1,
            seconds: TIME_LIMIT.as_secs_f64(),
            max_polls: None,
        };
        let started = Instant::now();
        let answer = self.sandbox.as_mut()?.run(&job);
        let took = started.elapsed();
        self.budget.spend(took);
        match answer {
            Ok(Answer::Failed(failure)) => {
                debug_assert_ne!(failure.kind, FailureKind::Setup, "{}", failure.message);
                // Killed at the deadline, not stopped by the count of its steps: the reason may be a
                // slow machine, and a finding must not depend on that.
                let is_deadline = failure.kind == FailureKind::TimeLimit && took >= TIME_LIMIT;
                (!is_deadline).then_some(Answer::Failed(failure))
            }
            Ok(answer) => Some(answer),
            Err(error) => {
                self.budget.stop(format!("scripts of Code activities were not run: {error}"));
                self.sandbox = None;
                None
            }
        }
    }
}

/// Whether a string is JSON, at any depth, and also with lone surrogates in its strings.
fn is_json(text: &str) -> bool {
    let parsed = Document::parse(text, Limits::default());
    parsed.err().is_none_or(|error| !matches!(error.kind, SyntaxErrorKind::Unexpected(_)))
}
