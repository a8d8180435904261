//! The states of a search as plain data, for a reader who chooses what happens.

use serde::Serialize;
use serde_json::Value;

use super::ends::Ending;
use crate::model::ActivityId;
use crate::redaction::Redactions;
use crate::simulate::{RunEvent, steps};

/// The first states of a search, and what leads from one to the next. Masked values are covered.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StateGraph {
    /// The events that moves refer to, each once; all are at 0.
    #[serde(skip)]
    pub events: Vec<RunEvent>,
    pub states: Vec<GraphState>,
    /// From the submission to the first state.
    pub start: GraphMove,
    /// In the order of the ends of the service.
    pub ends: Vec<GraphEnd>,
    pub cycles: Vec<GraphCycle>,
    /// Whether all states and moves are here.
    pub complete: bool,
    /// The scenario that all runs begin with.
    pub scenario: Value,
}

impl StateGraph {
    /// Covers the sensitive values of documents.
    pub fn redact(&mut self, redactions: &Redactions) {
        self.events.iter_mut().for_each(|event| event.redact(redactions));
        let statuses = self.ends.iter_mut().filter_map(|end| end.status.as_mut());
        statuses.for_each(|status| redactions.redact_text(status));
        redact_value(&mut self.scenario, redactions);
        for state in &mut self.states {
            state.question.iter_mut().for_each(|question| redactions.redact_text(question));
            for made in &mut state.moves {
                made.choice.iter_mut().for_each(|choice| redactions.redact_text(choice));
                made.scenario.iter_mut().for_each(|part| redact_value(part, redactions));
            }
        }
    }
}

fn redact_value(value: &mut Value, redactions: &Redactions) {
    match value {
        Value::String(text) => redactions.redact_text(text),
        Value::Array(items) => items.iter_mut().for_each(|item| redact_value(item, redactions)),
        Value::Object(map) => map.values_mut().for_each(|value| redact_value(value, redactions)),
        _ => {}
    }
}

/// A state that an order can be in.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GraphState {
    /// What is chosen; `None` when there is nothing to choose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// Where the order stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub activity: Option<ActivityId>,
    /// Empty when they are not embedded.
    pub moves: Vec<GraphMove>,
}

/// What leads from one state to the next.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GraphMove {
    /// The alternative in words; `None` when the order goes on by itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<String>,
    /// The next state. `None` at an end, and where the next state is not embedded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<usize>,
    /// The index of the end that is reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<usize>,
    /// Milliseconds.
    pub elapsed: i64,
    /// Milliseconds since the move began, and the index of the event; written as [`steps`].
    #[serde(serialize_with = "as_steps")]
    pub events: Vec<(i64, usize)>,
    /// What the choice adds to a scenario: objects are merged, arrays concatenated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scenario: Option<Value>,
}

/// An end that moves and cycles lead to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GraphEnd {
    #[serde(serialize_with = "word")]
    pub outcome: Ending,
    /// The id of its run: `end-1` for the first.
    pub run: String,
    /// The last published text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
}

/// States in which an order can stay forever.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct GraphCycle {
    /// The index of the end that this is.
    pub end: usize,
    /// Sorted.
    pub states: Vec<usize>,
}

fn as_steps<S: serde::Serializer>(events: &[(i64, usize)], serializer: S) -> Result<S::Ok, S::Error> {
    steps(events.iter().copied()).serialize(serializer)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn word<S: serde::Serializer>(ending: &Ending, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(ending.word())
}
