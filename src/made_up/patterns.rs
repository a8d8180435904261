//! Tests which values a pattern matches, with the JavaScript engine that simulates forms.

use crate::script::{Answer, Job, JsonVariable, Sandbox};

/// Seconds for one pattern; one that backtracks longer counts as matching nothing.
const MAX_SECONDS: f64 = 2.0;

/// Bytes of all values that are tried.
const MAX_BYTES: usize = 1 << 20;

/// Values that are tried one by one, after all at once took too long.
const MAX_ALONE: usize = 8;
/// Seconds for each of them; together as many as for all at once.
const SECONDS_ALONE: f64 = 0.25;

/// Finds the first value that the pattern of a field matches; its index.
pub fn first_match(sandbox: &mut Sandbox, pattern: &str, values: &[String]) -> Option<usize> {
    if pattern.is_empty() {
        return (!values.is_empty()).then_some(0);
    }
    let find = "String(values.findIndex(function (value) { return expression.test(value); }))";
    run(sandbox, pattern, values, find, MAX_SECONDS)?.parse().ok()
}

/// Whether the pattern of a field matches each of the values.
pub fn matching(sandbox: &mut Sandbox, pattern: &str, values: &[String]) -> Vec<bool> {
    if pattern.is_empty() {
        return vec![true; values.len()];
    }
    let all = "values.map(function (value) { return expression.test(value) ? 1 : 0; }).join('')";
    if let Some(found) = run(sandbox, pattern, values, all, MAX_SECONDS) {
        return found.bytes().map(|one| one == b'1').chain(std::iter::repeat(false)).take(values.len()).collect();
    }
    // The pattern is invalid, or takes too long on one of them.
    let alone = |(index, value): (usize, &String)| {
        index < MAX_ALONE
            && run(sandbox, pattern, std::slice::from_ref(value), all, SECONDS_ALONE).is_some_and(|found| found == "1")
    };
    values.iter().enumerate().map(alone).collect()
}

/// Evaluates an expression on the values.
fn run(sandbox: &mut Sandbox, pattern: &str, values: &[String], expression: &str, seconds: f64) -> Option<String> {
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
        setup: None,
        now_ms: 0,
        seed: 0,
        seconds,
        max_polls: None,
    };
    match sandbox.run(&job) {
        Ok(Answer::Done { json: JsonVariable::Text(text) }) => Some(text),
        _ => None,
    }
}
