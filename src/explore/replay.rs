//! Replays the runs of a search, and converts them into data for reports.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::ends::{Ending, without_ids};
use super::explored::{ChoiceKind, Chooser, CoverRun, ExploredChoice, ExploredEnd, NamedPlace, RepeatedCall};
use super::inputs::Inputs;
use super::order::{Order, read};
use super::run_events::{Forever, run_events};
use super::scenario::{ScenarioRun, approvals, expectations, with_expectations};
use super::search::{Choice, FoundEnd, FoundRun, SearchDecision, SearchRun, Step, ignored, pending};
use crate::common::outcomes::OutcomeKind;
use crate::model::{ActivityId, ActivityKind, Assumptions, Binding};
use crate::redaction::{Mask, Masker, Redactions};
use crate::script::Sandbox;
use crate::simulate::{Branch, Covered, Ended, Event, Frame, Plan, RunEvent, SigningAction, run, taken};
use crate::synth::{LookupAnswer, Submitted};

/// The input for showing runs.
pub struct Replayer<'s, 'o> {
    pub order: &'s Order<'o>,
    pub inputs: &'s Inputs,
    pub sandbox: &'s RefCell<Sandbox>,
    /// Whether the events of runs are wanted.
    pub wants_events: bool,
    /// The hard-coded secrets.
    pub secrets: &'s Arc<Redactions>,
}

/// A run that was replayed.
pub struct Replayed {
    pub scenario: Value,
    pub is_stuck: bool,
    pub ending: Ending,
    /// The activity at its end.
    pub last: Option<ActivityId>,
    pub approvals: BTreeMap<String, String>,
    pub elapsed: jiff::SignedDuration,
    /// The values of masked variables.
    pub masked: Vec<(Mask, Arc<str>)>,
    pub reaches: BTreeSet<Covered>,
}

/// A run that was replayed, whose scenario has no name yet.
pub struct Unnamed {
    /// Without the scenario.
    replayed: Replayed,
    /// The scenario, without name and expectations.
    map: Map<String, Value>,
    expect: Map<String, Value>,
    masker: Masker,
}

impl Unnamed {
    pub const fn is_stuck(&self) -> bool {
        self.replayed.is_stuck
    }

    /// The scenario with a name.
    pub fn scenario(&self, name: &str) -> Value {
        let name = self.masker.apply(name);
        Value::Object(with_expectations(self.map.clone(), &name, self.expect.clone()))
    }
}

impl Replayer<'_, '_> {
    /// An end for reports, with the scenario and the approvals of its run, which is replayed.
    ///
    /// # Errors
    /// The replay ends differently, which is a bug of wflint.
    pub fn end(&self, found: &FoundEnd<'_, '_>) -> Result<(ExploredEnd, Replayed), String> {
        let (mut replayed, (events, shown, rests_on)) = self.replay_end(found, |plan, ended| {
            (self.events_of_end(found, plan, ended), last_known_status(plan, ended), ended.record.assumptions)
        })?;
        let is_cycle = found.end.ending.is_cycle();
        let walk = &found.run.walk;
        let end = ExploredEnd {
            ending: found.end.ending,
            assumed: found.assumed,
            rests_on,
            activity: found.end.activity.and_then(|id| self.place(id)),
            status: if walk.status.as_deref() == Some("") { shown } else { walk.status.as_deref().map(str::to_owned) },
            approvals: std::mem::take(&mut replayed.approvals),
            elapsed: if is_cycle { walk.run.clock.now().since_start() } else { replayed.elapsed },
            open: self.open(walk),
            choices: self.choices(&found.run.path, walk, is_cycle),
            repeated: self.repeated(found),
            scenario: replayed.scenario.take(),
            events,
        };
        Ok((end, replayed))
    }

