//! The run of a scenario, and what people do in it.

use std::collections::BTreeMap;
use std::rc::Rc;

use jiff::SignedDuration;
use serde_json::{Map, Value, json};

use crate::common::collections::HashMap;
use crate::explore::inputs::Inputs;
use crate::explore::order::Order;
use crate::explore::search::{ApprovalRun, Choice, SearchDecision, Step};
use crate::model::{ActivityId, ActivityKind};
use crate::simulate::{Instant, Run, SigningAction};

/// A run of a search, with the input of its scenario.
pub struct ScenarioRun<'f, 'p, 's> {
    pub order: &'f Order<'p>,
    pub inputs: &'f Inputs,
    pub path: &'f [Step],
    /// The choices of a round of the cycle at its end.
    pub round: &'f [Rc<Choice>],
    /// At its end.
    pub run: &'f Run<'p, 's>,
}

/// What one person does, and how long after being asked.
type PersonAct = (SignedDuration, &'static str);

/// An address, with the cases that ask it.
type Signer = (String, Vec<(usize, Option<PersonAct>)>);

/// The answers in one run of an Approval.
type Answers = (ActivityId, ApprovalRun, Vec<(String, PersonAct)>);

/// The people who act in a run.
pub struct People {
    /// By mail address in lower case: the address, and what the person does in each case, in the order in which the
    /// cases ask.
    signers: BTreeMap<String, Signer>,
    /// How often each Approval was run.
    runs: HashMap<ActivityId, usize>,
    /// By Approval and run.
    answers: Vec<Answers>,
}

impl People {
    pub fn of(found: &ScenarioRun<'_, '_, '_>) -> Self {
        let runs = found.run.approval_runs.clone();
        let mut people = Self { signers: BTreeMap::new(), runs, answers: Vec::new() };
        for (case, mail, _) in found.run.cases.asked() {
            let (_, cases) =
                people.signers.entry(mail.to_lowercase()).or_insert_with(|| (mail.to_string(), Vec::new()));
            if !cases.iter().any(|(known, _)| *known == case) {
                cases.push((case, None));
            }
        }
        for step in found.path {
            let Step::Choice(choice) = step else { continue };
            match &choice.decision {
                SearchDecision::Signs { mail, asked, case, action } => {
                    let word = match action {
                        SigningAction::Sign => "sign",
                        SigningAction::Reject => "reject",
                    };
                    let cases = people.signers.get_mut(&mail.to_lowercase()).map(|(_, cases)| cases);
                    if let Some((_, deed)) = cases.into_iter().flatten().find(|(known, _)| known == case) {
                        *deed = Some((after(choice.at, *asked), word));
                    }
                }
                SearchDecision::Answers { who, asked, approval, approves } => {
                    let Some(activity) = choice.activity else { continue };
                    let word = if *approves { "approve" } else { "reject" };
                    people.add_answer(activity, *approval, who, (after(choice.at, *asked), word));
                }
                SearchDecision::Field { .. } | SearchDecision::Returns { .. } | SearchDecision::Fails { .. } => {}
            }
        }
        people
    }

    fn add_answer(&mut self, activity: ActivityId, run: ApprovalRun, who: &str, deed: PersonAct) {
        let known = self.answers.iter().position(|(known, of, _)| *known == activity && *of == run);
        let index = known.unwrap_or_else(|| {
            self.answers.push((activity, run, Vec::new()));
            self.answers.len() - 1
        });
        if let Some((_, _, people)) = self.answers.get_mut(index) {
            people.push((who.to_owned(), deed));
        }
    }

    /// `signing`: one entry for a person whom one case asks, otherwise a list.
    pub fn signing(&self) -> Value {
        let mut map = Map::new();
        for (mail, cases) in self.signers.values() {
            let mut deeds: Vec<Value> = cases.iter().map(|(_, deed)| deed.map_or_else(|| json!({}), shown)).collect();
            while deeds.last().is_some_and(|deed| deed.as_object().is_some_and(Map::is_empty)) {
                deeds.pop();
            }
            if deeds.is_empty() {
                continue;
            }
            let one = (cases.len() == 1).then(|| deeds.pop()).flatten();
            map.insert(mail.clone(), one.unwrap_or(Value::Array(deeds)));
        }
        Value::Object(map)
    }

    /// `approvals`: by name where names are unique, otherwise in order.
    pub fn approvals(&self, order: &Order<'_>) -> Value {
        if self.answers.is_empty() {
            return Value::Null;
        }
        let activities = &order.workflow.workflow.activities;
        let approvals = activities.iter().filter(|activity| matches!(activity.kind, ActivityKind::Approval(_)));
        let mut names: Vec<&str> = approvals.map(|activity| activity.name.value().unwrap_or_default()).collect();
        names.sort_unstable();
        let is_unique = !names.contains(&"") && names.windows(2).all(|pair| pair.first() != pair.last());
        if !is_unique {
            return self.list(|_, run| Some(run.of_all));
        }
        let mut map = Map::new();
        for (activity, ..) in &self.answers {
            let own = |of: ActivityId, run: ApprovalRun| (of == *activity).then_some(run.own);
            let list = self.list(own);
            let is_only = self.runs.get(activity).copied().unwrap_or_default() <= 1;
            // Without a list, the answers would apply to every run.
            map.insert(order.name(Some(*activity)), if is_only { one_of(list) } else { list });
        }
        Value::Object(map)
    }

    /// The answers by the number of their run.
    fn list(&self, number: impl Fn(ActivityId, ApprovalRun) -> Option<usize>) -> Value {
        let mut list: Vec<Value> = Vec::new();
        for (activity, run, people) in &self.answers {
            let Some(number) = number(*activity, *run) else { continue };
            while list.len() <= number {
                list.push(json!({}));
            }
            let people: Map<String, Value> = people.iter().map(|(who, deed)| (who.clone(), shown(*deed))).collect();
            if let Some(entry) = list.get_mut(number) {
                *entry = Value::Object(people);
            }
        }
        Value::Array(list)
    }
}

/// A list with one run is written as this run.
fn one_of(list: Value) -> Value {
    match list {
        Value::Array(mut runs) if runs.len() == 1 => runs.pop().unwrap_or_default(),
        list => list,
    }
}

fn shown((after, action): PersonAct) -> Value {
    json!({ "after": duration(after), "action": action })
}

fn after(at: Instant, asked: Instant) -> SignedDuration {
    at.since(asked)
}

/// A duration as scenarios write it, in the largest unit that fits.
pub fn duration(duration: SignedDuration) -> String {
    let seconds = duration.as_secs();
    let units = [(86_400, "d"), (3600, "h"), (60, "m")];
    let unit = units.into_iter().find(|(unit, _)| seconds > 0 && seconds % unit == 0);
    unit.map_or_else(|| format!("{seconds}s"), |(unit, name)| format!("{}{name}", seconds / unit))
}
