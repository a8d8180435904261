//! The limit of suggestions: a service with too many unknown names is an info.

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
    // Four cells for each pair of names; there is one more declared name, which the platform has as well.
    let limit = usize::try_from(super::rows()["Comparisons for suggestions in one service"]).unwrap();
    let most = limit / (4 * (KNOWN + 2));
    let is_reported = |number: usize| undefined(number).contains(&"WF416i".to_owned());
    assert!(!is_reported(most));
    assert!(is_reported(most + 1));
}
