//! Workflows for tests of the analysis: some that tests write, and any with a few variables. Unions of states and slices of
//! the workflow change no answer.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::effects::{OpaqueActivities, VarId};
use super::interpreter::Interpreter;
use super::path_query::{PathQuery, QueryFacts};
use super::paths::Paths;
use super::{Analysis, Scope, analyze};
use crate::common::limits::MAX_STATES;
use crate::config::{Config, Types};
use crate::document::{Document, Limits};
use crate::model::{ActivityId, Lowering, Workflow};
use crate::project::{ServiceDeclarations, ServiceModel};
use crate::text::suggest::Suggester;

const VARIABLES: [&str; 5] = ["Kind", "Place", "State", "SMail", "SStatus"];

/// Calls a function with the analysis of a workflow with these activities.
fn with_analysis<T>(activities: &[Value], run: impl FnOnce(&Analysis<'_>) -> T) -> T {
    let variable = |(id, name)| json!({ "id": id, "name": name, "variableType": "String", "isInputParameter": id < 3 });
    let variables: Vec<Value> = (1..).zip(VARIABLES).map(variable).collect();
    let text = json!({ "activities": activities, "variables": variables }).to_string();
    let document = Document::parse(text, Limits::default()).unwrap();
    let (config, types, suggester) = (Config::default(), Types::default(), Suggester::default());
    let workflow = Workflow::lower(Lowering { document: &document, types: &types, suggester: &suggester });
    let model = ServiceModel::of_workflow(&document, &workflow);
    let declarations = ServiceDeclarations::new(&model).of_workflow(&model.workflows[0]);
    let scope = Scope::new(declarations, &config, &suggester, Some(&workflow));
    let (analyses, _) = analyze(&model, vec![scope], &[], &OpaqueActivities::default());
    run(&analyses[0])
}

fn equality(variable: &str, operand: &str, right: &Value) -> Value {
    json!({
        "type": "EqualityExpression", "operand": operand,
        "left": { "isBound": true, "boundTo": variable }, "right": right
    })
}

fn literal(value: impl Into<Value>) -> Value {
    json!({ "isBound": false, "value": value.into() })
}

fn bound(variable: &str) -> Value {
    json!({ "isBound": true, "boundTo": variable })
}

fn inside(kind: &str, expression: &Value, activities: &[Value]) -> Value {
    json!({ "name": kind, "type": kind, "expression": expression, "activities": activities })
}

fn assign(variable: &str, body: &str) -> Value {
    json!({ "name": "Assign", "type": "Assign", "result": bound(variable), "body": body })
}

fn publish(variable: &str) -> Value {
    json!({ "name": "Publish", "type": "Status", "status": bound(variable) })
}

fn lookup(input: &str, stops_on_error: bool) -> Value {
    let parameter = |name: &str, value: Value| json!({ "name": name, "value": value });
    json!({
        "name": "Find", "type": "Provider", "method": "Get-ZPADUser", "stopOnError": stops_on_error,
        "providerParameters": [
            parameter("Identity", json!({ "state": "bound", "boundTo": input })),
            parameter("Property", json!({ "state": "static", "value": "Mail" })),
            parameter("Prefix", json!({ "state": "static", "value": "S" })),
        ]
    })
}

fn any_activities() -> impl Strategy<Value = Vec<Value>> {
    let right = prop_oneof![
        8 => select(&["a", "b", "1", "true", ""][..]).prop_map(literal),
        1 => Just(literal(1)),
        1 => select(&VARIABLES[..]).prop_map(bound),
    ];
    let variable = || select(&VARIABLES[..]);
    let condition = (variable(), select(&["equal", "notEqual"][..]), right)
        .prop_map(|(variable, operand, right)| equality(variable, operand, &right));
    let leaf = prop_oneof![
        3 => (variable(), select(&["a", "b", "", "{Kind}", "x{Place}"][..])).prop_map(|(name, body)| assign(name, body)),
        2 => variable().prop_map(publish),
        2 => (variable(), any::<bool>()).prop_map(|(input, stops)| lookup(input, stops)),
        1 => Just(json!({ "name": "End", "type": "Terminate" })),
    ];
    let activity = leaf.prop_recursive(3, 24, 4, move |inner| {
        let kind = prop_oneof![4 => Just("If"), 1 => Just("While")];
        (kind, condition.clone(), vec(inner, 0..4)).prop_map(|(kind, condition, all)| inside(kind, &condition, &all))
    });
    vec(activity, 1..10)
}

/// Explores a workflow of so many activities of one type in a row, without variables.
fn is_explored(type_name: &str, activities: usize, max_cost: usize) -> bool {
    with_analysis(&vec![json!({ "name": "A", "type": type_name }); activities], |analysis| {
        !Interpreter::new(analysis).within(max_cost).run().is_incomplete
    })
}

#[test]
fn exploration_ends_past_its_limit_of_facts() {
    // One state of eight entries at the start, at each If and at the end. After each If, two pass, which are compared.
    let cost = 8 * (10 + 2) + 3 * 10;
    assert!(is_explored("If", 10, cost));
    assert!(!is_explored("If", 10, cost - 1));
    // Activities that change no state are passed.
    assert!(is_explored("Status", 1000, 8 * 2 + 1000));
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
    activities.push(inside("If", &equality("State", "equal", &literal("state 1")), &[]));
    with_analysis(&activities, |analysis| {
        let is_merged = |number: usize| analysis.is_merged(ActivityId(u32::try_from(number).unwrap()));
        assert!(!is_merged(0));
        assert!(is_merged(2 * choices));
    });
}

/// What rules use: not by how many paths something is known, nor which one explains it.
fn verdicts(paths: &Paths<'_>) -> impl PartialEq + std::fmt::Debug {
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

fn is_limited(paths: &Paths<'_>) -> bool {
    paths.is_incomplete || !paths.merged.is_clear()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn unions_lose_nothing(activities in any_activities()) {
        with_analysis(&activities, |analysis| {
            let apart = Interpreter::new(analysis).explaining().run();
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

/// Which writes of a variable reach which of its reads, and the end: each write is a fact.
struct Reaching<'a> {
    analysis: &'a Analysis<'a>,
    variable: VarId,
    found: BTreeSet<(Option<ActivityId>, u32)>,
}

impl Reaching<'_> {
    fn find(&mut self, at: Option<ActivityId>, facts: &QueryFacts) {
        self.found.extend(facts.ids().map(|write| (at, write)));
    }
}

impl PathQuery for Reaching<'_> {
    fn run(&mut self, activity: ActivityId, failed: bool, facts: &mut QueryFacts) {
        let Some(effects) = self.analysis.effects(activity) else { return };
        if effects.reads.iter().any(|read| read.variable == self.variable) {
            self.find(Some(activity), facts);
        }
        if !failed && effects.writes.to(self.variable).next().is_some() {
            facts.retain(|_| false);
            facts.set(activity.0, 0);
        }
    }

    fn exit(&mut self, facts: &QueryFacts) {
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
    let interpreter = Interpreter::new(analysis);
    let interpreter = if is_sliced { interpreter } else { interpreter.unsliced() };
    assert!(interpreter.run_query(&mut query, &mut left));
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
