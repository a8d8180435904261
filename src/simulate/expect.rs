//! Compares what a scenario expects with what the run showed.

use super::clock::show_duration;
use super::plan::Plan;
use super::run::Ended;
use super::scenario::{Decision, Expectations, ExpectedMail, MailKind, OutcomeKind, Statuses};
use super::trace::Mail;
use super::variables::Slot;
use crate::outcomes::OTHERS_BEFORE;
use crate::source::Span;

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
    for (index, mail) in expect.mails.iter().enumerate() {
        checks.push(check_mail(index, mail, &ended.record.mails));
    }
    for (name, expected) in &expect.approvals {
        let actual = decision(plan, ended, &name.value);
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

fn check_mail(index: usize, expected: &ExpectedMail, mails: &[Mail]) -> Check {
    let matches = |mail: &&Mail| {
        expected.to.as_ref().is_none_or(|to| to.trim().eq_ignore_ascii_case(&mail.to))
            && expected.kind.is_none_or(|kind| kind == mail.kind)
    };
    let describe =
        |to: Option<&str>, kind: Option<&str>| format!("{} to {}", kind.unwrap_or("a mail"), to.unwrap_or("anybody"));
    let expected_mail = describe(expected.to.as_deref(), expected.kind.map(MailKind::word));
    let found = mails.iter().find(matches);
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
    Check::new(format!("mails.{index}"), expected_mail, actual, found.is_some())
}

/// The decision of the last run of an Approval.
fn decision(plan: &Plan<'_>, ended: &Ended<'_>, name: &str) -> Option<Decision> {
    let has_name = |id| plan.activity(id).is_some_and(|activity| activity.name.value() == Some(name));
    ended.record.approvals.iter().rev().find(|(id, _)| has_name(*id)).map(|(_, decision)| *decision)
}

fn check_failure(expect: &Expectations, ended: &Ended<'_>) -> Option<Check> {
    let expected = expect.failure.as_ref()?;
    let message = ended.failure().map_or("", |failure| failure.message.as_str());
    let actual = if message.is_empty() { "no failure" } else { message };
    let passed = !message.is_empty() && message.contains(expected.as_str());
    Some(Check::new("failure", expected, actual, passed))
}
