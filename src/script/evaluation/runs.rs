//! The runs of one script.

use super::instrument::instrument;
use super::json_sample::Root;
use super::outcome::{Ending, Evaluation, Run, RunValue, Stopped, Trace};
use super::request::{EvaluationRequest, ScriptInput, ScriptLimits, ScriptParameter};
use super::samples::{Sample, SampleValue, Samples};
use crate::script::sandbox::{
    Answer, FailureKind, Job, JsonVariable, MAX_SCRIPT_BYTES, Reply, Sandbox, SandboxError, Setup, polls_of,
};
use crate::script::syntax::SiteKind;

const TRACE: &str = include_str!("trace.js");

/// The clock of scripts: noon of 15 January 2030, UTC.
const NOW_MS: i64 = 1_894_708_800_000;

/// All scripts of a service together may take as many times the steps of one.
const SCRIPTS_PER_SERVICE: u32 = 5;

/// After as many runs that exceed the limit of steps a script is not run again.
const MAX_ENDLESS_RUNS: usize = 2;

/// The texts of all runs together, in bytes.
const MAX_TEXT_BYTES: usize = 2 << 20;

impl ScriptLimits {
    /// The polls of one run.
    fn polls_of_run(self) -> u32 {
        polls_of(self.seconds())
    }

    /// The polls of all scripts of a service.
    pub fn polls_of_service(self) -> u32 {
        self.polls_of_run().saturating_mul(SCRIPTS_PER_SERVICE)
    }
}

pub(super) struct Runs<'r, 's> {
    request: &'r EvaluationRequest<'r>,
    sandbox: &'s mut Sandbox,
    /// The script with marks, and the name of the function that marks; `None` if that is too long.
    marked: Option<(String, String)>,
    polls: u32,
}

impl<'r, 's> Runs<'r, 's> {
    pub fn new(request: &'r EvaluationRequest<'r>, sandbox: &'s mut Sandbox) -> Self {
        let sites = &request.syntax.sites;
        let marked = Some(instrument(request.script, sites)).filter(|(script, _)| script.len() <= MAX_SCRIPT_BYTES);
        Self { request, sandbox, marked, polls: 0 }
    }

    /// # Errors
    /// When no process can be started.
    pub fn evaluate(&mut self) -> Result<Evaluation, SandboxError> {
        if self.request.script.len() > MAX_SCRIPT_BYTES {
            return Ok(Evaluation::stopped(Stopped::Size));
        }
        let (inputs, root) = self.explore()?;
        let request = EvaluationRequest { parameters: inputs, ..self.request.clone() };
        let mut found = Evaluation::default();
        let (mut endless, mut bytes) = (0, 0);
        for sample in Samples::all(&request, root) {
            if self.sandbox.cancellation.is_canceled() {
                break;
            }
            // Guesses stop nothing: what is left is for the other sets.
            if sample.is_guess && (bytes > MAX_TEXT_BYTES / 2 || self.polls > self.request.limits.polls_of_run() / 2) {
                continue;
            }
            let (ending, was_killed) = self.run(&request, &sample)?;
            match &ending {
                Ending::Text { text, .. } => bytes += text.len(),
                Ending::Failed(failure) if failure.kind == FailureKind::TimeLimit => endless += 1,
                Ending::Failed(failure) if failure.kind == FailureKind::InputTooLarge => {
                    return Ok(Evaluation { polls: self.polls, ..Evaluation::stopped(Stopped::Size) });
                }
                // The engine does not know some syntax, or could not be set up: that is no fault of the script.
                Ending::Failed(failure) if matches!(failure.kind, FailureKind::Syntax | FailureKind::Setup) => {
                    return Ok(Evaluation { polls: self.polls, ..Evaluation::default() });
                }
                _ => {}
            }
            // With objects of the host the reason of a failure may be that ours do nothing.
            let says_nothing = !request.hosts.is_empty() || sample.is_guess;
            if !says_nothing || !matches!(ending, Ending::Failed(_)) {
                found.runs.push(run_of(&request, sample, ending));
            }
            found.stopped = if bytes > MAX_TEXT_BYTES {
                Some(Stopped::Size)
            } else if was_killed || endless == MAX_ENDLESS_RUNS || self.polls > self.request.limits.polls_of_service() {
                Some(Stopped::Cost)
            } else {
                None
            };
            if found.stopped.is_some() {
                break;
            }
        }
        found.polls = self.polls;
        Ok(found)
    }

