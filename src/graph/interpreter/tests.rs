use super::*;
use crate::graph::program::tests::with_program;

/// Explores a workflow of so many activities in a row, without variables.
fn explore(activities: usize, max_cost: usize) -> Paths {
    let activity = r#"{ "name": "A", "type": "Status" }"#;
    with_program(&vec![activity; activities].join(","), usize::MAX, |program, start| {
        Interpreter { max_cost, ..Interpreter::new(program) }.run(start)
    })
}

#[test]
fn exploration_ends_past_its_limit_of_facts() {
    // At each activity, at the start and the end one state, of eight entries.
    let cost = 8 * (10 + 2);
    assert!(!explore(10, cost).is_incomplete);
    assert!(explore(10, cost - 1).is_incomplete);
}

#[test]
fn loop_is_explored_until_its_first_exit() {
    let end = r#"{ "name": "If", "type": "If", "activities": [{ "name": "End", "type": "Terminate" }] }"#;
    let body = format!("{end},{}", [r#"{ "name": "A", "type": "Status" }"#; 20].join(","));
    let activities = format!(r#"{{ "name": "Loop", "type": "While", "activities": [{body}] }}"#);
    with_program(&activities, usize::MAX, |program, start| {
        let run = |interpreter: Interpreter<'_, '_>| {
            Interpreter { max_cost: 40, ..interpreter }.run_loop(ActivityId(0), start.clone(), Vec::new())
        };
        assert!(run(Interpreter::new(program)).is_incomplete);
        assert!(!run(Interpreter::new(program).until_exit()).is_incomplete);
    });
}
