//! The limit of suggestions: a service with too many unknown names is an info.

use wflint::common::limits::MAX_COMPARED_CELLS;
use wflint::schema::Element;

use super::analysis::workflow;
use crate::support::linted::lint_texts;

const KNOWN: usize = 1250;

/// Lints a workflow that uses so many undefined variables, none of them similar to a known one.
fn undefined(number: usize) -> Vec<String> {
    let status = |at: usize| {
        format!(r#"{{ "name": "P", "type": "Status", "status": {{ "isBound": true, "boundTo": "x{at}" }} }}"#)
    };
    let activities: Vec<String> = (0..number).map(status).collect();
    let names = (0..KNOWN).map(|at| format!("a name that is too long to be similar to one of the others {at}"));
    let text = workflow(names, &activities);
    lint_texts(&[("a.workflow.json", text.as_bytes())], 1).codes()
}

#[test]
fn unknown_names_without_suggestions_are_reported() {
    // Four cells for each pair of names; there is one more declared name, which the platform has as well, and four others of it.
    let limit = usize::try_from(MAX_COMPARED_CELLS).unwrap();
    let most = limit / (4 * (KNOWN + 6));
    let is_reported = |number: usize| undefined(number).contains(&"WF416i".to_owned());
    assert!(!is_reported(most));
    assert!(is_reported(most + 1));
}

/// Lints workflows whose activities have so many unknown keys each, none of them similar to a known one.
fn unknown_keys(numbers: &[usize]) -> Vec<String> {
    let document = |number: usize| {
        let keys =
            (0..number).map(|at| format!(r#""a key that is too long to be similar to one of the others {at}": 1"#));
        let keys: Vec<String> = keys.collect();
        workflow(std::iter::empty(), &[format!(r#"{{ "name": "P", "type": "Sequence", {} }}"#, keys.join(","))])
    };
    let named = numbers.iter().enumerate().map(|(at, &number)| (format!("{at}.workflow.json"), document(number)));
    let files: Vec<(String, String)> = named.collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    lint_texts(&files, 1).codes()
}

#[test]
fn keys_of_one_document_leave_those_of_others_their_suggestions() {
    // Four cells for each pair of keys.
    let limit = usize::try_from(MAX_COMPARED_CELLS).unwrap();
    let most = limit / (4 * Element::Activity.known_members().iter().count());
    let is_reported = |numbers: &[usize]| unknown_keys(numbers).contains(&"WF416i".to_owned());
    assert!(!is_reported(&[most, most]));
    assert!(is_reported(&[most + 1]));
}
