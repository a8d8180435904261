//! The data of the page's script: `wflint schema page` describes it. Every string is redacted already.

use serde::Serialize;

use crate::explore::StateGraph;
use crate::simulate::RunEvent;

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
        serde_json::to_string(self).unwrap_or_default().replace('<', "\\u003c")
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ServiceData {
    /// That of its section.
    pub id: String,
    pub name: String,
    /// In the order of the text, so that the index is the id of an activity.
    pub activities: Vec<ActivityData>,
    /// Those of ends, scenarios, and broken laws.
    pub runs: Vec<RunData>,
    /// `None` if nothing is embedded.
    #[serde(rename = "try", skip_serializing_if = "Option::is_none")]
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

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
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
