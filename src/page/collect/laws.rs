//! The laws that hold for a service, or do not.

use super::subject::{Subject, quote};
use super::timeline::{safe_events, timeline};
use crate::common::outcomes::{Decision, MailKind, OutcomeKind};
use crate::config::{AtMost, BuiltInLaw, CallBounds, Law, LawCondition, LawMail};
use crate::explore::laws::concerns;
use crate::explore::{BrokenLaw, Ending, ExploredLaw, ExploredService, NamedPlace, UnreachedBranch};
use crate::model::{Activity, ActivityKind};
use crate::page::data::{RunData, RunKind};
use crate::page::{BrokenView, LawView};
use crate::redaction::REPLACEMENT;
use crate::text::{count, list};

/// The built-in laws, then those of the configuration that concern the workflow; with runs that break them.
pub fn laws(subject: &Subject<'_, '_>) -> (Vec<LawView>, Vec<RunData>) {
    let config = subject.context.config;
    let built_in = config.explore.laws.iter().map(|law| (law.name(), built_in(*law).to_owned()));
    let own = config.laws.iter().filter(|law| concerns(law, &subject.file.source.path));
    let own = own.map(|law| (law.name.value.as_str(), demand(law, subject)));
    let (mut laws, mut runs) = (Vec::new(), Vec::new());
    for (name, demand) in built_in.chain(own) {
        let explored = subject.project.and_then(|it| it.explored.laws.iter().find(|law| law.name == name));
        let broken = explored.map(|law| broken(subject, law, &mut runs)).unwrap_or_default();
        let (holds, note) = standing(subject, explored);
        let unseen = if holds == "true" && name == BuiltInLaw::Reached.name() { unseen(subject) } else { Vec::new() };
        laws.push(LawView { name: subject.shown(name), demand, holds, unseen, note, broken });
    }
    (laws, runs)
}

/// Whether a law holds for the service, and what else there is to say.
fn standing(subject: &Subject<'_, '_>, law: Option<&ExploredLaw>) -> (&'static str, Option<String>) {
    let (Some(law), Some(explored)) = (law, subject.explored) else {
        return ("unknown", Some("not explored".to_owned()));
    };
    let own = |broken: &&BrokenLaw| broken.workflow == subject.analysis.file;
    let unlisted = law.unlisted.get(&subject.analysis.file).copied().unwrap_or_default();
    if law.has_unknown_names {
        return ("unknown", Some("not checked: it has unknown names".to_owned()));
    }
    if law.broken().any(|broken| own(&broken)) || unlisted > 0 {
        let note = (unlisted > 0).then(|| format!("{} not shown", count(unlisted, "more run")));
        return ("false", note);
    }
    if let Some(cut) = explored.cut {
        return ("unknown", Some(format!("not explored completely: {}", cut.reason(explored.states))));
    }
    if law.broken.iter().any(|broken| own(&broken)) {
        return ("accepted", None);
    }
    let is_endless = explored.ends.iter().any(|end| end.ending == Ending::Endless);
    if law.name == BuiltInLaw::Ends.name() && is_endless {
        return ("true", Some("an end that is endless only by an assumption does not break it".to_owned()));
    }
    ("true", law.is_unmet().then(|| "no run meets its condition".to_owned()))
}

/// What no run does although the law `reached` holds, because runs do not look there, in words.
fn unseen(subject: &Subject<'_, '_>) -> Vec<String> {
    let Some(ExploredService { reached, .. }) = subject.explored else { return Vec::new() };
    let named = |place: &NamedPlace| quote(&subject.shown(&place.name));
    let is_excused = |place: &NamedPlace| reached.excused.contains(&place.location.pointer);
    let branches = reached.unreached_branches.iter().filter_map(|UnreachedBranch { activity, branch, is_sampled }| {
        let why = match (is_sampled, is_excused(activity)) {
            (_, true) => return None,
            (true, false) => " (a sampled value)",
            (false, false) => "",
        };
        Some(format!("{} is never {branch}{why}", named(activity)))
    });
    let after = reached.unreached.iter().filter(|place| is_excused(place));
    let after = after.map(|place| format!("{} never happens (it comes after what runs leave out)", named(place)));
    branches.chain(after).chain(left_out(subject)).collect()
}

/// What runs leave out: activities of unknown types, and what is inside them or in Events of a declared type.
fn left_out(subject: &Subject<'_, '_>) -> Vec<String> {
    let workflow = subject.analysis.workflow;
    let is_left_out = workflow.left_out();
    let of = |activity: &Activity<'_>| is_left_out.get(activity.id.0 as usize) == Some(&true);
    let around = workflow.activities.iter().filter(|activity| !of(activity));
    around
        .filter_map(|activity| {
            let (kind, is_itself) = match activity.kind {
                ActivityKind::Unknown { .. } => ("unknown", true),
                ActivityKind::Declared { .. } => ("declared", false),
                _ => return None,
            };
            let name = quote(&subject.name(activity));
            match workflow.inside(activity).filter(|inside| of(inside)).count() {
                0 => is_itself.then(|| format!("what {name} does (an unknown type)")),
                1 => Some(format!("the activity inside {name} (of {kind} type)")),
                number => Some(format!("the {number} activities inside {name} (of {kind} type)")),
            }
        })
        .collect()
}

