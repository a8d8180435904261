//! A query finds the same with the conditions that matter to it as with all.

use std::collections::BTreeSet;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use crate::graph::Analysis;
use crate::graph::effects::VarId;
use crate::graph::interpreter::Interpreter;
use crate::graph::path_query::{Facts, PathQuery};
use crate::graph::tests::{VARIABLES, any_activities, assign, equality, inside, literal, publish, with_analysis};
use crate::graph::visited::MAX_STATES;
use crate::model::ActivityId;

/// Which writes of a variable reach which of its reads, and the end: each write is a fact.
struct Reaching<'a> {
    analysis: &'a Analysis<'a>,
    variable: VarId,
    found: BTreeSet<(Option<ActivityId>, u32)>,
}

impl Reaching<'_> {
    fn find(&mut self, at: Option<ActivityId>, facts: &Facts) {
        self.found.extend(facts.ids().map(|write| (at, write)));
    }
}

impl PathQuery for Reaching<'_> {
    fn run(&mut self, activity: ActivityId, failed: bool, facts: &mut Facts) {
        let Some(effects) = self.analysis.effects(activity) else { return };
        if effects.reads.iter().any(|read| read.variable == self.variable) {
            self.find(Some(activity), facts);
        }
        if !failed && effects.writes.to(self.variable).next().is_some() {
            facts.retain(|_| false);
            facts.set(activity.0, 0);
        }
    }

    fn exit(&mut self, facts: &Facts) {
        self.find(None, facts);
    }

    fn concerns(&self, activity: ActivityId) -> bool {
        let effects = self.analysis.effects(activity);
        effects.is_some_and(|effects| {
            effects.reads.iter().any(|read| read.variable == self.variable)
                || effects.writes.to(self.variable).next().is_some()
        })
    }

    fn is_done(&self) -> bool {
        false
    }
}

const BUDGET: usize = 4_000_000;

/// The reads that writes of a variable reach, and what that cost.
fn reaching(analysis: &Analysis<'_>, name: &str, is_sliced: bool) -> (BTreeSet<(Option<ActivityId>, u32)>, usize) {
    let Some(variable) = analysis.names.id(name) else { return (BTreeSet::new(), 0) };
    let mut query = Reaching { analysis, variable, found: BTreeSet::new() };
    let mut left = BUDGET;
    let interpreter = Interpreter::new(analysis.program());
    let interpreter = if is_sliced { interpreter } else { interpreter.unsliced() };
    let followed = interpreter.run_query(analysis.start.for_exploration(), &mut query, &mut left);
    assert!(followed.is_complete);
    (query.found, BUDGET - left)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn conditions_that_do_not_matter_change_no_answer(activities in any_activities(), name in select(&VARIABLES[..])) {
        with_analysis(&activities, |analysis| {
            let (found, cost) = reaching(analysis, name, false);
            // With fewer, no states are merged.
            if cost < 8 * MAX_STATES {
                prop_assert_eq!(reaching(analysis, name, true).0, found);
            }
            Ok(())
        })?;
    }
}

#[test]
fn ifs_that_do_not_matter_are_passed() {
    let compare =
        |at: usize, inner: Value| inside("If", &equality(&format!("Kind{at}"), "equal", &literal("a")), &[inner]);
    let others = || (1..9).map(|at| compare(at, publish("Place")));
    let matters = || [compare(0, assign("State", "x"))];
    let activities: Vec<Value> =
        others().chain(matters()).chain(others()).chain(matters()).chain([publish("State")]).collect();
    with_analysis(&activities, |analysis| {
        let ((sliced, cost), (whole, full_cost)) =
            (reaching(analysis, "State", true), reaching(analysis, "State", false));
        assert_eq!((sliced, cost * 2 < full_cost), (whole, true));
    });
}
