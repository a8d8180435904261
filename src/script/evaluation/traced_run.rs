//! One run of a script, in a copy that shows which of its sites the run passes.
//!
//! Each site `x` becomes `mark(3,x)`, on the same line, where `mark` is a function of `trace.js` that returns `x` and 3 is
//! the index of the site. So the script does what it does without the marks; only its columns differ, and for a failure
//! the script itself is run.

use std::fmt::Write;

use super::outcome::{Ending, Trace, UNDEFINED};
use super::request::EvaluationRequest;
use super::sample_sets::{SampleSet, SampleValue};
use crate::common::limits::MAX_SCRIPT_BYTES;
use crate::script::sandbox::{Answer, FailureKind, Job, JsonVariable, Reply, Sandbox, SandboxError, polls_of};
use crate::script::syntax::{Script, Site, SiteKind};

/// The clock of scripts: noon of 15 January 2030, UTC.
const NOW_MS: i64 = 1_894_708_800_000;

/// A run that ended.
pub(super) struct TracedRun {
    pub ending: Ending,
    /// Whether a job of a promise has set `Json`.
    pub by_job: bool,
    /// Whether its process was killed, because the engine did not poll.
    pub was_killed: bool,
}

/// Runs one script, and counts what that takes.
pub(super) struct Tracer<'r, 's> {
    request: &'r EvaluationRequest<'r>,
    sandbox: &'s mut Sandbox,
    /// The script with marks, and the name of the function that marks; `None` if that is too long.
    marked: Option<(String, String)>,
    /// The polls of all runs so far, with those that compiling took.
    pub polls: u32,
}

impl<'r, 's> Tracer<'r, 's> {
    pub fn new(request: &'r EvaluationRequest<'r>, sandbox: &'s mut Sandbox) -> Self {
        let marked = Some(mark(request.script, request.syntax)).filter(|(script, _)| script.len() <= MAX_SCRIPT_BYTES);
        Self { request, sandbox, marked, polls: 0 }
    }

    pub fn is_canceled(&self) -> bool {
        self.sandbox.cancellation.is_canceled()
    }

    /// Runs the script on a set of values.
    pub fn run(&mut self, request: &EvaluationRequest<'_>, set: &SampleSet) -> Result<TracedRun, SandboxError> {
        let (marked, trace) = self.marked(request, set)?;
        let is_at_limit = matches!(&marked.answer, Answer::Failed(failure) if failure.kind == FailureKind::TimeLimit);
        let was_killed = is_at_limit && marked.took.as_secs_f64() >= self.request.limits.seconds();
        let (reply, trace) = match &marked.answer {
            // Without the marks it may end otherwise, and shows the position of the failure.
            Answer::Failed(_) if !was_killed => (self.counted(&job(request, request.script, set))?, None),
            _ => (marked, trace),
        };
        let by_job = matches!(reply.answer, Answer::Done { by_job: true, .. });
        let ending = match reply.answer {
            Answer::Done { json: JsonVariable::Text(text), .. } => Ending::Text { text, trace },
            Answer::Done { json: JsonVariable::Other(kind), .. } => Ending::NoText(kind),
            // A value was assigned, and is undefined.
            Answer::Done { json: JsonVariable::Unset, .. } if self.assigns(trace.as_ref()) => {
                Ending::NoText(UNDEFINED.to_owned())
            }
            Answer::Done { json: JsonVariable::Unset, .. } => Ending::Unset,
            Answer::Failed(failure) => Ending::Failed(failure),
        };
        Ok(TracedRun { ending, by_job, was_killed })
    }

    /// The reply of the script with marks, if it is not too long for them, and what the run has passed.
    pub fn marked(
        &mut self,
        request: &EvaluationRequest<'_>,
        set: &SampleSet,
    ) -> Result<(Reply, Option<Trace>), SandboxError> {
        let job = match &self.marked {
            Some((script, mark)) => Job { trace: Some(tracing(request, set, mark)), ..job(request, script, set) },
            None => job(request, request.script, set),
        };
        let reply = self.counted(&job)?;
        let trace = reply.observed.as_deref().and_then(|observed| serde_json::from_str(observed).ok());
        Ok((reply, trace))
    }

    /// Whether a run assigns `Json`.
    fn assigns(&self, trace: Option<&Trace>) -> bool {
        let kind = |site: &usize| self.request.syntax.sites.get(*site).map(|site| &site.kind);
        trace.is_some_and(|trace| trace.passed.iter().any(|site| kind(site) == Some(&SiteKind::Result)))
    }

    fn counted(&mut self, job: &Job) -> Result<Reply, SandboxError> {
        let reply = self.sandbox.run_counted(job)?;
        self.polls = self.polls.saturating_add(reply.polls).saturating_add(polls_of_compiling(&job.script));
        Ok(reply)
    }
}

fn job(request: &EvaluationRequest<'_>, script: &str, set: &SampleSet) -> Job {
    let names = request.parameters.iter().map(|parameter| parameter.name.to_owned());
    Job {
        script: script.to_owned(),
        variables: names.zip(set.values.iter().map(|value| value.text.clone())).collect(),
        hosts: request.hosts.iter().map(|name| (*name).to_owned()).collect(),
        trace: None,
        now_ms: NOW_MS,
        seed: 1,
        seconds: request.limits.seconds(),
        max_polls: None,
    }
}

