//! Scenarios that replay the runs of a search.

mod base;
mod parts;
mod people;
mod providers;

pub use base::base;
pub use parts::{masked_base, part};
pub use people::ScenarioRun;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use self::base::value_of;
use self::people::People;
use self::providers::Results;
use super::inputs::Section;
use super::search::{SearchDecision, Step};
use crate::simulate::scenario::OutcomeKind;
use crate::simulate::{Ended, GENERATED_ID_PREFIX, Plan};

/// Steps that a scenario may take without a limit of its own (docs/scenarios.md).
const DEFAULT_STEPS: u64 = 100_000;
/// Days of a scenario without a limit of its own.
const DEFAULT_DAYS: i64 = 3650;

impl ScenarioRun<'_, '_, '_> {
    /// The scenario without its name and expectations.
    pub fn scenario(self) -> Map<String, Value> {
        let mut map = base(self.order, self.inputs);
        self.submit(&mut map);
        let people = People::of(&self);
        insert(&mut map, "signing", people.signing());
        insert(&mut map, "approvals", people.approvals(self.order));
        let results = Results::of(&self);
        insert(&mut map, "faults", results.faults());
        insert(&mut map, "providers", results.providers());
        let mut limits = Map::new();
        if self.run.steps + self.run.steps / 2 > DEFAULT_STEPS {
            limits.insert("steps".to_owned(), json!(self.run.steps.saturating_mul(2)));
        }
        let days = self.run.clock.now().since_start().as_hours() / 24;
        if days + 1 > DEFAULT_DAYS {
            limits.insert("virtual-time".to_owned(), json!(format!("{}d", days.saturating_mul(2))));
        }
        insert(&mut map, "limits", Value::Object(limits));
        map
    }

    /// Replaces the usual values by those that the run submits.
    fn submit(&self, map: &mut Map<String, Value>) {
        for step in self.path {
            let Step::Choice(choice) = step else { continue };
            let SearchDecision::Field { field, alternative } = choice.decision else { continue };
            let Some(input) = self.inputs.fields.get(field) else { continue };
            let Some(chosen) = input.alternatives.get(alternative).filter(|_| alternative > 0) else { continue };
            let section = match input.section {
                Section::Submit => "submit",
                Section::Variables => "variables",
            };
            let entries = map.entry(section).or_insert_with(|| json!({}));
            if let Some(entries) = entries.as_object_mut() {
                entries.insert(input.name.clone(), value_of(&chosen.value));
            }
        }
    }
}

fn insert(map: &mut Map<String, Value>, key: &str, value: Value) {
    let is_empty = match &value {
        Value::Array(values) => values.is_empty(),
        Value::Object(values) => values.is_empty(),
        Value::Null => true,
        _ => false,
    };
    if !is_empty {
        map.insert(key.to_owned(), value);
    }
}

/// Maximum number of published texts that are listed: the last ones.
const MAX_STATUSES: usize = 8;

/// A scenario with its name and expectations.
pub fn with_expectations(map: Map<String, Value>, name: &str, expect: Map<String, Value>) -> Map<String, Value> {
    let mut all = Map::new();
    all.insert("name".to_owned(), json!(name));
    all.extend(map);
    all.insert("expect".to_owned(), Value::Object(expect));
    all
}

/// What the run of a scenario showed.
pub fn expectations(plan: &Plan<'_>, ended: &Ended<'_>) -> Map<String, Value> {
    let mut expect = Map::new();
    let outcome = ended.outcome();
    expect.insert("outcome".to_owned(), json!(outcome.word()));
    let texts: Vec<&str> = ended.record.statuses.iter().map(|(_, text)| text.as_str()).collect();
    let is_whole = texts.len() <= MAX_STATUSES && outcome != OutcomeKind::Stuck;
    let statuses: Vec<&str> = match texts.last() {
        Some(last) if !is_whole => vec!["...", last],
        _ => texts,
    };
    if !statuses.is_empty() || is_whole {
        expect.insert("statuses".to_owned(), json!(statuses));
    }
    let failure = ended.failure().filter(|_| outcome == OutcomeKind::Failed);
    if let Some(failure) = failure.filter(|failure| !failure.message.contains(GENERATED_ID_PREFIX)) {
        expect.insert("failure".to_owned(), json!(failure.message));
    }
    let approvals = approvals(plan, ended);
    if !approvals.is_empty() {
        expect.insert("approvals".to_owned(), json!(approvals));
    }
    expect
}

/// The last decision of each Approval that has a name of its own.
pub fn approvals(plan: &Plan<'_>, ended: &Ended<'_>) -> BTreeMap<String, String> {
    let decided = ended.record.approvals.iter().filter_map(|(id, decision)| {
        let name = plan.activity(*id)?.name.value()?;
        Some((name.to_owned(), decision.word().to_owned()))
    });
    decided.collect()
}
