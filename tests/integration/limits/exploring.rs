//! The limits of exploring: a search ends at them, and says so.

use serde_json::{Value, json};

use crate::simulate::order::{assign, conditional, order};

/// Why an order is not explored completely.
fn cut(activities: &Value, variables: &[&str], max_states: &str) -> String {
    let output = order(activities, variables).run(&["explore", "--max-states", max_states]);
    assert_eq!(output.code, 2, "{}", output.err());
    let reason = output.err().split_once("not explored completely: ").map(|(_, reason)| reason);
    let reason = reason.unwrap_or_else(|| panic!("{}", output.err()));
    reason.split(';').next().unwrap().to_owned()
}

/// A loop whose variable grows, from a text.
fn growing(text: &str) -> Value {
    let begin = assign("Begin", "Log", text);
    let publish = json!({ "name": "Publish", "type": "Status", "status": { "isBound": true, "boundTo": "Log" } });
    let grow =
        conditional("While open", ["Open", "notEqual", "no"], Some(60), &[assign("Add", "Log", "{Log}."), publish]);
    json!([begin, grow])
}

#[test]
fn search_visits_no_more_states_than_it_may() {
    for states in ["7", "20"] {
        assert_eq!(cut(&growing("."), &["Log", "Open"], states), format!("stopped at {states} states"));
    }
}

#[test]
fn values_of_states_are_bounded() {
    let reason = cut(&growing(&"x".repeat(6 << 20)), &["Log", "Open"], "1000");
    let states = reason.strip_prefix("reached the memory limit at ").and_then(|rest| rest.strip_suffix(" states"));
    let states: usize = states.unwrap_or_else(|| panic!("{reason}")).parse().unwrap();
    // Each second one has a longer status.
    assert!((15..40).contains(&states), "{states}");
}

#[test]
fn people_in_states_are_bounded() {
    let people: Vec<String> = (0..3000).map(|at| format!("p{at}@example.com")).collect();
    let ask = json!([{
        "name": "Ask", "type": "Approval", "approvalType": "parallel", "required": "one", "activities": [],
        "assignees": [{ "type": "Parameter", "parameter": { "isBound": false, "value": people.join(";") } }],
    }]);
    assert_eq!(cut(&ask, &["A"], "1000"), "reached the memory limit at 1 state");
}
