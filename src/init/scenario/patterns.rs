//! Which of several values a pattern matches, by the engine that also runs the form.

use crate::script::{Answer, Job, JsonVariable, Sandbox};

/// Seconds for one pattern; one that backtracks longer counts as matching nothing.
const MAX_SECONDS: f64 = 2.0;

/// Bytes of all values that are tried.
const MAX_BYTES: usize = 1 << 20;

/// Finds the first value that the pattern of a field matches; its index.
pub fn first_match(sandbox: &mut Sandbox, pattern: &str, values: &[String]) -> Option<usize> {
    if pattern.is_empty() {
        return (!values.is_empty()).then_some(0);
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
        script: "var expression = new RegExp(Pattern);\n\
                 Json = String(JSON.parse(Values).findIndex(function (value) { return expression.test(value); }));"
            .to_owned(),
        variables: vec![
            ("Pattern".to_owned(), pattern.to_owned()),
            ("Values".to_owned(), serde_json::to_string(&values).unwrap_or_default()),
        ],
        hosts: Vec::new(),
        setup: None,
        now_ms: 0,
        seed: 0,
        seconds: MAX_SECONDS,
        max_polls: None,
    };
    match sandbox.run(&job) {
        Ok(Answer::Done { json: JsonVariable::Text(index) }) => index.parse().ok(),
        _ => None,
    }
}