    /// The events of the run to an end, if they are wanted.
    pub fn events_of_end(&self, found: &FoundEnd<'_, '_>, plan: &Plan<'_>, ended: &Ended<'_>) -> Vec<RunEvent> {
        if !self.wants_events {
            return Vec::new();
        }
        let ending = found.end.ending;
        let forever = ending.is_cycle().then(|| Forever { ending, repeated: self.repeated(found) });
        run_events(&found.run, forever.as_ref(), plan, ended, &self.masker(ended))
    }

    /// Replays the run to an end, and shows it.
    ///
    /// # Errors
    /// As [`Self::end`].
    pub fn replay_end<T>(
        &self,
        found: &FoundEnd<'_, '_>,
        show: impl FnOnce(&Plan<'_>, &Ended<'_>) -> T,
    ) -> Result<(Replayed, T), String> {
        self.replay(&found.run, &self.scenario_name(found), |plan, ended| {
            same_end(found, plan, ended)?;
            Ok(show(plan, ended))
        })
    }

    /// Makes the scenario of a run and replays it. Returns it with the result of `check`.
    ///
    /// # Errors
    /// It cannot be read, or `check` refuses its run.
    pub fn replay<T>(
        &self,
        run: &FoundRun<'_, '_>,
        name: &str,
        check: impl FnOnce(&Plan<'_>, &Ended<'_>) -> Result<T, String>,
    ) -> Result<(Replayed, T), String> {
        let (unnamed, checked) = self.replay_unnamed(run, check)?;
        let scenario = unnamed.scenario(name);
        Ok((Replayed { scenario, ..unnamed.replayed }, checked))
    }

    /// As [`Self::replay`], for scenarios with several names.
    ///
    /// # Errors
    /// As [`Self::replay`].
    pub fn replay_unnamed<T>(
        &self,
        run: &FoundRun<'_, '_>,
        check: impl FnOnce(&Plan<'_>, &Ended<'_>) -> Result<T, String>,
    ) -> Result<(Unnamed, T), String> {
        let (order, inputs, path, round) = (self.order, self.inputs, &run.path, &run.round);
        let mut map = ScenarioRun { order, inputs, path, round, run: &run.walk.run }.scenario();
        if !run.round.is_empty() {
            self.limit_steps(&mut map)?;
        }
        let (replayed, expect, checked) = self.with_run(&map, |plan, ended| {
            let checked = check(plan, ended)?;
            let replayed = Replayed {
                scenario: Value::Null,
                is_stuck: ended.outcome() == OutcomeKind::Stuck,
                ending: Ending::of(ended.outcome()),
                last: ended.last,
                approvals: approvals(plan, ended),
                elapsed: ended.elapsed,
                masked: ended.values.masked().to_vec(),
                reaches: reaches(plan, ended),
            };
            Ok((replayed, expectations(plan, ended), checked))
        })?;
        let masker = Masker::new(&replayed.masked).with_secrets(self.secrets);
        Ok((Unnamed { replayed, map, expect, masker }, checked))
    }

    /// Hides what a run may not show.
    pub fn masker(&self, ended: &Ended<'_>) -> Masker {
        Masker::new(ended.values.masked()).with_secrets(self.secrets)
    }

    /// The name of a scenario that covers an activity or branch.
    pub fn takes(&self, element: Covered) -> String {
        let name = self.order.name(Some(element.activity()));
        let verb = match element {
            Covered::Activity(_) => return format!("takes {name}"),
            Covered::Branch(_, branch) => match branch {
                Branch::True | Branch::False | Branch::Approved | Branch::Rejected => {
                    return format!("{name} is {}", branch.word());
                }
                Branch::Never => "never runs",
                Branch::Once => "runs once",
                Branch::Several => "runs several times",
                Branch::TimedOut => "times out",
                Branch::Succeeded => "succeeds",
                Branch::Failed => "fails",
            },
        };
        format!("{name} {verb}")
    }

