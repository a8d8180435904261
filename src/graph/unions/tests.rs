//! An exploration with unions finds the same as one that keeps all paths apart.

use proptest::prelude::*;
use serde_json::Value;

use crate::graph::interpreter::Interpreter;
use crate::graph::paths::Paths;
use crate::graph::tests::{any_activities, assign, equality, inside, literal, publish, with_analysis};

/// What rules use: not by how many paths something is known, nor which one explains it.
fn verdicts(paths: &Paths) -> impl PartialEq + std::fmt::Debug {
    let outcomes = paths.outcomes.iter().map(|(id, outcomes)| {
        let (may_hold, may_fail) = (outcomes.is_true || outcomes.undecided, outcomes.is_false || outcomes.undecided);
        (*id, may_hold, may_fail, outcomes.is_constant())
    });
    (
        paths.reached.ones().collect::<Vec<_>>(),
        outcomes.collect::<Vec<_>>(),
        paths.unassigned.keys().copied().collect::<Vec<_>>(),
        paths.overwrites.clone(),
        paths.read_outputs.clone(),
    )
}

fn is_limited(paths: &Paths) -> bool {
    paths.is_incomplete || !paths.merged.is_clear()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn unions_lose_nothing(activities in any_activities()) {
        with_analysis(&activities, |analysis| {
            let apart = Interpreter::new(analysis.program()).explaining().run(analysis.start.for_exploration());
            prop_assert!(is_limited(&apart) || !is_limited(&analysis.paths));
            if !is_limited(&apart) {
                prop_assert_eq!(verdicts(&analysis.paths), verdicts(&apart));
            }
            Ok(())
        })?;
    }
}

/// So many Ifs, each twice, on a variable of their own.
fn independent_conditions(number: usize) -> Vec<Value> {
    let compare =
        |at: usize| inside("If", &equality(&format!("Kind{at}"), "equal", &literal("a")), &[publish("Place")]);
    (0..2).flat_map(|_| (0..number).map(compare)).collect()
}

#[test]
fn independent_conditions_do_not_multiply() {
    with_analysis(&independent_conditions(30), |analysis| assert!(!is_limited(&analysis.paths)));
}

#[test]
fn a_later_condition_separates_united_paths_again() {
    let compare = |operand: &str, activity: Value| inside("If", &equality("Kind", operand, &literal("a")), &[activity]);
    let unassigned = |first: &str, second: &str| {
        let decide = |operand: &str| compare(operand, publish("Place"));
        let activities = [decide("equal"), compare(first, assign("State", "x")), compare(second, publish("State"))];
        with_analysis(&activities, |analysis| analysis.paths.unassigned.len())
    };
    assert_eq!(unassigned("equal", "equal"), 0);
    assert_eq!(unassigned("equal", "notEqual"), 1);
}

#[test]
fn variables_compared_with_numbers_stay_apart() {
    // The number 1 equals the text "1" and the text "1.0", which differ.
    let compare = |value: Value, inner: Vec<Value>| inside("If", &equality("Kind", "equal", &literal(value)), &inner);
    let last = compare("1.0".into(), vec![]);
    let activities = [compare("1".into(), vec![publish("Place")]), compare(1.into(), vec![last])];
    with_analysis(&activities, |analysis| {
        let outcomes = analysis.paths.outcomes.values().last().unwrap();
        assert!(outcomes.is_true && outcomes.is_false);
    });
}