fn broken(subject: &Subject<'_, '_>, law: &ExploredLaw, runs: &mut Vec<RunData>) -> Vec<BrokenView> {
    let own = law.broken.iter().filter(|broken| broken.workflow == subject.analysis.file);
    own.map(|broken| {
        let events = safe_events(subject, &broken.events);
        let timeline = timeline(subject, &events);
        let message = subject.shown(&broken.message);
        let outcome = events.last().and_then(|last| last.value.clone()).unwrap_or_default();
        let id = (!events.is_empty()).then(|| format!("law-{}", runs.len() + 1));
        if let Some(id) = id.clone() {
            runs.push(RunData { id, kind: RunKind::Law, title: message.clone(), outcome, events });
        }
        let activity = subject.activities().iter().find(|it| subject.pointer(it) == broken.location.pointer);
        let accepted = broken.accepted.as_deref().map(|reason| subject.shown(reason));
        BrokenView { id, message, activity: activity.map(|it| subject.place(it)), timeline, accepted }
    })
    .collect()
}

const fn built_in(law: BuiltInLaw) -> &'static str {
    match law {
        BuiltInLaw::Ends => {
            "Wherever an order stands, it can still come to an end, also to a failing one, if people and calls do the right \
             thing. It may wait for somebody."
        }
        BuiltInLaw::NoFault => {
            "No order meets a fault, such as a missing value, unless a call fails or a value is empty."
        }
        BuiltInLaw::Reached => "Each activity, and each outcome of a condition, happens in some order.",
    }
}

/// What a law of the configuration demands, in a sentence.
fn demand(law: &Law, subject: &Subject<'_, '_>) -> String {
    let when = law.when.as_ref().map(|condition| parts(condition, subject)).filter(|when| !when.is_empty());
    let expect = law.expect.as_ref().map(|condition| parts(condition, subject)).unwrap_or_default();
    let before = law.before.iter().map(|(first, second)| {
        format!("{} never begins unless {} has ended", subject.quoted(&first.value), subject.quoted(&second.value))
    });
    let demands: Vec<String> = expect.into_iter().chain(before).collect();
    let demands = list(&demands, "and");
    match when {
        Some(when) => format!("If {}, then {demands}.", list(&when, "and")),
        None => capital(&format!("{demands}.")),
    }
}

fn capital(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// The parts of a condition, which have to be met together.
fn parts(condition: &LawCondition, subject: &Subject<'_, '_>) -> Vec<String> {
    let LawCondition { outcome, variables, statuses, approvals, mails, failure, calls, people_act, ends } = condition;
    let mut parts: Vec<String> = outcome.iter().map(|outcome| outcome_words(*outcome).to_owned()).collect();
    parts.extend(people_act.then(|| "everybody who is asked acts".to_owned()));
    parts.extend(ends.then(|| "the order ends".to_owned()));
    parts.extend(variables.iter().map(|(name, value)| {
        let is_masked = subject.is_masked(&name.value);
        let value = match value.as_str() {
            _ if is_masked => REPLACEMENT.to_owned(),
            "" => "empty".to_owned(),
            value => subject.quoted(value),
        };
        format!("{} is {value} at the end", subject.quoted(&name.value))
    }));
    parts.extend(statuses.iter().map(|statuses| {
        let texts: Vec<String> = statuses.texts.iter().map(|text| subject.quoted(text)).collect();
        match (texts.is_empty(), statuses.others_before) {
            (true, true) => "any statuses are published".to_owned(),
            (true, false) => "no status is published".to_owned(),
            (false, true) => format!("the last statuses are {}", texts.join(", then ")),
            (false, false) => format!("the statuses are {}", texts.join(", then ")),
        }
    }));
    parts.extend(
        approvals.iter().map(|(name, decision)| format!("{} {}", subject.quoted(&name.value), decided(*decision))),
    );
    parts.extend(mails.iter().map(|it| mail(it, subject)));
    parts.extend(failure.iter().map(|part| format!("it fails with a message that contains {}", subject.quoted(part))));
    parts.extend(
        calls.iter().map(|(method, bounds)| format!("{} is called {}", subject.quoted(&method.value), often(*bounds))),
    );
    parts
}

const fn outcome_words(outcome: OutcomeKind) -> &'static str {
    match outcome {
        OutcomeKind::Completed => "the order completes",
        OutcomeKind::Terminated => "the order is terminated",
        OutcomeKind::Failed => "the order fails",
        OutcomeKind::Stuck => "the order never ends",
        OutcomeKind::Refused => "the form is refused",
    }
}

const fn decided(decision: Decision) -> &'static str {
    match decision {
        Decision::Approved => "is approved",
        Decision::Rejected => "is rejected",
        Decision::TimedOut => "times out",
    }
}

fn mail(mail: &LawMail, subject: &Subject<'_, '_>) -> String {
    let kind = mail.kind.map_or("a mail", kind);
    match &mail.to {
        Some(to) => format!("{kind} is sent to {}", subject.quoted(to)),
        None => format!("{kind} is sent"),
    }
}

const fn kind(kind: MailKind) -> &'static str {
    match kind {
        MailKind::SignRequest => "a request to sign",
        MailKind::Reminder => "a reminder to sign",
        MailKind::Finished => "a mail that all have signed",
        MailKind::Rejected => "a mail that somebody refused to sign",
        MailKind::Recalled => "a mail that a case was withdrawn",
        MailKind::ApprovalRequest => "a request to approve",
        MailKind::ApprovalReminder => "a reminder to approve",
    }
}

const fn often(bounds: CallBounds) -> &'static str {
    match (bounds.at_least_once, bounds.at_most) {
        (_, Some(AtMost::Never)) => "never",
        (true, Some(AtMost::Once)) => "once",
        (false, Some(AtMost::Once)) => "at most once",
        (true, None) => "at least once",
        (false, None) => "any number of times",
    }
}
