//! The expectations of a scenario: what its run showed.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::simulate::scenario::OutcomeKind;
use crate::simulate::{Ended, GENERATED_ID_PREFIX, Plan};

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
