//! The runs of one script on its sets of values.

use std::ops::ControlFlow;

use super::outcome::{Ending, Evaluation, Run, RunValue, Stopped};
use super::quotation_marks::{looks_like_json, quoted, unescaped};
use super::request::{EvaluationRequest, ScriptInput, ScriptParameter};
use super::sample_sets::{SampleSet, all_sets, first_set};
use super::sample_values::Root;
use super::traced_run::{TracedRun, Tracer};
use crate::script::sandbox::{Answer, FailureKind, Sandbox, SandboxError};
use crate::script::syntax::SiteKind;

/// After as many runs that exceed the limit of steps a script is not run again.
const MAX_ENDLESS_RUNS: usize = 2;

/// At most this many runs on values with quotation marks.
const MAX_QUOTED: usize = 24;

/// The texts of all runs together, in bytes.
const MAX_TEXT_BYTES: usize = 2 << 20;

/// Objects of the host whose functions return nothing, as ours do (Console Standard, section 1).
const SILENT_HOSTS: &[&str] = &["console"];

/// The runs so far.
#[derive(Default)]
struct Series {
    found: Evaluation,
    /// The sets on which the script joined JSON.
    joining: Vec<SampleSet>,
    /// Runs that exceed the limit of steps.
    endless: usize,
    /// The texts of all runs together.
    bytes: usize,
}

pub(super) struct ScriptRuns<'r, 's> {
    request: &'r EvaluationRequest<'r>,
    tracer: Tracer<'r, 's>,
}

impl<'r, 's> ScriptRuns<'r, 's> {
    pub fn new(request: &'r EvaluationRequest<'r>, sandbox: &'s mut Sandbox) -> Self {
        Self { request, tracer: Tracer::new(request, sandbox) }
    }

    pub fn evaluate(&mut self) -> Result<Evaluation, SandboxError> {
        let (parameters, root) = self.explore()?;
        let request = EvaluationRequest { parameters, ..self.request.clone() };
        let mut series = Series::default();
        for set in all_sets(&request, root) {
            // Guesses stop nothing: what is left is for the other sets.
            if set.is_guess && self.has_used_half(&series) {
                continue;
            }
            if self.add(&request, set, &mut series)?.is_break() {
                return Ok(Evaluation { polls: self.tracer.polls, ..series.found });
            }
        }
        self.add_quoted(&request, &mut series)?;
        Ok(Evaluation { polls: self.tracer.polls, ..series.found })
    }

    /// Whether half of what the script may take is used.
    fn has_used_half(&self, series: &Series) -> bool {
        series.bytes > MAX_TEXT_BYTES / 2 || self.tracer.polls > self.request.limits.polls_of_run() / 2
    }

