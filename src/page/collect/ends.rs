//! How orders end, as exploring found it.

use std::collections::BTreeSet;

use super::people::who_is_in;
use super::scenarios::{Covering, Last, ScenarioRuns, publisher};
use super::subject::{Subject, named};
use super::timeline::safe_events;
use super::ways::{others, way};
use crate::explore::{ChoiceKind, ExploredEnd, ExploredService, without_ids};
use crate::model::Assumption;
use crate::page::data::{RunData, RunKind};
use crate::page::{EndView, Looked, Orders};
use crate::report::end_reasons;
use crate::simulate::show_duration;

use super::statuses::statuses;

/// What is known of how orders go, and the runs to their ends.
pub fn orders(
    subject: &Subject<'_, '_>,
    runs: &ScenarioRuns,
    left_out: Option<&'static str>,
) -> (Orders, Vec<RunData>) {
    let looked = match (left_out, subject.explored) {
        (Some(why), _) => Looked::LeftOut(why),
        (None, None) => Looked::Failed(failure(subject)),
        (None, Some(explored)) => match explored.cut {
            None => Looked::Completely,
            Some(cut) => Looked::Partly(cut.reason(explored.states)),
        },
    };
    let (mut ends, mut data) = (Vec::new(), Vec::new());
    if let Some(explored) = subject.explored {
        let reasons = end_reasons(explored);
        let covered =
            runs.ending(subject, &explored.ends.iter().map(|end| last_of(subject, explored, end)).collect::<Vec<_>>());
        for (((number, end), reason), covered) in (1..).zip(&explored.ends).zip(reasons).zip(covered) {
            let others = others(subject, explored, (number - 1, end));
            let reason = std::iter::once(reason).chain(others).collect::<Vec<_>>().join("; or ");
            let view = view(subject, (number, end), &reason, covered);
            if !end.events.is_empty() {
                data.push(run(subject, end, &view));
            }
            ends.push(view);
        }
    }
    let assumptions = subject.explored.map(assumptions).unwrap_or_default();
    let hang_assumptions = subject.explored.map(hang_assumptions).unwrap_or_default();
    let has_more_ends = subject.explored.is_some_and(ExploredService::has_more_ends);
    (Orders { looked, ends, has_more_ends, statuses: statuses(subject), assumptions, hang_assumptions }, data)
}

/// Those that decide how long an order waits for people.
const OF_WAITING: [Assumption; 4] =
    [Assumption::Expired, Assumption::Rejection, Assumption::Seconds, Assumption::NoTimeout];

/// What the runs to the ends rely on.
fn relied_on(explored: &ExploredService) -> BTreeSet<Assumption> {
    explored.ends.iter().flat_map(|end| end.rests_on.iter().chain(end.assumed)).collect()
}

/// The numbers of the assumptions that decide whether an order can hang.
fn hang_assumptions(explored: &ExploredService) -> Vec<String> {
    let numbers = relied_on(explored).into_iter().filter(|assumption| OF_WAITING.contains(assumption));
    numbers.map(|assumption| assumption.to_string()).collect()
}

/// What the result assumes, with the numbers that ends cite.
fn assumptions(explored: &ExploredService) -> Vec<String> {
    let unlisted = relied_on(explored)
        .into_iter()
        .map(Assumption::text)
        .filter(|text| !explored.assumptions.iter().any(|it| it == text));
    let unlisted: Vec<String> = unlisted.map(str::to_owned).collect();
    let numbered = |text: &String| match Assumption::with_text(text) {
        Some(assumption) => format!("{assumption}: {text}"),
        None => text.clone(),
    };
    explored.assumptions.iter().chain(&unlisted).map(numbered).collect()
}

/// Why the workflow was not explored.
fn failure(subject: &Subject<'_, '_>) -> String {
    let unexplored = subject.project.map(|project| project.explored.unexplored.as_slice()).unwrap_or_default();
    let reason = unexplored.iter().find(|(file, _)| *file == subject.analysis.file).map(|(_, reason)| reason.as_str());
    subject.shown(reason.unwrap_or("it cannot be read"))
}

fn view(
    subject: &Subject<'_, '_>,
    (number, end): (usize, &ExploredEnd),
    reason: &str,
    covering: Option<Covering>,
) -> EndView {
    let (covered_by, alike) = covering.map(|it| (it.scenarios, it.alike)).unzip();
    EndView {
        id: format!("end-{number}"),
        outcome: end.ending.word(),
        status: end.status.as_deref().map(|status| subject.shown(status)),
        reason: subject.shown(reason),
        activity: end.activity.as_ref().map(named),
        elapsed: show_duration(end.elapsed),
        open: end.open.iter().map(|open| subject.shown(open)).collect(),
        waits_for: if end.ending.is_cycle() { waits_for(subject, end) } else { Vec::new() },
        covered_by,
        alike: alike.unwrap_or_default(),
    }
}

/// Where an end is, as scenarios are compared with it.
fn last_of<'e>(subject: &Subject<'_, '_>, explored: &ExploredService, end: &'e ExploredEnd) -> Last<'e> {
    Last {
        outcome: end.ending.outcome(),
        activity: end.activity.as_ref().map(|place| place.location.pointer.as_str()),
        published_by: publisher(&end.events),
        way: way(subject, &end.events),
        status: end.status.as_deref().map(|status| without_ids(&explored.masker.apply(status))),
    }
}

/// The people who never act: in words if it is known what holds their addresses, which are made up.
fn waits_for(subject: &Subject<'_, '_>, end: &ExploredEnd) -> Vec<String> {
    let never = end.choices.iter().filter(|choice| choice.choice == ChoiceKind::Never);
    let mut people: Vec<String> = never
        .map(|choice| match &choice.role {
            Some(role) => subject.shown(&who_holds(subject, role)),
            None => subject.shown(&choice.what),
        })
        .collect();
    people.dedup();
    people
}

/// The people in a field or a variable, given by its name.
fn who_holds(subject: &Subject<'_, '_>, name: &str) -> String {
    let fields = subject.forms.iter().flat_map(|form| &form.form.fields);
    let mut bound = fields.filter(|field| field.name.value() == Some(name)).filter_map(|field| Some(field.target()?.1));
    let variable = bound.next().unwrap_or(name);
    who_is_in(subject, variable, &subject.label_of(variable))
}

fn run(subject: &Subject<'_, '_>, end: &ExploredEnd, view: &EndView) -> RunData {
    let title = match &view.status {
        Some(status) => format!("{}: {status}", view.outcome),
        None => view.outcome.to_owned(),
    };
    let (id, events) = (view.id.clone(), safe_events(subject, &end.events));
    RunData { id, kind: RunKind::End, title, outcome: view.outcome.to_owned(), events }
}