    /// A run that is not the one of an end.
    pub fn cover_run(&self, run: &FoundRun<'_, '_>, replayed: Replayed) -> CoverRun {
        let walk = &run.walk;
        let end = ExploredEnd {
            ending: replayed.ending,
            assumed: None,
            rests_on: Assumptions::default(),
            activity: replayed.last.and_then(|id| self.place(id)),
            status: walk.status.as_deref().map(str::to_owned),
            approvals: replayed.approvals,
            elapsed: replayed.elapsed,
            open: self.open(walk),
            choices: self.choices(&run.path, walk, replayed.is_stuck),
            repeated: None,
            scenario: replayed.scenario,
            events: Vec::new(),
        };
        CoverRun { end, reaches: replayed.reaches }
    }

    fn with_run<R>(
        &self,
        map: &Map<String, Value>,
        show: impl FnOnce(&Plan<'_>, &Ended<'_>) -> Result<R, String>,
    ) -> Result<R, String> {
        let read = read(self.order, map)?;
        let plan = self.order.plan(&read.scenario, &read.directory);
        let ended = run(&plan, self.sandbox);
        show(&plan, &ended)
    }

    /// Limits the steps of a cycle, so that its listed results do not run out.
    fn limit_steps(&self, map: &mut Map<String, Value>) -> Result<(), String> {
        let steps =
            self.with_run(map, |_, ended| Ok((ended.outcome() == OutcomeKind::Failed).then_some(ended.steps)))?;
        if let Some(steps) = steps {
            let limits = map.entry("limits").or_insert_with(|| Value::Object(Map::new()));
            if let Some(limits) = limits.as_object_mut() {
                limits.insert("steps".to_owned(), steps.saturating_sub(1).into());
            }
        }
        Ok(())
    }

    fn scenario_name(&self, found: &FoundEnd<'_, '_>) -> String {
        let what = found.run.walk.status.as_deref().map_or_else(|| self.order.name(found.end.activity), str::to_owned);
        let word = found.end.ending.word();
        if what.is_empty() { word.to_owned() } else { format!("{word}: {what}") }
    }

    pub fn place(&self, id: ActivityId) -> Option<NamedPlace> {
        let activity = self.order.workflow.workflow.activity(id)?;
        let document = self.order.workflow.document;
        let location = crate::text::diagnostic::Location {
            file: self.order.workflow.file,
            pointer: document.pointer(activity.node),
            span: document.anchor(activity.node),
        };
        Some(NamedPlace { name: activity.name.value().unwrap_or_default().to_owned(), location })
    }

    /// The cases and approvals that are open at the end.
    fn open(&self, walk: &SearchRun<'_, '_>) -> Vec<String> {
        let cases = walk.run.cases.open().map(|(name, activity)| match name {
            "" => format!("case of {}", self.order.name(activity)),
            name => format!("case {name}"),
        });
        let approvals = walk.run.frames.iter().filter_map(|frame| match frame {
            Frame::Approval(frame) if walk.run.waiting.get(frame.index).is_some_and(|waiting| !waiting.is_empty()) => {
                Some(format!("approval {}", self.order.name(Some(frame.activity.id))))
            }
            _ => None,
        });
        cases.chain(approvals).collect()
    }

    /// The decisions that a run rests on.
    fn choices(&self, path: &[Step], walk: &SearchRun<'_, '_>, is_cycle: bool) -> Vec<ExploredChoice> {
        let mut choices: Vec<ExploredChoice> = path
            .iter()
            .filter_map(|step| match step {
                Step::Choice(choice) => self.choice(choice, walk),
                Step::Jump(_) => None,
            })
            .collect();
        let ignored = ignored(walk);
        let pending = if is_cycle { pending(walk) } else { Vec::new() };
        for (activity, who, by) in ignored.into_iter().chain(pending) {
            let (at, what, role) = (self.order.name(activity), who.to_string(), self.role(walk, &who));
            let choice = ExploredChoice { at, what, role, by, choice: ChoiceKind::Never };
            if !choices.contains(&choice) {
                choices.push(choice);
            }
        }
        choices
    }