    /// Adds a run. Breaks if the script is not to be run again.
    fn add(
        &mut self,
        request: &EvaluationRequest<'_>,
        set: SampleSet,
        series: &mut Series,
    ) -> Result<ControlFlow<()>, SandboxError> {
        if self.tracer.is_canceled() {
            return Ok(ControlFlow::Break(()));
        }
        let TracedRun { ending, by_job, was_killed } = self.tracer.run(request, &set)?;
        match &ending {
            Ending::Text { text, .. } => series.bytes += text.len(),
            Ending::Failed(failure) if failure.kind == FailureKind::TimeLimit => series.endless += 1,
            Ending::Failed(failure) if failure.kind == FailureKind::InputTooLarge => {
                series.found = Evaluation::stopped(Stopped::Size);
                return Ok(ControlFlow::Break(()));
            }
            // The engine does not know some syntax, or could not be set up: the script is not at fault.
            Ending::Failed(failure) if matches!(failure.kind, FailureKind::Syntax | FailureKind::Setup) => {
                series.found = Evaluation::default();
                return Ok(ControlFlow::Break(()));
            }
            _ => {}
        }
        if self.is_joined(&ending, &set) {
            series.joining.push(set.clone());
        }
        // With objects of the host the reason of a failure may be that ours do nothing.
        let says_nothing = set.is_guess || request.hosts.iter().any(|host| !SILENT_HOSTS.contains(host));
        if !says_nothing || !matches!(ending, Ending::Failed(_)) {
            series.found.runs.push(Run { by_job, ..run_of(request, set, ending) });
        }
        series.found.stopped = if series.bytes > MAX_TEXT_BYTES {
            Some(Stopped::Size)
        } else if was_killed
            || series.endless == MAX_ENDLESS_RUNS
            || self.tracer.polls > self.request.limits.polls_of_service()
        {
            Some(Stopped::Cost)
        } else {
            None
        };
        Ok(if series.found.stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Finds out whether the script escapes quotation marks where it joins JSON.
    fn add_quoted(&mut self, request: &EvaluationRequest<'_>, series: &mut Series) -> Result<(), SandboxError> {
        let all: Vec<usize> = request.open_parameters().map(|(index, _)| index).collect();
        let mut runs_left = MAX_QUOTED;
        for set in std::mem::take(&mut series.joining) {
            // The script may refuse the value of one parameter, and then shows nothing of the others.
            let each = all.iter().copied().map(Some).filter(|_| all.len() > 1);
            for only in std::iter::once(None).chain(each) {
                let Some(quoted) = quoted(request, &set, only) else { continue };
                let is_done = runs_left == 0 || series.found.unescaped.len() == all.len();
                if is_done || self.has_used_half(series) || self.tracer.is_canceled() {
                    return Ok(());
                }
                runs_left -= 1;
                let ending = self.tracer.run(request, &quoted)?.ending;
                let is_joined = self.is_joined(&ending, &quoted);
                if let Ending::Text { text, .. } = ending
                    && is_joined
                {
                    series.found.unescaped.extend(unescaped(request, &text).map(str::to_owned));
                }
                if only.is_none() && is_joined {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Whether a run ends with JSON that neither a call of `JSON.stringify` returns as a whole, nor is a value of its own.
    fn is_joined(&self, ending: &Ending, set: &SampleSet) -> bool {
        let Ending::Text { text, trace } = ending else { return false };
        let site = trace.as_ref().and_then(|trace| self.request.syntax.sites.get(trace.site?));
        let is_stringified = site.is_some_and(|site| site.kind == SiteKind::Stringify);
        let mut made_up = set.values.iter().filter(|value| value.is_made_up);
        looks_like_json(text) && !is_stringified && !made_up.any(|value| value.text.trim() == text.trim())
    }

    /// Finds out which parameters the script parses as JSON, and what it expects there.
    fn explore(&mut self) -> Result<(Vec<ScriptParameter<'r>>, Root), SandboxError> {
        let hints = &self.request.syntax.hints;
        let mut parameters = self.request.parameters.clone();
        let expected = Root::expected(hints.parsed, &hints.keys);
        let [first, ..] = expected;
        let mut roots = expected.into_iter();
        let mut root = roots.next();
        // A script that parses nothing, or only what the document has, needs no exploration.
        while let Some(tried) = root.filter(|_| hints.parsed.is_some() && !self.request.is_fixed()) {
            let request = EvaluationRequest { parameters: parameters.clone(), ..self.request.clone() };
            let (reply, trace) = self.tracer.marked(&request, &first_set(&request, tried))?;
            let open: Vec<usize> = request.open_parameters().map(|(index, _)| index).collect();
            let mut has_new = false;
            for index in trace.unwrap_or_default().parsed.iter().filter_map(|at| open.get(*at)) {
                if let Some(parameter) = parameters.get_mut(*index).filter(|it| it.input == ScriptInput::Open) {
                    parameter.input = ScriptInput::OpenJson;
                    has_new = true;
                }
            }
            let has_failed = matches!(reply.answer, Answer::Failed(_));
            match (has_new, has_failed) {
                (true, _) => {}
                (false, false) => return Ok((parameters, tried)),
                (false, true) => root = roots.next(),
            }
        }
        Ok((parameters, first))
    }
}

fn run_of(request: &EvaluationRequest<'_>, set: SampleSet, ending: Ending) -> Run {
    let is_guess = set.is_guess;
    let values = request.parameters.iter().zip(set.values).map(|(parameter, value)| RunValue {
        parameter: parameter.name.to_owned(),
        text: value.text,
        is_made_up: value.is_made_up,
        is_json: parameter.input == ScriptInput::OpenJson,
    });
    Run { values: values.collect(), is_guess, by_job: false, ending }
}