/// What a slow machine takes to compile a script, which the engine does not count. That of ordinary scripts is nothing.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn polls_of_compiling(script: &str) -> u32 {
    const BYTES_PER_SECOND: f64 = 16e6;
    const NOTHING: f64 = 0.005;
    polls_of((script.len() as f64 / BYTES_PER_SECOND - NOTHING).max(0.0))
}

/// The script with marks, and the name of the function that marks. That is a name that the script does not contain.
fn mark(script: &str, syntax: &Script) -> (String, String) {
    let mut name = "$mark".to_owned();
    while script.contains(&name) {
        name.push('$');
    }
    // By offset. At one offset, what ends comes before what starts; ranges nest, so those that started last end first.
    let mut marks: Vec<(usize, bool, usize)> = Vec::new();
    let number = syntax.sites.len();
    for (index, site) in syntax.sites.iter().enumerate() {
        marks.push((site.range.start, true, index));
        marks.push((site.range.end, false, number - index));
    }
    marks.sort_unstable();
    let mut marked = String::with_capacity(script.len() + marks.len() * (name.len() + 8));
    let mut copied = 0;
    for (offset, starts, index) in marks {
        marked.push_str(script.get(copied..offset).unwrap_or_default());
        copied = offset;
        if starts {
            // The space, because a keyword may end here: `return{}`.
            let _ = write!(marked, " {name}({index},");
        } else {
            marked.push(')');
        }
    }
    marked.push_str(script.get(copied..).unwrap_or_default());
    (marked, name)
}

/// The options of `trace.js`.
fn tracing(request: &EvaluationRequest<'_>, set: &SampleSet, mark: &str) -> String {
    let sites = request.syntax.sites.iter().map(|site| match &site.kind {
        SiteKind::Object(_) | SiteKind::Array(_) => serde_json::Value::from(0),
        SiteKind::Stringify => serde_json::Value::from(1),
        SiteKind::Result => serde_json::Value::from(2),
        SiteKind::Spread => serde_json::Value::from(3),
        SiteKind::ComputedTarget => serde_json::Value::from(4),
        SiteKind::Target(property) => serde_json::Value::from(property.name.as_str()),
    });
    let sites: Vec<_> = sites.collect();
    let made_up = request.open_parameters().map(|(index, _)| match set.values.get(index) {
        Some(SampleValue { text, is_made_up: true }) => text.as_str(),
        _ => "",
    });
    let made_up: Vec<&str> = made_up.collect();
    let options = serde_json::json!({
        "mark": mark,
        "sites": sites,
        "copies": copies(&request.syntax.sites),
        "samples": made_up,
        "script": request.script,
    });
    options.to_string()
}

/// By site: of an object literal that copies objects, the sites of these and the keys after them; null of other sites.
fn copies(sites: &[Site]) -> Vec<Option<(Vec<usize>, Vec<&str>)>> {
    let mut copies = vec![None; sites.len()];
    let mut around: Vec<usize> = Vec::new();
    for (index, site) in sites.iter().enumerate() {
        let contains = |outer: &usize| sites.get(*outer).is_some_and(|outer| site.range.end <= outer.range.end);
        while around.pop_if(|outer| !contains(outer)).is_some() {}
        match &site.kind {
            SiteKind::Object(_) => around.push(index),
            SiteKind::Spread => {
                let Some(&literal) = around.last() else { continue };
                let Some(Site { kind: SiteKind::Object(properties), .. }) = sites.get(literal) else { continue };
                let later = properties.iter().filter(|property| property.key.start > site.range.end);
                let later = later.map(|property| property.name.as_str()).collect();
                if let Some(copied) = copies.get_mut(literal) {
                    let (spreads, keys) = copied.get_or_insert_with(|| (Vec::new(), Vec::new()));
                    spreads.push(index);
                    *keys = later;
                }
            }
            _ => {}
        }
    }
    copies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::syntax::{ScriptKind, analyze};

    #[test]
    fn each_site_is_marked() {
        for (script, marked) in [
            ("Json = JSON.stringify({ a: [1] })", "Json =  $m(0, $m(1,JSON.stringify)( $m(2,{ a:  $m(3,[1]) })))"),
            ("function f() { return{} }", "function f() { return $m(0,{}) }"),
            ("c.Name = 'x'; c['Days'] = 1", " $m(0,c).Name = 'x';  $m(1,c)['Days'] = 1"),
            ("Json = {}", "Json =  $m(0, $m(1,{}))"),
            // No literals, but patterns.
            ("({ a } = b); [a] = b; var { c } = b", "({ a } = b); [a] = b; var { c } = b"),
            // A function of the script's own.
            (
                "var JSON = { stringify() {} }; JSON.stringify()",
                "var JSON =  $m(0,{ stringify() {} }); JSON.stringify()",
            ),
        ] {
            let syntax = analyze(ScriptKind::Script, script);
            let (found, name) = mark(script, syntax.script().unwrap());
            assert_eq!(found.replace(&name, "$m"), marked);
        }
        assert_eq!(mark("$mark", &Script::default()).1, "$mark$");
    }
}
