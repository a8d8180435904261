//! The runs of one script.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::certain::{MAX_POLLS, certain};
use super::derived::{Compared, Derivation};
use super::fragments::{is_passed_on, outside_strings, with_fragments};
use super::json_sample::Root;
use super::observing::observed;
use super::outcome::{Ending, Evaluation, Run, RunValue, Stopped};
use super::quoted::{escaped, quoted, unescaped};
use super::request::{EvaluationRequest, ScriptInput, ScriptLimits, ScriptParameter};
use super::runner::{Observed, Runner};
use super::samples::{PLAIN_SETS, Sample, Samples};
use super::stand_ins::StandIns;
use crate::script::sandbox::{Answer, FailureKind, Sandbox, SandboxError, polls_of};
use crate::script::syntax::SiteKind;

/// All scripts of a service together may take as many times the steps of one.
const SCRIPTS_PER_SERVICE: u32 = 5;

/// After as many runs that exceed the limit of steps a script is not run again.
const MAX_ENDLESS_RUNS: usize = 2;

/// At most this many runs on values with quotation marks.
const MAX_QUOTED: usize = 24;

/// The texts of all runs together, in bytes.
const MAX_TEXT_BYTES: usize = 2 << 20;

/// Objects of the host whose functions return nothing, as ours do (Console Standard, section 1).
const SILENT_HOSTS: &[&str] = &["console"];

/// The observations of one run.
struct Seen {
    sample: Sample,
    compared: Vec<Compared>,
    joins_json: bool,
    /// The parameters that the text has outside of JSON strings, unless `JSON.stringify` has made it.
    outside_strings: BTreeSet<usize>,
}

/// The runs so far.
#[derive(Default)]
struct Series {
    found: Evaluation,
    observed: Vec<Seen>,
    /// Runs that exceed the limit of steps.
    endless: usize,
    /// Whether in some run a lookup found nothing.
    has_missed: bool,
    /// The texts of all runs together.
    bytes: usize,
}

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
    /// Those of the request, if it has some.
    stand_ins: Option<&'r StandIns<'r>>,
    runner: Runner<'r, 's>,
}

impl<'r, 's> Runs<'r, 's> {
    pub fn new(
        request: &'r EvaluationRequest<'r>,
        stand_ins: Option<&'r StandIns<'r>>,
        sandbox: &'s mut Sandbox,
    ) -> Self {
        Self { request, stand_ins, runner: Runner::new(request, sandbox) }
    }

    /// # Errors
    /// When no process can be started.
    pub fn evaluate(&mut self) -> Result<Evaluation, SandboxError> {
        let (inputs, root) = self.explore()?;
        let request = EvaluationRequest { parameters: inputs, ..self.request.clone() };
        let mut series = Series::default();
        self.add_all(&request, root, &mut series)?;
        let certain = certain(&request, root, &series.found, series.has_missed, |setup, values| {
            self.runner.run_with(&request, setup, values, MAX_POLLS)
        })?;
        let polls = self.runner.polls();
        let is_general = !self.has_used_half(&series) && self.is_general(&request, &series.found)?;
        let mut found = Evaluation { certain, polls, is_general, ..series.found };
        self.correct_position(&request, &mut found)?;
        Ok(found)
    }

    /// Replaces the position of the failure that is shown, and of equal ones, if the engine reports another call.
    fn correct_position(
        &mut self,
        request: &EvaluationRequest<'_>,
        found: &mut Evaluation,
    ) -> Result<(), SandboxError> {
        let Some(failing) = found.failing() else { return Ok(()) };
        let wrong = failing.failure.clone();
        let Some((line, column)) = self.runner.failing_call(request, failing.run, &wrong)? else { return Ok(()) };
        for run in &mut found.runs {
            if let Ending::Failed(failure) = &mut run.ending
                && *failure == wrong
            {
                (failure.line, failure.column) = (Some(line), Some(column));
            }
        }
        Ok(())
    }