    /// The call in a loop that it depends on: the last one that had a choice, otherwise the last one.
    fn repeated(&self, found: &FoundEnd<'_, '_>) -> Option<RepeatedCall> {
        let workflow = self.order.workflow.workflow;
        let outer = found.end.activity.and_then(|id| workflow.activity(id));
        let outer =
            outer.filter(|outer| found.end.ending.is_cycle() && matches!(outer.kind, ActivityKind::While { .. }))?;
        let is_inside = |id: ActivityId| outer.id < id && id < outer.end;
        let returns = |choice: &&Choice| {
            matches!(choice.decision, SearchDecision::Returns { .. }) && choice.activity.is_some_and(is_inside)
        };
        let on_path = found.run.path.iter().filter_map(|step| match step {
            Step::Choice(choice) => Some(choice.as_ref()),
            Step::Jump(_) => None,
        });
        let mut choices = on_path.chain(found.run.round.iter().map(AsRef::as_ref));
        if let Some(choice) = choices.rfind(returns) {
            let result = self.choice(choice, &found.run.walk).map(|choice| choice.choice);
            return Some(RepeatedCall { at: self.order.name(choice.activity), result });
        }
        let mut calls =
            workflow.activities.iter().filter(|activity| is_inside(activity.id) && activity.provider().is_some());
        calls.next_back().map(|call| RepeatedCall { at: self.order.name(Some(call.id)), result: None })
    }

    /// The field or variable that holds an address: of a field its name.
    fn role(&self, walk: &SearchRun<'_, '_>, mail: &str) -> Option<String> {
        let (names, values) = (&self.order.prepared.names, &walk.run.values);
        let is_mail = |part: &str| part.trim().eq_ignore_ascii_case(mail);
        let holds = |text: &str| text.split([';', ',']).any(is_mail);
        let fields = self.order.form.into_iter().flat_map(|form| &form.form.fields);
        let field = fields.filter_map(|field| Some((field.name.value()?, names.slot(field.target()?.1)?)));
        let mut field = field.filter(|(_, slot)| values.get(*slot).is_some_and(|value| holds(value)));
        let variable = || values.iter().find(|(_, value)| holds(value)).map(|(slot, _)| names.name(slot));
        field.next().map(|(name, _)| name).or_else(variable).map(str::to_owned)
    }

    fn choice(&self, choice: &Choice, walk: &SearchRun<'_, '_>) -> Option<ExploredChoice> {
        let at = self.order.name(choice.activity);
        let method = || {
            let activity = choice.activity.and_then(|id| self.order.workflow.workflow.activity(id));
            activity.and_then(|activity| activity.provider()?.method.value()).unwrap_or_default().to_owned()
        };
        Some(match &choice.decision {
            SearchDecision::Signs { mail, action, .. } => {
                let choice = match action {
                    SigningAction::Sign => ChoiceKind::Sign,
                    SigningAction::Reject => ChoiceKind::Reject,
                };
                let role = self.role(walk, mail);
                ExploredChoice { at, what: mail.to_string(), role, by: Chooser::Signer, choice }
            }
            SearchDecision::Answers { who, approves, .. } => {
                let choice = if *approves { ChoiceKind::Approve } else { ChoiceKind::Reject };
                let role = self.role(walk, who);
                ExploredChoice { at, what: who.to_string(), role, by: Chooser::Approver, choice }
            }
            SearchDecision::Fails { .. } => {
                ExploredChoice { at, what: method(), role: None, by: Chooser::Call, choice: ChoiceKind::Fail }
            }
            SearchDecision::Returns { result, .. } => {
                let choice = match (result.answer, &result.outputs) {
                    (Some(LookupAnswer::Two), _) => ChoiceKind::Two,
                    (Some(LookupAnswer::Empty), _) => ChoiceKind::Empty,
                    (None, Ok(outputs)) if !outputs.is_empty() => {
                        let outputs: Vec<_> = outputs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                        ChoiceKind::Value(outputs.join(", "))
                    }
                    _ => return None,
                };
                ExploredChoice { at, what: method(), role: None, by: Chooser::Call, choice }
            }
            SearchDecision::Field { field, alternative } => {
                let input = self.inputs.fields.get(*field)?;
                let chosen = input.alternatives.get(*alternative).filter(|_| *alternative > 0)?;
                let choice = match &chosen.value {
                    _ if chosen.is_nothing => ChoiceKind::Empty,
                    Submitted::Text(text) => ChoiceKind::Value(text.clone()),
                    Submitted::File(file) => ChoiceKind::Value(file.clone()),
                };
                let (at, what) = (input.name.clone(), input.name.clone());
                ExploredChoice { at, what, role: None, by: Chooser::Field, choice }
            }
        })
    }
}

