//! Whom an Approval asks, and what happens when they decide or do not.

use super::Part;
use super::form;
use super::sentence::Sentence;
use super::words::Words;
use crate::model::{Activity, ActivityKind, Approval, Binding, Literal, Member, ON_APPROVE, ON_REJECT};

/// What a lane without activities does.
pub const NOTHING: &str = "nothing in particular";

/// A lane without an activity.
pub struct Lane(pub Vec<Part>);

/// Who is asked and how, in whole sentences; the first begins in lower case.
pub fn asks(activity: &Activity<'_>, approval: &Approval<'_>, words: &Words<'_, '_>) -> Sentence {
    let assignees = approval.assignees.get().into_iter().flatten();
    let people: Vec<Sentence> = assignees.filter_map(|assignee| words.people(assignee.parameter.get()?)).collect();
    let said = match people.is_empty() {
        true if approval.assignees.is_unknown() => Sentence::of("asks people who cannot be read"),
        true => Sentence::of("asks nobody"),
        false => Sentence::of("asks ").then(Sentence::and(people)),
    };
    let said = said.text(" to approve the order");
    let said = match approval.required.known() {
        Some((_, &"one")) => said.text(". One approval is enough"),
        Some((node, required)) if !required.is_empty() => {
            said.text(". Approvals that are required: ").value(words.texts.show(node, required))
        }
        _ => said,
    };
    let said = mails(approval, words, said);
    let said = match activity.form.known() {
        Some((node, name)) if !name.is_empty() => {
            let said = said.text(". They see the form ").name(words.texts.show(node, name));
            let labels = words.service.model.form(name).map(|form| form::labels(form, words.texts)).unwrap_or_default();
            if labels.is_empty() { said } else { said.text(" with ").then(Sentence::and(labels)) }
        }
        _ => said,
    };
    let (said, whatever) = match approval.result.get().and_then(Binding::target) {
        Some((node, name)) => {
            (said.text(". The decision is then in ").name(words.texts.show(node, name)), "Whatever it is")
        }
        None => (said, "Whatever they decide"),
    };
    if approval.unknown_value().is_some() {
        return said;
    }
    let is_end = |inner: &Activity<'_>| matches!(inner.kind, ActivityKind::Terminate);
    let said = said.text(format!(". {whatever}, the order then goes on"));
    if words.analysis.workflow.inside(activity).any(is_end) { said.text(", unless a step below ends it") } else { said }
}

/// The mails that approvers get.
fn mails(approval: &Approval<'_>, words: &Words<'_, '_>, said: Sentence) -> Sentence {
    let settings = approval.settings();
    let is_on = |setting: &Member<Binding<'_>>| {
        let literal = setting.get().and_then(Binding::literal).map(|(_, literal)| literal);
        matches!(literal, Some(Literal::Boolean(true) | Literal::Text("true")))
    };
    let reminded = || settings.remind_time.get().and_then(|time| words.seconds(time));
    let is_asked = is_on(&settings.notify);
    if approval.ends_before_reminder() && is_on(&settings.remind) {
        let said = if is_asked { said.text(". They are asked by mail") } else { said };
        return said.text(". They are never reminded, as the time to decide ends before");
    }
    match (is_asked, is_on(&settings.remind).then(reminded).flatten()) {
        (true, Some(time)) => said.text(". They are asked by mail, and reminded after ").then(time),
        (true, None) => said.text(". They are asked by mail"),
        (false, Some(time)) => said.text(". They are reminded after ").then(time),
        (false, None) => said,
    }
}

/// When the lane of an Event runs, without its end.
pub fn event(activity: &Activity<'_>, event: Member<&str>, is_in_approval: bool, words: &Words<'_, '_>) -> Sentence {
    match event.known() {
        Some((_, &ON_APPROVE)) if is_in_approval => Sentence::of("Whenever somebody approves"),
        Some((_, &ON_REJECT)) if is_in_approval => Sentence::of("Whenever somebody rejects"),
        Some((node, name)) if !name.is_empty() => Sentence::of("On the event ").value(words.texts.show(node, name)),
        _ => match activity.name.known() {
            Some((node, name)) => Sentence::of("On an event that is not named, ").name(words.texts.show(node, name)),
            None => Sentence::of("On an event that is not named"),
        },
    }
}

/// The lanes that no activity describes: a decision without an Event, and what a timeout decides.
pub fn other_lanes<'c>(
    approval: &Approval<'_>,
    mut children: impl Iterator<Item = &'c Activity<'c>> + Clone,
    words: &Words<'_, '_>,
) -> Vec<Lane> {
    let mut lanes = Vec::new();
    let events: Vec<Option<&str>> = children
        .clone()
        .filter_map(|child| match &child.kind {
            ActivityKind::Event { event } => Some(event.value()),
            _ => None,
        })
        .collect();
    // An event that cannot be read, or of another name, may be the one that is missing.
    let is_known = events.iter().all(|event| matches!(event, Some(ON_APPROVE | ON_REJECT)))
        && !children.any(|child| matches!(child.kind, ActivityKind::Unknown { .. }));
    for (event, when) in [(ON_APPROVE, "Whenever somebody approves"), (ON_REJECT, "Whenever somebody rejects")] {
        if is_known && !events.contains(&Some(event)) {
            lanes.push(Lane(Sentence::of(format!("{when}: {NOTHING}.")).0));
        }
    }
    let timeout = approval.settings().timeout.get();
    let after = timeout.and_then(|timeout| words.seconds(timeout));
    lanes.push(Lane(match after {
        Some(after) => {
            let said = Sentence::of("If nobody decides within ").then(after);
            match approval.on_timeout.known() {
                Some((_, &"reject")) => said.text(": the order counts as rejected."),
                Some((_, &"approve")) => said.text(": the order counts as approved."),
                Some((node, other)) if !other.is_empty() => {
                    said.text(": ").value(words.texts.show(node, other)).text(".")
                }
                _ => said.text(": what then happens is not stated."),
            }
            .0
        }
        None if approval.settings().timeout.is_unknown() => {
            Sentence::of("How long they have to decide cannot be read.").0
        }
        None => Sentence::of("If nobody decides, the order waits here: there is no time limit.").0,
    }));
    lanes
}