    /// Whether the script does the same on the second stand-ins as on the first ones, in each run. That the texts are not
    /// too large with these shows it for all values, which are shorter.
    fn is_general(&mut self, request: &EvaluationRequest<'_>, found: &Evaluation) -> Result<bool, SandboxError> {
        // Whether a script always fails was found out on the first stand-ins alone.
        let is_complete = found.stopped.is_none() && !found.always_fails();
        let Some(stand_ins) = self.stand_ins.filter(|_| is_complete) else { return Ok(false) };
        let mut bytes = 0;
        for run in &found.runs {
            let Some(sample) = stand_ins.second_sample(run) else { return Ok(false) };
            let ending = self.runner.run(request, &sample)?.ending;
            if let Ending::Text { text, .. } = &ending {
                bytes += text.len();
            }
            let is_costly = bytes > MAX_TEXT_BYTES || self.runner.polls() > self.request.limits.polls_of_run();
            if is_costly || ending != stand_ins.second_ending(&run.ending) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the script ends as in the runs of an evaluation: in one for each set of sites that they pass.
    pub fn end_as_in(&mut self, evaluation: &Evaluation) -> Result<bool, SandboxError> {
        let mut known = BTreeSet::new();
        for run in &evaluation.runs {
            let passed = match &run.ending {
                Ending::Text { trace: Some(trace), .. } => Some(&trace.passed),
                _ => None,
            };
            if known.insert(passed) && self.runner.run(self.request, &Sample::of(run))?.ending != run.ending {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn add_all(
        &mut self,
        request: &EvaluationRequest<'_>,
        root: Root,
        series: &mut Series,
    ) -> Result<(), SandboxError> {
        for sample in Samples::all(request, root) {
            if self.is_settled(series) {
                return Ok(());
            }
            // Guesses stop nothing: what is left is for the other sets.
            if sample.is_guess && self.has_used_half(series) {
                continue;
            }
            if self.add(request, sample, series)?.is_break() {
                return Ok(());
            }
        }
        self.add_derived(request, series)?;
        self.add_fragments(request, series)?;
        self.add_quoted(request, series)
    }

    /// Whether other values would show nothing new: they take the same path, and none can break the JSON.
    fn is_settled(&self, series: &Series) -> bool {
        let is_serialized =
            |run: &Run| matches!(run.ending, Ending::Text { .. }) && self.joined_text(&run.ending).is_none();
        self.request.syntax.only_combines
            && series.found.runs.len() == PLAIN_SETS
            && series.found.runs.iter().all(is_serialized)
    }

    /// Whether half of what the script may take is used, or all that values may.
    fn has_used_half(&self, series: &Series) -> bool {
        series.observed.len() >= self.request.max_sets()
            || series.bytes > MAX_TEXT_BYTES / 2
            || self.runner.polls() > self.request.limits.polls_of_run() / 2
    }

    /// Adds a run. Breaks if the script is not to be run again.
    fn add(
        &mut self,
        request: &EvaluationRequest<'_>,
        sample: Sample,
        series: &mut Series,
    ) -> Result<ControlFlow<()>, SandboxError> {
        if self.runner.is_canceled() {
            return Ok(ControlFlow::Break(()));
        }
        let Observed { ending, compared, has_missed, was_killed } = self.runner.run(request, &sample)?;
        series.has_missed |= has_missed;
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
        let joined = self.joined_text(&ending).filter(|text| !is_passed_on(&sample, text));
        series.observed.push(Seen {
            sample: sample.clone(),
            compared,
            joins_json: joined.is_some_and(looks_like_json),
            outside_strings: self
                .joined_text(&ending)
                .map(|text| outside_strings(request, &sample, text))
                .unwrap_or_default(),
        });
        // With objects of the host the reason of a failure may be that ours do nothing.
        let says_nothing = request.hosts.iter().any(|host| !SILENT_HOSTS.contains(host)) || sample.is_guess;
        if !says_nothing || !matches!(ending, Ending::Failed(_)) {
            // What a script refuses that its tables lack, an order is not likely to bring.
            let is_refused = has_missed && matches!(&ending, Ending::Failed(failure) if !failure.is_of_engine());
            let sample = Sample { is_plausible: sample.is_plausible && !is_refused, ..sample };
            series.found.runs.push(run_of(request, sample, ending));
        }
        series.found.stopped = if series.bytes > MAX_TEXT_BYTES {
            Some(Stopped::Size)
        } else if was_killed
            || series.endless == MAX_ENDLESS_RUNS
            || self.runner.polls() > self.request.limits.polls_of_service()
        {
            Some(Stopped::Cost)
        } else {
            None
        };
        Ok(if series.found.stopped.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    /// Adds runs on values that make comparisons come out otherwise than in all runs before.
    fn add_derived(&mut self, request: &EvaluationRequest<'_>, series: &mut Series) -> Result<(), SandboxError> {
        let mut derivation = Derivation::new(request);
        for seen in &series.observed {
            derivation.note(&seen.sample, &seen.compared);
        }
        let mut next = 0;
        while let Some(seen) = series.observed.get(next) {
            next += 1;
            for derived in derivation.sets(&seen.sample, &seen.compared) {
                if self.has_used_half(series) || series.endless > 0 {
                    return Ok(());
                }
                // What stops a run on derived values does not take back what the runs before have shown.
                if self.add(request, derived, series)?.is_break() {
                    series.found.stopped = None;
                    return Ok(());
                }
                if let Some(seen) = series.observed.last() {
                    derivation.note(&seen.sample, &seen.compared);
                }
            }
        }
        Ok(())
    }

    /// Adds runs on values that are JSON, for parameters that the script inserts as such.
    fn add_fragments(&mut self, request: &EvaluationRequest<'_>, series: &mut Series) -> Result<(), SandboxError> {
        let inserted: BTreeSet<usize> =
            series.observed.iter().flat_map(|seen| &seen.outside_strings).copied().collect();
        let Some(first) = series.observed.first().map(|seen| seen.sample.clone()) else { return Ok(()) };
        for sample in with_fragments(&first, &inserted) {
            if self.has_used_half(series) || self.runner.is_canceled() {
                break;
            }
            let ending = self.runner.run(request, &sample)?.ending;
            if let Ending::Text { text, .. } = &ending {
                series.bytes += text.len();
                series.found.runs.push(run_of(request, sample, ending));
            }
        }
        Ok(())
    }

    /// Finds out whether the script escapes quotation marks where it joins JSON.
    fn add_quoted(&mut self, request: &EvaluationRequest<'_>, series: &mut Series) -> Result<(), SandboxError> {
        let joining = series.observed.iter().filter(|seen| seen.joins_json);
        let quoted: Vec<Sample> = joining.filter_map(|seen| quoted(request, &seen.sample)).take(MAX_QUOTED).collect();
        for sample in quoted {
            if self.has_used_half(series) || self.runner.is_canceled() {
                break;
            }
            let Ending::Text { text, .. } = self.runner.run(request, &sample)?.ending else { continue };
            if !looks_like_json(&text) {
                continue;
            }
            series.found.unescaped.extend(unescaped(request, &text).map(str::to_owned));
            if series.found.unescaped.len() == request.open_parameters().count() {
                break;
            }
            series.found.escaped.extend(escaped(request, &text).map(str::to_owned));
        }
        Ok(())
    }

    /// The text of a run, unless a call of `JSON.stringify` returns all of it.
    fn joined_text<'e>(&self, ending: &'e Ending) -> Option<&'e str> {
        let Ending::Text { text, trace } = ending else { return None };
        let site = trace.as_ref().and_then(|trace| self.request.syntax.sites.get(trace.site?));
        (!site.is_some_and(|site| site.kind == SiteKind::Stringify)).then_some(text)
    }

    /// Finds out which parameters the script parses as JSON, and what it expects there.
    fn explore(&mut self) -> Result<(Vec<ScriptParameter<'r>>, Root), SandboxError> {
        let clues = self.request.syntax.clues();
        let mut parameters = self.request.parameters.clone();
        let expected = Root::expected(clues.parsed, &clues.keys);
        let [first, ..] = expected;
        let mut roots = expected.into_iter();
        let mut root = roots.next();
        // A script that parses nothing, or only what the document has, needs no exploration.
        while let Some(tried) = root.filter(|_| clues.parsed.is_some() && !self.request.is_fixed()) {
            let request = EvaluationRequest { parameters: parameters.clone(), ..self.request.clone() };
            let reply = self.runner.marked(&request, &Samples::first(&request, tried))?;
            let parsed = observed(&reply).unwrap_or_default().trace.parsed;
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
}

fn looks_like_json(text: &str) -> bool {
    // A script may append to `Json` before it is set.
    text.strip_prefix("undefined").unwrap_or(text).trim_start().starts_with(['{', '[', '"'])
}

fn run_of(request: &EvaluationRequest<'_>, sample: Sample, ending: Ending) -> Run {
    let resplit = match &ending {
        Ending::Text { trace: Some(trace), .. } => trace.resplit.clone(),
        _ => BTreeSet::new(),
    };
    let resplit: Vec<usize> = request
        .open_parameters()
        .map(|(index, _)| index)
        .enumerate()
        .filter_map(|(at, index)| resplit.contains(&at).then_some(index))
        .collect();
    let values = request.parameters.iter().zip(sample.values).enumerate().map(|(index, (parameter, value))| RunValue {
        parameter: parameter.name.to_owned(),
        text: value.text,
        is_made_up: value.is_made_up,
        is_json: parameter.input == ScriptInput::OpenJson,
        is_resplit: resplit.contains(&index),
    });
    Run { values: values.collect(), is_plausible: sample.is_plausible, ending }
}
