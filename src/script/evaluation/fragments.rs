//! JSON as the value of a parameter: whether a script that inserts parameters into JSON outside of strings, or passes
//! one on, builds a correct case depends on what is in them, and an order may bring such values.

use std::collections::BTreeSet;

use super::request::EvaluationRequest;
use super::samples::Sample;

/// What each of these parameters is in one run: a value of each type, a party, and a whole case.
const FRAGMENTS: [&str; 9] = [
    "true",
    "null",
    " ",
    "\"text\"",
    "[]",
    "{}",
    "[{}]",
    r#"{"Name":"Anna Example","EmailAddress":"anna@example.com","AnyoneCanSign":true}"#,
    r#"{"Name":"Case","Parties":[{"Name":"Anna Example","EmailAddress":"anna@example.com","AnyoneCanSign":true}]}"#,
];

/// The parameters of a sample whose made-up values are in `text` outside of JSON strings, by index.
pub(super) fn outside_strings(request: &EvaluationRequest<'_>, sample: &Sample, text: &str) -> BTreeSet<usize> {
    let mut rest: Vec<(usize, &str)> = request
        .open_parameters()
        .filter_map(|(index, _)| Some((index, sample.values.get(index)?)))
        .filter(|(_, value)| value.is_made_up && !value.text.is_empty())
        .map(|(index, value)| (index, value.text.as_str()))
        .collect();
    let mut found = BTreeSet::new();
    let (mut is_in_string, mut is_escaped) = (false, false);
    for (at, letter) in text.char_indices() {
        if !is_in_string {
            let after = text.get(at..).unwrap_or_default();
            rest.retain(|&(index, value)| !after.starts_with(value) || !found.insert(index));
        }
        is_in_string ^= letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
    }
    found
}

/// A sample with each fragment as the value of some parameters.
pub(super) fn with_fragments(sample: &Sample, parameters: &BTreeSet<usize>) -> impl Iterator<Item = Sample> {
    FRAGMENTS.into_iter().filter(|_| !parameters.is_empty()).map(move |fragment| {
        let mut changed = Sample { is_plausible: false, is_guess: true, ..sample.clone() };
        for &index in parameters {
            if let Some(value) = changed.values.get_mut(index) {
                fragment.clone_into(&mut value.text);
            }
        }
        changed
    })
}

/// Whether `text` is the made-up value of a parameter, which the script only passes on.
pub(super) fn is_passed_on(sample: &Sample, text: &str) -> bool {
    sample.values.iter().any(|value| value.is_made_up && value.text.trim() == text.trim())
}
