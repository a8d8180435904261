//! Runs a scenario to its end, and compares that with what the scenario expects.

use std::cell::RefCell;
use std::collections::BTreeSet;

use jiff::SignedDuration;

use super::activities::run_workflow;
use super::clock::{Priority, show_duration};
use super::oracle::ScenarioOracle;
use super::plan::Plan;
use super::run::Run;
use super::scenario::{Decision, Expectations, ExpectedMail, MailKind, OutcomeKind, Statuses};
use super::scripts::Scripts;
use super::submit;
use super::trace::{Failure, Stop};
use super::trace::{Mail, Record};
use super::variables::{Slot, Values};
use crate::common::collections::HashMap;
use crate::common::outcomes::OTHERS_BEFORE;
use crate::model::ActivityId;
use crate::script::Sandbox;
use crate::text::source::Span;

pub struct Ended<'p> {
    pub record: Record<'p>,
    /// At the end.
    pub values: Values,
    /// The activity that was under way at the end.
    pub last: Option<ActivityId>,
    /// Why it ended before its last activity, if it did.
    pub stop: Option<Stop>,
    /// Time on the virtual clock.
    pub elapsed: SignedDuration,
    pub steps: u64,
    /// How often each method was called.
    pub calls: HashMap<&'p str, u64>,
}

impl Ended<'_> {
    pub fn outcome(&self) -> OutcomeKind {
        match &self.stop {
            None => OutcomeKind::Completed,
            Some(Stop::Terminated) => OutcomeKind::Terminated,
            Some(Stop::Failed(_)) => OutcomeKind::Failed,
            Some(Stop::Stuck(_) | Stop::Undecided) => OutcomeKind::Stuck,
            Some(Stop::Refused(_)) => OutcomeKind::Refused,
        }
    }

    /// Why it failed, was refused or is stuck.
    pub fn failure(&self) -> Option<&Failure> {
        match &self.stop {
            Some(Stop::Failed(failure) | Stop::Stuck(failure) | Stop::Refused(failure)) => Some(failure),
            Some(Stop::Terminated | Stop::Undecided) | None => None,
        }
    }
}

/// Runs a plan to its end.
pub fn run<'p>(plan: &'p Plan<'p>, sandbox: &RefCell<Sandbox>) -> Ended<'p> {
    let scripts = Scripts::new(sandbox, plan.scenario.limits.all_scripts_time());
    let (mut run, mut oracle) = (Run::new(plan, scripts), ScenarioOracle);
    let stop = submit::fill(&mut run).and_then(|()| run_workflow(&mut run, &mut oracle)).err();
    // What is due at the last instant still happens, whatever ended the run.
    run.catch_up(Priority::Waiting);
    run.record.unused = run.used.warnings(plan.scenario);
    Ended {
        last: run.current(),
        stop,
        elapsed: run.clock.now().since_start(),
        record: run.record,
        values: run.values,
        steps: run.steps,
        calls: plan.program.methods().iter().copied().zip(run.calls).collect(),
    }
}

/// One expectation and the actual value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The path under `expect`, such as `variables.ESignStatus`.
    pub what: String,
    pub expected: String,
    pub actual: String,
    pub passed: bool,
    /// The variable of both values, whose mask hides them.
    pub variable: Option<Slot>,
    /// Its place in the scenario file; `None` for an implicit expectation.
    pub span: Option<Span>,
}

impl Check {
    fn new(what: impl Into<String>, expected: impl Into<String>, actual: impl Into<String>, passed: bool) -> Self {
        Self { what: what.into(), expected: expected.into(), actual: actual.into(), passed, variable: None, span: None }
    }
}

/// Checks every expectation of a scenario, in the order of the documentation.
pub fn check(plan: &Plan<'_>, ended: &Ended<'_>) -> Vec<Check> {
    let expect = plan.scenario.expect.as_ref();
    let mut checks: Vec<Check> = check_outcome(expect.and_then(|expect| expect.outcome), ended).into_iter().collect();
    let Some(expect) = expect else { return checks };
    for (name, expected) in &expect.variables {
        // A variable that was never set equals the empty string.
        let slot = plan.names.slot(&name.value);
        let actual = slot.and_then(|slot| ended.values.get(slot)).map_or("", |value| value);
        let check = Check::new(format!("variables.{}", name.value), &**expected, actual, actual == &**expected);
        checks.push(Check { variable: slot, ..check });
    }
    if let Some(statuses) = &expect.statuses {
        checks.push(check_statuses(statuses, ended));
    }
    if let Some(bounds) = expect.elapsed {
        let passed = bounds.contain(ended.elapsed);
        checks.push(Check::new("elapsed", bounds.describe(show_duration), show_duration(ended.elapsed), passed));
    }
    for (method, bounds) in &expect.calls {
        let count = ended.calls.get(method.value.as_str()).copied().unwrap_or(0);
        let words = |number: u64| number.to_string();
        let what = format!("calls.{}", method.value);
        checks.push(Check::new(what, bounds.describe(words), words(count), bounds.contain(count)));
    }
    if !expect.mails.is_empty() {
        let mails = Mails::new(&ended.record.mails);
        checks.extend(expect.mails.iter().enumerate().map(|(index, mail)| mails.check(index, mail)));
    }
    let decisions = decisions(plan, ended);
    for (name, expected) in &expect.approvals {
        let actual = decisions.get(name.value.as_str()).copied();
        let passed = actual == Some(*expected);
        let actual = actual.map_or("not decided", Decision::word);
        checks.push(Check::new(format!("approvals.{}", name.value), expected.word(), actual, passed));
    }
    checks.extend(check_failure(expect, ended));
    for check in &mut checks {
        check.span = expect.spans.get(&check.what).copied();
    }
    checks
}

