use serde_json::{Value, json};

use super::*;
use crate::graph::program::tests::with_program;
use crate::graph::tests::{assign, equality, inside, literal, with_analysis};
use crate::graph::visited::MAX_STATES;

/// Explores a workflow of so many activities of one type in a row, without variables.
fn explore(type_name: &str, activities: usize, max_cost: usize) -> Paths {
    let activity = format!(r#"{{ "name": "A", "type": "{type_name}" }}"#);
    with_program(&vec![activity; activities].join(","), usize::MAX, |program, start| {
        Interpreter { max_cost, ..Interpreter::new(program) }.run(start)
    })
}

#[test]
fn exploration_ends_past_its_limit_of_facts() {
    // At each If and after it, at the start and the end one state, of eight entries.
    let cost = 8 * (2 * 10 + 2);
    assert!(!explore("If", 10, cost).is_incomplete);
    assert!(explore("If", 10, cost - 1).is_incomplete);
}

#[test]
fn activities_that_change_no_state_are_passed() {
    // Two states, and one for each activity that is passed.
    let cost = 8 * 2 + 1000;
    assert!(explore("Status", 1000, cost - 1).is_incomplete);
    let paths = explore("Status", 1000, cost);
    assert!(!paths.is_incomplete);
    assert_eq!(paths.reached.count_ones(..), 1000 + 2);
}

#[test]
fn loop_is_explored_until_its_first_exit() {
    let end = r#"{ "name": "If", "type": "If", "activities": [{ "name": "End", "type": "Terminate" }] }"#;
    let body = format!("{end},{}", [r#"{ "name": "A", "type": "Status" }"#; 20].join(","));
    let activities = format!(r#"{{ "name": "Loop", "type": "While", "activities": [{body}] }}"#);
    with_program(&activities, usize::MAX, |program, start| {
        let run = |interpreter: Interpreter<'_, '_>| {
            Interpreter { max_cost: 40, ..interpreter }.run_loop(ActivityId(0), &start, Vec::new())
        };
        assert!(run(Interpreter::new(program)).is_incomplete);
        assert!(!run(Interpreter::new(program).until_exit()).is_incomplete);
    });
}

#[test]
fn activities_that_are_passed_after_a_join_count_as_merged() {
    // Each If adds a state: `Kind` has another value on each path, and `State`, which an If compares at the end.
    let choices = 2 * MAX_STATES;
    let mut activities: Vec<Value> = (0..choices)
        .map(|number| {
            let condition = equality("Kind", "equal", &literal(format!("kind {number}")));
            inside("If", &condition, &[assign("State", &format!("state {number}"))])
        })
        .collect();
    let passed = || json!({ "name": "Say", "type": "Status", "statusTranslations": { "en-US": "Done" } });
    activities.extend([passed(), passed()]);
    activities.push(inside("If", &equality("State", "equal", &literal("state 1")), &[]));
    with_analysis(&activities, |analysis| {
        let is_merged = |number: usize| analysis.is_merged(ActivityId(u32::try_from(number).unwrap()));
        assert!(!is_merged(0));
        assert!([0, 1, 2].iter().all(|after| is_merged(2 * choices + after)));
    });
}
