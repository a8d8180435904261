//! One run of a script.

use super::compiling::polls_of_compiling;
use super::derived::Compared;
use super::failing_call::MarkedCalls;
use super::instrument::instrument;
use super::observing::{Shown, observed, observing};
use super::outcome::{Ending, Run, Trace, UNDEFINED};
use super::request::EvaluationRequest;
use super::samples::Sample;
use crate::script::sandbox::{
    Answer, FailureKind, Job, JsonVariable, MAX_SCRIPT_BYTES, Reply, Sandbox, SandboxError, ScriptFailure, Setup,
};
use crate::script::syntax::SiteKind;

/// The clock of scripts: noon of 15 January 2030, UTC.
const NOW_MS: i64 = 1_894_708_800_000;

/// The end of a run, and its observations.
pub(super) struct Observed {
    pub ending: Ending,
    pub compared: Vec<Compared>,
    /// Whether a lookup found nothing.
    pub has_missed: bool,
    /// Whether its process was killed, because the engine did not poll.
    pub was_killed: bool,
}

/// Runs one script, and counts what that takes.
pub(super) struct Runner<'r, 's> {
    request: &'r EvaluationRequest<'r>,
    sandbox: &'s mut Sandbox,
    /// The script with marks, and the name of the function that marks; `None` if that is too long.
    marked: Option<(String, String)>,
    /// What compiling the script costs in each run, which the engine does not count.
    polls_of_compiling: u32,
    polls: u32,
}

impl<'r, 's> Runner<'r, 's> {
    pub fn new(request: &'r EvaluationRequest<'r>, sandbox: &'s mut Sandbox) -> Self {
        let marked =
            Some(instrument(request.script, request.syntax)).filter(|(script, _)| script.len() <= MAX_SCRIPT_BYTES);
        Self { request, sandbox, marked, polls_of_compiling: polls_of_compiling(request.script), polls: 0 }
    }

    /// The polls of all runs so far, with those that compiling took.
    pub const fn polls(&self) -> u32 {
        self.polls
    }

    pub fn is_canceled(&self) -> bool {
        self.sandbox.cancellation.is_canceled()
    }

    /// Runs the script on a sample.
    ///
    /// # Errors
    /// When no process can be started, as with all methods here.
    pub fn run(&mut self, request: &EvaluationRequest<'_>, sample: &Sample) -> Result<Observed, SandboxError> {
        let marked = self.marked(request, sample)?;
        let is_at_limit = matches!(&marked.answer, Answer::Failed(failure) if failure.kind == FailureKind::TimeLimit);
        let was_killed = is_at_limit && marked.took.as_secs_f64() >= self.request.limits.seconds();
        let (trace, compared, has_missed) = match observed(&marked) {
            Some(Shown { trace, compared, has_missed }) => (Some(trace), compared, has_missed),
            None => (None, Vec::new(), false),
        };
        let (reply, trace) = match &marked.answer {
            // Without the marks it may end otherwise, and shows the position of the failure.
            Answer::Failed(_) if !was_killed => (self.as_it_is(request, sample)?, None),
            _ => (marked, trace),
        };
        let ending = match reply.answer {
            Answer::Done { json: JsonVariable::Text(text) } => Ending::Text { text, trace },
            Answer::Done { json: JsonVariable::Other(kind) } => Ending::NoText(kind),
            // A value was assigned, and is undefined.
            Answer::Done { json: JsonVariable::Unset } if self.assigns(trace.as_ref()) => {
                Ending::NoText(UNDEFINED.to_owned())
            }
            Answer::Done { json: JsonVariable::Unset } => Ending::Unset,
            Answer::Failed(failure) => Ending::Failed(failure),
        };
        Ok(Observed { ending, compared, has_missed, was_killed })
    }

    /// The reply of the script with marks, if it is not too long for them.
    pub fn marked(&mut self, request: &EvaluationRequest<'_>, sample: &Sample) -> Result<Reply, SandboxError> {
        let Some((script, mark)) = &self.marked else { return self.as_it_is(request, sample) };
        let setup = observing(request, sample, mark);
        let job = Job { setup: Some(setup), ..job(request, script, sample.texts()) };
        self.counted(&job)
    }

    fn as_it_is(&mut self, request: &EvaluationRequest<'_>, sample: &Sample) -> Result<Reply, SandboxError> {
        self.counted(&job(request, request.script, sample.texts()))
    }

    /// The answer of the script after a setup.
    pub fn run_with(
        &mut self,
        request: &EvaluationRequest<'_>,
        setup: Setup,
        values: &[&str],
        max_polls: u32,
    ) -> Result<Answer, SandboxError> {
        let values = values.iter().copied();
        let job = Job { setup: Some(setup), max_polls: Some(max_polls), ..job(request, request.script, values) };
        Ok(self.counted(&job)?.answer)
    }

    /// Line and column of what a run calls in vain, if its failure is that.
    pub fn failing_call(
        &mut self,
        request: &EvaluationRequest<'_>,
        run: &Run,
        failure: &ScriptFailure,
    ) -> Result<Option<(u32, u32)>, SandboxError> {
        let Some(marked) = MarkedCalls::of(request.script, failure) else { return Ok(None) };
        let mut job = job(request, &marked.script, run.values.iter().map(|value| value.text.as_str()));
        job.variables.push((marked.variable.clone(), String::new()));
        let Answer::Failed(found) = self.counted(&job)?.answer else { return Ok(None) };
        Ok(marked.callee(request.script, &found).filter(|_| found.message == failure.message))
    }

    /// Whether a run assigns `Json`.
    fn assigns(&self, trace: Option<&Trace>) -> bool {
        let kind = |site: &usize| self.request.syntax.sites.get(*site).map(|site| &site.kind);
        trace.is_some_and(|trace| trace.passed.iter().any(|site| kind(site) == Some(&SiteKind::Result)))
    }

    fn counted(&mut self, job: &Job) -> Result<Reply, SandboxError> {
        let reply = self.sandbox.run_counted(job)?;
        self.polls = self.polls.saturating_add(reply.polls).saturating_add(self.polls_of_compiling);
        Ok(reply)
    }
}

fn job<'v>(request: &EvaluationRequest<'_>, script: &str, values: impl Iterator<Item = &'v str>) -> Job {
    let names = request.parameters.iter().map(|parameter| parameter.name.to_owned());
    Job {
        script: script.to_owned(),
        variables: names.zip(values.map(str::to_owned)).collect(),
        hosts: request.hosts.iter().map(|name| (*name).to_owned()).collect(),
        setup: None,
        now_ms: NOW_MS,
        seed: 1,
        seconds: request.limits.seconds(),
        max_polls: None,
    }
}
