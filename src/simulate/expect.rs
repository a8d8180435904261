//! What a scenario expects, beside what was seen.

use super::clock::show_duration;
use super::plan::Plan;
use super::run::Ended;
use super::scenario::{Bounds, Decision, Expect, ExpectedMail, OutcomeKind, Statuses};
use super::stop::Stop;
use super::trace::Mail;
use super::variables::Slot;

/// One expectation and what was seen instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What is expected, by its place under `expect`.
    pub what: String,
    /// The expectation.
    pub expected: String,
    /// What was seen.
    pub actual: String,
    /// Whether it is what was expected.
    pub passed: bool,
    /// The variable whose value both are, if they are one's.
    pub variable: Option<Slot>,
}

impl Check {
    fn new(what: impl Into<String>, expected: impl Into<String>, actual: impl Into<String>, passed: bool) -> Self {
        Self { what: what.into(), expected: expected.into(), actual: actual.into(), passed, variable: None }
    }
}

/// Checks every expectation of a scenario, in the order of the documentation.
pub fn check(plan: &Plan<'_>, ended: &Ended<'_>) -> Vec<Check> {
    let Some(expect) = &plan.scenario.expect else { return Vec::new() };
    let mut checks = Vec::new();
    let outcome = ended.outcome();
    if let Some(expected) = expect.outcome {
        checks.push(Check::new("outcome", expected.word(), outcome.word(), expected == outcome));
    }
    for (name, expected) in &expect.variables {
        // A variable that was never set equals the empty text.
        let slot = plan.names.slot(name);
        let value = slot.map(|slot| ended.values.get(slot).map_or("", |value| value));
        let actual = value.unwrap_or("no such variable");
        let check = Check::new(format!("variables.{name}"), &**expected, actual, value == Some(&**expected));
        checks.push(Check { variable: slot, ..check });
    }
    if let Some(statuses) = &expect.statuses {
        checks.push(check_statuses(statuses, ended));
    }
    if let Some(bounds) = expect.elapsed {
        let passed = bounds.hold(ended.elapsed);
        checks.push(Check::new("elapsed", bounds.words(show_duration), show_duration(ended.elapsed), passed));
    }
    for (method, bounds) in &expect.calls {
        let count = ended.calls.get(method.as_str()).copied().unwrap_or(0);
        let words = |number: u64| number.to_string();
        checks.push(Check::new(format!("calls.{method}"), bounds.words(words), words(count), bounds.hold(count)));
    }
    for (index, mail) in expect.mails.iter().enumerate() {
        checks.push(check_mail(index, mail, &ended.record.mails));
    }
    for (name, expected) in &expect.approvals {
        let actual = decision(plan, ended, name);
        let passed = actual == Some(*expected);
        let actual = actual.map_or("not decided", Decision::word);
        checks.push(Check::new(format!("approvals.{name}"), expected.word(), actual, passed));
    }
    checks.extend(check_failure(expect, ended));
    checks
}

fn check_statuses(expected: &Statuses, ended: &Ended<'_>) -> Check {
    let actual: Vec<&str> = ended.record.statuses.iter().map(|(_, text)| text.as_str()).collect();
    let skipped = if expected.others_before { actual.len().saturating_sub(expected.texts.len()) } else { 0 };
    let passed = actual.get(skipped..).is_some_and(|tail| tail == expected.texts.as_slice());
    let dots = expected.others_before.then_some("...");
    let wanted: Vec<&str> = dots.into_iter().chain(expected.texts.iter().map(String::as_str)).collect();
    Check::new("statuses", list(&wanted), list(&actual), passed)
}

fn list(texts: &[&str]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| serde_json::to_string(text).unwrap_or_default()).collect();
    format!("[{}]", quoted.join(", "))
}

fn check_mail(index: usize, expected: &ExpectedMail, mails: &[Mail]) -> Check {
    let is_it = |mail: &&Mail| {
        expected.to.as_ref().is_none_or(|to| to.trim().eq_ignore_ascii_case(&mail.to))
            && expected.kind.is_none_or(|kind| kind == mail.kind)
    };
    let describe =
        |to: Option<&str>, kind: Option<&str>| format!("{} to {}", kind.unwrap_or("a mail"), to.unwrap_or("anybody"));
    let wanted = describe(expected.to.as_deref(), expected.kind.map(super::scenario::MailKind::word));
    let found = mails.iter().find(is_it);
    let seen = |mail: &Mail| describe(Some(&mail.to), Some(mail.kind.word()));
    let actual = match found {
        Some(mail) => seen(mail),
        None if mails.is_empty() => "no mail was sent".to_owned(),
        None => {
            let mut kinds: Vec<String> = mails.iter().map(seen).collect();
            kinds.sort();
            kinds.dedup();
            kinds.truncate(10);
            kinds.join(", ")
        }
    };
    Check::new(format!("mails.{index}"), wanted, actual, found.is_some())
}

/// What became of the last run of an Approval.
fn decision(plan: &Plan<'_>, ended: &Ended<'_>, name: &str) -> Option<Decision> {
    let is_it = |id| plan.activity(id).is_some_and(|activity| activity.name.value() == Some(name));
    ended.record.approvals.iter().rev().find(|(id, _)| is_it(*id)).map(|(_, decision)| *decision)
}

fn check_failure(expect: &Expect, ended: &Ended<'_>) -> Option<Check> {
    let expected = expect.failure.as_ref()?;
    let message = ended.failure().map_or("", |failure| failure.message.as_str());
    let actual = if message.is_empty() { "no failure" } else { message };
    let passed = !message.is_empty() && message.contains(expected.as_str());
    Some(Check::new("failure", expected, actual, passed))
}

impl<T: Copy + PartialOrd> Bounds<T> {
    fn hold(self, number: T) -> bool {
        self.at_least.is_none_or(|least| number >= least) && self.at_most.is_none_or(|most| number <= most)
    }

    fn words(self, show: impl Fn(T) -> String) -> String {
        match (self.at_least, self.at_most) {
            (Some(least), Some(most)) if least == most => show(least),
            (Some(least), Some(most)) => format!("{} to {}", show(least), show(most)),
            (Some(least), None) => format!("at least {}", show(least)),
            (None, Some(most)) => format!("at most {}", show(most)),
            (None, None) => "any".to_owned(),
        }
    }
}

impl Ended<'_> {
    /// How the run ended.
    pub fn outcome(&self) -> OutcomeKind {
        match &self.stop {
            None => OutcomeKind::Completed,
            Some(Stop::Terminated) => OutcomeKind::Terminated,
            Some(Stop::Failed(_)) => OutcomeKind::Failed,
            Some(Stop::Stuck(_)) => OutcomeKind::Stuck,
            Some(Stop::Refused(_)) => OutcomeKind::Refused,
        }
    }

    /// Why it failed, was refused or is stuck.
    pub fn failure(&self) -> Option<&super::stop::Failure> {
        match &self.stop {
            Some(Stop::Failed(failure) | Stop::Stuck(failure) | Stop::Refused(failure)) => Some(failure),
            Some(Stop::Terminated) | None => None,
        }
    }
}
