//! What can be played of a workflow: the runs in the data of its page, one at a time.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::text::quoted_list;

/// The data of a workflow, without "Try it".
#[derive(Debug, Clone)]
pub struct Plays {
    service: Map<String, Value>,
    runs: Vec<Map<String, Value>>,
}

/// A run that somebody wants to see, by its name or id.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Play {
    Scenario(String),
    End(String),
}

impl Plays {
    /// Reads the data of a page, as [`super::PageData`] writes it; `None` if it has no workflow.
    pub fn read(data: &str) -> Option<Self> {
        let mut data: Value = serde_json::from_str(data).ok()?;
        let Value::Object(mut service) = data.get_mut("services")?.get_mut(0)?.take() else { return None };
        let runs = service.remove("runs").unwrap_or_default();
        let runs = serde_json::from_value(runs).unwrap_or_default();
        service.remove("try");
        Some(Self { service, runs })
    }

    /// The scenarios and ends.
    pub fn list(&self) -> Value {
        let scenarios = self.of("scenario").map(|run| json!({ "name": run.get("title"), "id": run.get("id") }));
        let ends = self.of("end").map(|run| {
            let [id, title, outcome] = ["id", "title", "outcome"].map(|key| run.get(key));
            json!({ "id": id, "title": title, "outcome": outcome })
        });
        json!({ "scenarios": scenarios.collect::<Vec<_>>(), "ends": ends.collect::<Vec<_>>() })
    }

    /// The data with a run alone.
    ///
    /// # Errors
    /// There is no such run: those that there are.
    pub fn run(&self, play: &Play) -> Result<Value, String> {
        let (kind, wanted, shown) = match play {
            Play::Scenario(wanted) => ("scenario", wanted, "title"),
            Play::End(wanted) => ("end", wanted, "id"),
        };
        let text = |run: &Map<String, Value>, key| run.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let mut found = self.of(kind).find(|run| text(run, "id") == *wanted);
        if kind == "scenario" {
            found = found.or_else(|| self.of(kind).find(|run| text(run, "title") == *wanted));
        }
        let Some(run) = found else {
            let known: Vec<String> = self.of(kind).map(|run| text(run, shown)).collect();
            let expected = quoted_list(&known, "or");
            let expected = if known.is_empty() { "there is none".to_owned() } else { format!("expected {expected}") };
            return Err(format!("unknown {kind} `{wanted}`, {expected}"));
        };
        let mut service = self.service.clone();
        service.insert("runs".to_owned(), json!([run]));
        Ok(Value::Object(service))
    }

    fn of(&self, kind: &str) -> impl Iterator<Item = &Map<String, Value>> {
        self.runs.iter().filter(move |run| run.get("kind").and_then(Value::as_str) == Some(kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: &str = r#"{ "version": 1, "services": [{ "id": "a", "try": {}, "runs": [
        { "id": "end-1", "kind": "end", "title": "completed: Done", "outcome": "completed" },
        { "id": "scenario-1", "kind": "scenario", "title": "scenario-2", "outcome": "completed" },
        { "id": "scenario-2", "kind": "scenario", "title": "Signed", "outcome": "failed" }
    ] }] }"#;

    #[test]
    fn one_run_is_left() {
        let plays = Plays::read(DATA).unwrap();
        let id = |play: Play| plays.run(&play).map(|data| data["runs"][0]["id"].as_str().unwrap().to_owned());
        let scenario = |name: &str| id(Play::Scenario(name.to_owned()));
        assert_eq!(scenario("Signed").unwrap(), "scenario-2");
        assert_eq!(scenario("scenario-2").unwrap(), "scenario-2", "an id comes before a name");
        assert_eq!(id(Play::End("end-1".to_owned())).unwrap(), "end-1");
        assert_eq!(scenario("end-1").unwrap_err(), "unknown scenario `end-1`, expected `scenario-2` or `Signed`");
        let run = plays.run(&Play::End("end-1".to_owned())).unwrap();
        assert_eq!((run["runs"].as_array().unwrap().len(), run.get("try")), (1, None));
        assert_eq!(
            plays.list()["ends"][0],
            json!({ "id": "end-1", "title": "completed: Done", "outcome": "completed" })
        );
        assert_eq!(plays.list()["scenarios"][1], json!({ "name": "Signed", "id": "scenario-2" }));
        assert!(Plays::read(r#"{ "services": [] }"#).is_none());
    }
}