/// Without an expected outcome, an order that neither completes nor terminates fails its scenario.
fn check_outcome(expected: Option<OutcomeKind>, ended: &Ended<'_>) -> Option<Check> {
    let outcome = ended.outcome();
    if let Some(expected) = expected {
        return Some(Check::new("outcome", expected.word(), outcome.word(), expected == outcome));
    }
    let is_expected = matches!(outcome, OutcomeKind::Completed | OutcomeKind::Terminated);
    (!is_expected).then(|| Check::new("outcome", "completed or terminated", outcome.word(), false))
}

fn check_statuses(expected: &Statuses, ended: &Ended<'_>) -> Check {
    let actual: Vec<&str> = ended.record.statuses.iter().map(|(_, text)| text.as_str()).collect();
    let skipped = if expected.others_before { actual.len().saturating_sub(expected.texts.len()) } else { 0 };
    let passed = actual.get(skipped..).is_some_and(|tail| tail == expected.texts.as_slice());
    let dots = expected.others_before.then_some(OTHERS_BEFORE);
    let expected_texts: Vec<&str> = dots.into_iter().chain(expected.texts.iter().map(String::as_str)).collect();
    Check::new("statuses", list(&expected_texts), list(&actual), passed)
}

fn list(texts: &[&str]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| serde_json::to_string(text).unwrap_or_default()).collect();
    format!("[{}]", quoted.join(", "))
}

/// The mails of a run, by what a scenario can expect of one.
struct Mails<'m> {
    all: &'m [Mail],
    /// The first one by address in lower case, by kind, and by both.
    first: HashMap<(Option<String>, Option<MailKind>), &'m Mail>,
    /// What was sent, in words.
    seen: String,
}

impl<'m> Mails<'m> {
    fn new(all: &'m [Mail]) -> Self {
        /// What was sent instead of an expected mail, at most.
        const MAX_SEEN: usize = 10;
        let mut first = HashMap::default();
        let mut seen = BTreeSet::new();
        for mail in all {
            let to = mail.to.to_ascii_lowercase();
            for key in [(Some(to.clone()), Some(mail.kind)), (Some(to), None), (None, Some(mail.kind)), (None, None)] {
                first.entry(key).or_insert(mail);
            }
            seen.insert(describe_mail(mail));
            if seen.len() > MAX_SEEN {
                seen.pop_last();
            }
        }
        Self { all, first, seen: seen.into_iter().collect::<Vec<_>>().join(", ") }
    }

    fn check(&self, index: usize, expected: &ExpectedMail) -> Check {
        let to = expected.to.as_ref().map(|to| to.trim().to_ascii_lowercase());
        let found = self.first.get(&(to, expected.kind));
        let expected_mail = describe(expected.to.as_deref(), expected.kind.map(MailKind::word));
        let actual = match found {
            Some(mail) => describe_mail(mail),
            None if self.all.is_empty() => "no mail was sent".to_owned(),
            None => self.seen.clone(),
        };
        Check::new(format!("mails.{index}"), expected_mail, actual, found.is_some())
    }
}

fn describe(to: Option<&str>, kind: Option<&str>) -> String {
    format!("{} to {}", kind.unwrap_or("a mail"), to.unwrap_or("anybody"))
}

fn describe_mail(mail: &Mail) -> String {
    describe(Some(&mail.to), Some(mail.kind.word()))
}

/// The decision of the last run of each Approval, by name.
fn decisions<'p>(plan: &Plan<'p>, ended: &Ended<'p>) -> HashMap<&'p str, Decision> {
    let decided = ended.record.approvals.iter();
    decided.filter_map(|(id, decision)| Some((plan.activity(*id)?.name.value()?, *decision))).collect()
}

fn check_failure(expect: &Expectations, ended: &Ended<'_>) -> Option<Check> {
    let expected = expect.failure.as_ref()?;
    let message = ended.failure().map_or("", |failure| failure.message.as_str());
    let actual = if message.is_empty() { "no failure" } else { message };
    let passed = !message.is_empty() && message.contains(expected.as_str());
    Some(Check::new("failure", expected, actual, passed))
}
