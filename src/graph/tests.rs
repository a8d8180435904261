//! Workflows for tests of the analysis: some that tests write, and any with a few variables.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::effects::OpaqueActivities;
use super::{Analysis, Scope, analyze};
use crate::config::{Config, Types};
use crate::document::{Document, Limits};
use crate::model::{Lowering, Workflow};
use crate::project::{ServiceDeclarations, ServiceModel};
use crate::suggest::Suggester;

pub const VARIABLES: [&str; 5] = ["Kind", "Place", "State", "SMail", "SStatus"];

/// Calls a function with the analysis of a workflow with these activities.
pub fn with_analysis<T>(activities: &[Value], run: impl FnOnce(&Analysis<'_>) -> T) -> T {
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

pub fn equality(variable: &str, operand: &str, right: &Value) -> Value {
    json!({
        "type": "EqualityExpression", "operand": operand,
        "left": { "isBound": true, "boundTo": variable }, "right": right
    })
}

pub fn literal(value: impl Into<Value>) -> Value {
    json!({ "isBound": false, "value": value.into() })
}

pub fn bound(variable: &str) -> Value {
    json!({ "isBound": true, "boundTo": variable })
}

pub fn inside(kind: &str, expression: &Value, activities: &[Value]) -> Value {
    json!({ "name": kind, "type": kind, "expression": expression, "activities": activities })
}

pub fn assign(variable: &str, body: &str) -> Value {
    json!({ "name": "Assign", "type": "Assign", "result": bound(variable), "body": body })
}

pub fn publish(variable: &str) -> Value {
    json!({ "name": "Publish", "type": "Status", "status": bound(variable) })
}

pub fn lookup(input: &str, stops_on_error: bool) -> Value {
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

pub fn any_activities() -> impl Strategy<Value = Vec<Value>> {
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