    /// Finds out which parameters the script parses as JSON, and what it expects there.
    fn explore(&mut self) -> Result<(Vec<ScriptParameter<'r>>, Root), SandboxError> {
        let clues = self.request.syntax.clues();
        let mut parameters = self.request.parameters.clone();
        let [first, second, third] = Root::expected(clues.parsed, &clues.keys);
        let mut roots = [first, second, third].into_iter();
        let mut root = roots.next();
        // A script that parses nothing, or only what the document has, needs no exploration.
        while let Some(tried) = root.filter(|_| clues.parsed.is_some() && !self.request.is_fixed()) {
            let request = EvaluationRequest { parameters: parameters.clone(), ..self.request.clone() };
            let reply = self.reply(&request, &Samples::first(&request, tried), true)?;
            let parsed = trace(&reply).unwrap_or_default().parsed;
            let open: Vec<usize> = request.open_parameters().map(|(index, _)| index).collect();
            let parsed = parsed.iter().filter_map(|at| open.get(*at).copied());
            let mut has_new = false;
            for index in parsed {
                if let Some(parameter) = parameters.get_mut(index).filter(|it| it.input == ScriptInput::Open) {
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

    /// How a run ends, and whether its process was killed, because the engine did not poll.
    fn run(&mut self, request: &EvaluationRequest<'_>, sample: &Sample) -> Result<(Ending, bool), SandboxError> {
        let marked = self.reply(request, sample, true)?;
        let is_at_limit = matches!(&marked.answer, Answer::Failed(failure) if failure.kind == FailureKind::TimeLimit);
        let was_killed = is_at_limit && marked.took.as_secs_f64() >= self.request.limits.seconds();
        let reply = match &marked.answer {
            // Without the marks it may end otherwise, and shows the position of the failure.
            Answer::Failed(_) if !was_killed => self.reply(request, sample, false)?,
            _ => marked,
        };
        let trace = trace(&reply);
        let ending = match reply.answer {
            Answer::Done { json: JsonVariable::Text(text) } => Ending::Text { text, trace },
            Answer::Done { json: JsonVariable::Other(kind) } => Ending::NoText(kind),
            Answer::Done { json: JsonVariable::Unset } => Ending::Unset,
            Answer::Failed(failure) => Ending::Failed(failure),
        };
        Ok((ending, was_killed))
    }

    fn reply(
        &mut self,
        request: &EvaluationRequest<'_>,
        sample: &Sample,
        is_marked: bool,
    ) -> Result<Reply, SandboxError> {
        let names = request.parameters.iter().map(|parameter| parameter.name.to_owned());
        let marked = self.marked.as_ref().filter(|_| is_marked);
        let job = Job {
            script: marked.map_or_else(|| request.script.to_owned(), |(script, _)| script.clone()),
            variables: names.zip(sample.values.iter().map(|value| value.text.clone())).collect(),
            hosts: request.hosts.iter().map(|name| (*name).to_owned()).collect(),
            setup: marked.map(|(_, mark)| observing(request, sample, mark)),
            now_ms: NOW_MS,
            seed: 1,
            seconds: request.limits.seconds(),
            max_polls: None,
        };
        let reply = self.sandbox.run_counted(&job)?;
        self.polls = self.polls.saturating_add(reply.polls);
        Ok(reply)
    }
}

/// The setup that observes a run.
fn observing(request: &EvaluationRequest<'_>, sample: &Sample, mark: &str) -> Setup {
    let sites = request.syntax.sites.iter().map(|site| match &site.kind {
        SiteKind::Object(_) | SiteKind::Array(_) => serde_json::Value::from(0),
        SiteKind::Stringify => serde_json::Value::from(1),
        SiteKind::Result => serde_json::Value::from(2),
        SiteKind::Target(property) => serde_json::Value::from(property.name.as_str()),
    });
    let sites: Vec<_> = sites.collect();
    let made_up = request.open_parameters().map(|(index, _)| match sample.values.get(index) {
        Some(SampleValue { text, is_made_up: true }) => text.as_str(),
        _ => "",
    });
    let made_up: Vec<&str> = made_up.collect();
    let argument = serde_json::json!({ "mark": mark, "sites": sites, "samples": made_up }).to_string();
    Setup { function: TRACE.to_owned(), argument }
}

fn trace(reply: &Reply) -> Option<Trace> {
    serde_json::from_str(reply.observed.as_deref()?).ok()
}

fn run_of(request: &EvaluationRequest<'_>, sample: Sample, ending: Ending) -> Run {
    let values = request.parameters.iter().zip(sample.values).map(|(parameter, value)| RunValue {
        parameter: parameter.name.to_owned(),
        text: value.text,
        is_made_up: value.is_made_up,
        is_json: parameter.input == ScriptInput::OpenJson,
    });
    Run { values: values.collect(), is_plausible: sample.is_plausible, ending }
}
