//! Tests which values a pattern matches, with the JavaScript engine that simulates forms.

use crate::script::{Answer, Job, JsonVariable, Sandbox, polls_of};

/// Seconds for one pattern; one that backtracks longer counts as matching nothing.
const MAX_SECONDS: f64 = 2.0;

/// Polls of the engine for the patterns of all fields of a service; further ones count as matching nothing.
const MAX_POLLS: u32 = 1000;

/// Bytes of all values that are tried.
const MAX_BYTES: usize = 1 << 20;

/// Values that are tried one by one, after all at once took too long.
const MAX_ALONE: usize = 8;
/// Seconds for each of them; together as many as for all at once.
const SECONDS_ALONE: f64 = 0.25;

/// Tests values with the patterns of one service, and what is left for them.
pub struct PatternTests<'s> {
    sandbox: &'s mut Sandbox,
    /// Counted like the budget of a run, so that the same values are found on every machine.
    polls: u32,
}

impl<'s> PatternTests<'s> {
    pub const fn new(sandbox: &'s mut Sandbox) -> Self {
        Self { sandbox, polls: MAX_POLLS }
    }

    /// Whether the pattern of a field matches each of the values.
    pub fn matching(&mut self, pattern: &str, values: &[String]) -> Vec<bool> {
        if pattern.is_empty() {
            return vec![true; values.len()];
        }
        let all = "values.map(function (value) { return expression.test(value) ? 1 : 0; }).join('')";
        if let Some(found) = self.run(pattern, values, all, MAX_SECONDS) {
            return found.bytes().map(|one| one == b'1').chain(std::iter::repeat(false)).take(values.len()).collect();
        }
        // The pattern is invalid, or takes too long on one of them.
        let alone = |(index, value): (usize, &String)| {
            let value = std::slice::from_ref(value);
            index < MAX_ALONE && self.run(pattern, value, all, SECONDS_ALONE).is_some_and(|found| found == "1")
        };
        values.iter().enumerate().map(alone).collect()
    }

    /// Evaluates an expression on the values.
    fn run(&mut self, pattern: &str, values: &[String], expression: &str, seconds: f64) -> Option<String> {
        if self.polls == 0 {
            return None;
        }
        let mut bytes = 0;
        let values: Vec<&String> = values
            .iter()
            .take_while(|value| {
                bytes += value.len();
                bytes <= MAX_BYTES
            })
            .collect();
        let job = Job {
            script: format!(
                "var expression = new RegExp(Pattern);\nvar values = JSON.parse(Values);\nJson = {expression};"
            ),
            variables: vec![
                ("Pattern".to_owned(), pattern.to_owned()),
                ("Values".to_owned(), serde_json::to_string(&values).unwrap_or_default()),
            ],
            hosts: Vec::new(),
            trace: None,
            now_ms: 0,
            seed: 0,
            // One that hardly polls is ended by its seconds.
            seconds: seconds.min(f64::from(self.polls) / f64::from(polls_of(1.0))),
            max_polls: Some(self.polls),
        };
        let reply = self.sandbox.run_counted(&job).ok()?;
        self.polls = self.polls.saturating_sub(reply.polls);
        match reply.answer {
            Answer::Done { json: JsonVariable::Text(text), .. } => Some(text),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn all_patterns_share_their_polls() {
        let mut sandbox = Sandbox::new(PathBuf::new());
        let mut tests = PatternTests { polls: 0, ..PatternTests::new(&mut sandbox) };
        let value = ["a".to_owned()];
        assert_eq!(tests.matching("a", &value), [false]);
        assert_eq!(tests.matching("", &value), [true], "not tested");
    }
}