/// What a run has taken: activities, outcomes of conditions, and the branches that coverage counts.
fn reaches(plan: &Plan<'_>, ended: &Ended<'_>) -> BTreeSet<Covered> {
    let begun = (0..).map(ActivityId).zip(&ended.record.times_begun);
    let begun = begun.filter(|(_, times)| **times > 0).map(|(id, _)| Covered::Activity(id));
    let conditions = ended.record.entries.iter().filter_map(|entry| match (&entry.event, entry.activity) {
        (Event::Evaluated { holds, .. }, Some(id)) => Some(Covered::Branch(id, Branch::of_condition(*holds))),
        _ => None,
    });
    let counted = taken(plan.workflow, &ended.record);
    let counted = counted.into_keys().map(|(id, branch)| Covered::Branch(id, branch));
    begun.chain(conditions).chain(counted).collect()
}

/// The last published text, without those that are empty only as nobody knows which common output a call returns.
fn last_known_status(plan: &Plan<'_>, ended: &Ended<'_>) -> Option<String> {
    let is_common = |id: Option<ActivityId>| {
        let Some(ActivityKind::Status { status, .. }) = id.and_then(|id| plan.activity(id)).map(|it| &it.kind) else {
            return false;
        };
        let name = status.unboxed().and_then(Binding::target).map(|(_, name)| name);
        plan.config.catalog.result_outputs().any(|output| Some(output) == name)
    };
    let published = ended.record.entries.iter().rev().filter_map(|entry| match entry.event {
        Event::Published(index) => Some((entry.activity, ended.record.status(index))),
        _ => None,
    });
    let mut known = published.filter(|(activity, text)| !(text.is_empty() && is_common(*activity)));
    known.next().map(|(_, text)| text.to_owned())
}

/// Whether a replay ended as the search predicted.
fn same_end(found: &FoundEnd<'_, '_>, plan: &Plan<'_>, ended: &Ended<'_>) -> Result<(), String> {
    let expected = found.end.ending.outcome();
    let name = |id: Option<ActivityId>| {
        id.and_then(|id| plan.activity(id)).and_then(|activity| activity.name.value()).unwrap_or("the end").to_owned()
    };
    let outcome = ended.outcome();
    if outcome != expected {
        let why = ended.failure().map(|failure| format!(" ({})", failure.message)).unwrap_or_default();
        return Err(format!(
            "a run that was found to be {} at {} is {}{why} when it is replayed",
            found.end.ending.word(),
            name(found.end.activity),
            outcome.word()
        ));
    }
    let is_end = matches!(expected, OutcomeKind::Terminated | OutcomeKind::Failed);
    if is_end && ended.last != found.end.activity {
        return Err(format!(
            "a run that was found to be {} at {} is so at {} when it is replayed",
            found.end.ending.word(),
            name(found.end.activity),
            name(ended.last)
        ));
    }
    let status = ended.record.statuses.last().map(|(_, text)| without_ids(text.as_str()));
    if status != found.end.status && !found.end.ending.is_cycle() {
        return Err(format!("a run that was found to be {} has another status when it is replayed", expected.word()));
    }
    Ok(())
}
