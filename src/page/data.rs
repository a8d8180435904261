//! The data of the page's script: `wflint schema page` describes it. Every string is redacted already.

use std::borrow::Cow;
use std::mem;

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::common::collections::IndexSet;
use crate::explore::{GraphMove, StateGraph};
use crate::report::visible;
use crate::simulate::{RunEvent, steps};

/// What the player and "Try it" need.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PageData {
    version: u8,
    /// In the order of the page.
    pub services: Vec<ServiceData>,
}

impl PageData {
    pub const fn new(services: Vec<ServiceData>) -> Self {
        Self { version: 1, services }
    }

    /// As JSON that may stand in a `<script>`: without `<`, which could end it.
    pub fn json(&self) -> String {
        // Plain data cannot fail.
        let mut data = serde_json::to_value(self).unwrap_or_default();
        show_hidden(&mut data);
        data.to_string().replace('<', "\\u003c")
    }
}

/// Shows characters that nothing shows, or that turn the text after them, as escapes.
fn show_hidden(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(shown) = visible(text) {
                *text = shown;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(show_hidden),
        Value::Object(map) => {
            map.values_mut().for_each(show_hidden);
            if map.keys().any(|key| matches!(visible(key), Cow::Owned(_))) {
                *map = mem::take(map).into_iter().map(|(key, value)| (visible(&key).into_owned(), value)).collect();
            }
        }
        _ => {}
    }
}

/// Events and their texts are written once for a service: runs and moves refer to them.
#[derive(Debug, Clone, PartialEq)]
pub struct ServiceData {
    /// That of its section.
    pub id: String,
    pub name: String,
    /// In the order of the text, so that the index is the id of an activity.
    pub activities: Vec<ActivityData>,
    /// Those of ends, scenarios, and broken laws.
    pub runs: Vec<RunData>,
    /// `None` if nothing is embedded.
    pub graph: Option<StateGraph>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ActivityData {
    pub pointer: String,
    pub name: String,
    /// The type, in a word.
    pub word: String,
    /// How often scenarios began it; `None` without scenarios.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub begun: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunData {
    /// Unique in the service: `end-1`, `scenario-2`, `law-1`.
    pub id: String,
    pub kind: RunKind,
    pub title: String,
    /// In a word.
    pub outcome: String,
    pub events: Vec<RunEvent>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunKind {
    End,
    Scenario,
    Law,
}

/// A service as it is written.
#[derive(Serialize)]
struct WrittenService<'d> {
    id: &'d str,
    name: &'d str,
    activities: &'d [ActivityData],
    texts: Vec<String>,
    events: Vec<Value>,
    runs: Vec<WrittenRun<'d>>,
    #[serde(rename = "try", skip_serializing_if = "Option::is_none")]
    graph: Option<StateGraph>,
}

#[derive(Serialize)]
struct WrittenRun<'d> {
    id: &'d str,
    kind: RunKind,
    title: &'d str,
    outcome: &'d str,
    /// As [`steps`].
    events: Vec<(i64, usize, usize)>,
}

impl Serialize for ServiceData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tables = Tables::default();
        let runs = self.runs.iter().map(|run| WrittenRun {
            id: &run.id,
            kind: run.kind,
            title: &run.title,
            outcome: &run.outcome,
            events: steps(run.events.iter().map(|event| (event.at, tables.event(event)))),
        });
        let runs = runs.collect();
        let mut graph = self.graph.clone();
        if let Some(graph) = &mut graph {
            let indices: Vec<usize> = mem::take(&mut graph.events).iter().map(|event| tables.event(event)).collect();
            let moves = graph.states.iter_mut().flat_map(|state| &mut state.moves).chain([&mut graph.start]);
            moves.for_each(|made| renumber(made, &indices));
        }
        let (texts, events) = tables.written();
        let (id, name, activities) = (&self.id, &self.name, &self.activities);
        WrittenService { id, name, activities, texts, events, runs, graph }.serialize(serializer)
    }
}

fn renumber(made: &mut GraphMove, indices: &[usize]) {
    for (_, event) in &mut made.events {
        *event = indices.get(*event).copied().unwrap_or_default();
    }
}

/// The events of a service, each once, in the order in which runs come to them.
#[derive(Default)]
struct Tables {
    events: IndexSet<RunEvent>,
}

impl Tables {
    /// The index of an event, whenever it happens.
    fn event(&mut self, event: &RunEvent) -> usize {
        self.events.insert_full(RunEvent { at: 0, ..event.clone() }).0
    }

    /// Their texts, each once, and the events that refer to them: kind, text, activity, variable, value, without those
    /// at the end that it does not have.
    fn written(self) -> (Vec<String>, Vec<Value>) {
        let mut texts: IndexSet<String> = IndexSet::default();
        let mut number = |text: String| Value::from(texts.insert_full(text).0);
        let events = self.events.into_iter().map(|event| {
            let activity = event.activity.map(|activity| Value::from(activity.0));
            let parts = [activity, event.variable.map(&mut number), event.value.map(&mut number)];
            let end = parts.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
            let parts = parts.into_iter().take(end).map(Option::unwrap_or_default);
            let kind = serde_json::to_value(event.kind).unwrap_or_default();
            [kind, number(event.text)].into_iter().chain(parts).collect()
        });
        let events: Vec<Value> = events.collect();
        (texts.into_iter().collect(), events)
    }
}
