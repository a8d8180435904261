//! The limits of exploring: a search ends at them, and says so.

use serde_json::{Value, json};

use crate::simulate::order::{assign, conditional, order};

/// Why an order is not explored completely.
fn cut(activities: &Value, variables: &[&str], max_states: &str) -> String {
    let output = order(activities, variables).run(&["explore", "--max-states", max_states]);
    assert_eq!(output.code, 2, "{}", output.err());
    let reason = output.err().split_once("not explored completely: ").map(|(_, reason)| reason);
    let reason = reason.unwrap_or_else(|| panic!("{}", output.err()));
    reason.split([';', '\n']).next().unwrap().to_owned()
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
#[ignore = "slow: `.ci/full slow`"]
fn strings_of_states_are_bounded() {
    let reason = cut(&growing(&"x".repeat(6 << 20)), &["Log", "Open"], "1000");
    let states = reason.strip_prefix("reached the limit of text at ").and_then(|rest| rest.strip_suffix(" states"));
    let states: usize = states.unwrap_or_else(|| panic!("{reason}")).parse().unwrap();
    // Each round builds and publishes 6 MiB, in two states.
    assert!((80..90).contains(&states), "{states}");
}

/// The listed entries of `no-fault`, and the number of the others.
fn faults(body: &str) -> (usize, u64) {
    let folder = order(&json!([assign("Greet", "Text", body)]), &["Text"]);
    let output = folder.run(&["explore", "--format", "json"]);
    assert_eq!(output.code, 1, "{}", output.err());
    let report = output.json();
    let law = report["laws"].as_array().unwrap().iter().find(|law| law["name"] == "no-fault").unwrap();
    assert_eq!(law["holds"], false);
    (law["broken"].as_array().unwrap().len(), law["unlisted"].as_u64().unwrap_or_default())
}

#[test]
fn faults_beyond_the_limit_are_counted() {
    let names = |number: u32| (0..number).map(|name| format!("{{n{name}}}")).collect::<String>();
    assert_eq!(faults(&names(1000)), (1000, 0));
    assert_eq!(faults(&names(1003)), (1000, 3));
    let folder = order(&json!([assign("Greet", "Text", &names(1003))]), &["Text"]);
    let shown = |format: &str| folder.run(&["explore", "--format", format]).out().to_owned();
    assert!(shown("human").contains("… 983 more runs of no-fault not shown"), "{}", shown("human"));
    assert!(shown("concise").contains("no-fault: 3 more runs not listed"), "{}", shown("concise"));
    assert!(shown("junit").contains("3 more runs not listed"), "{}", shown("junit"));
}

#[test]
fn placeholder_that_is_repeated_is_one_fault() {
    // Each would be an event of its own, beyond the limit of a run.
    assert_eq!(faults(&"{nobody}".repeat(200_001)), (1, 0));
}

#[test]
fn accepted_faults_are_not_counted() {
    let body: String = (0..1003).map(|name| format!("{{n{name}}}")).collect();
    let folder = order(&json!([assign("Greet", "Text", &body)]), &["Text"]);
    let accepted =
        "[[suppress]]\nlaw = 'no-fault'\nfile = 'order.workflow.json'\nactivity = 'Greet'\nreason = 'known'\n";
    folder.write("wflint.toml", accepted);
    let output = folder.run(&["explore", "--format", "json"]);
    assert_eq!((output.code, output.err()), (0, ""));
    assert!(output.json()["laws"][1].get("unlisted").is_none());
}

#[test]
fn people_in_states_are_bounded() {
    let people: Vec<String> = (0..3000).map(|at| format!("p{at}@example.com")).collect();
    let ask = json!([{
        "name": "Ask", "type": "Approval", "approvalType": "parallel", "required": "one", "activities": [],
        "assignees": [{ "type": "Parameter", "parameter": { "isBound": false, "value": people.join(";") } }],
    }]);
    assert_eq!(cut(&ask, &["A"], "1000"), "too many people can act at once, at 1 state");
}
