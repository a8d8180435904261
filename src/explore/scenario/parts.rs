//! What one choice adds to a scenario, for a reader who chooses by hand. Masked values are covered.

use serde_json::{Map, Value, json};

use super::base::{base, value_of};
use super::people::duration;
use crate::explore::inputs::{Inputs, Section};
use crate::explore::order::Order;
use crate::explore::search::{Choice, SIMULATED_FAILURE, SearchDecision};
use crate::model::ActivityKind;
use crate::redaction::Masker;
use crate::simulate::{Instant, SigningAction};

/// The scenario that all runs begin with.
pub fn masked_base(order: &Order<'_>, inputs: &Inputs, masker: &Masker) -> Value {
    let mut map = base(order, inputs);
    let fields = order.form.into_iter().flat_map(|form| &form.form.fields);
    let fields = fields.filter_map(|field| Some((field.name.value()?, field.target()?.1)));
    let fields: Vec<(&str, &str)> = fields.collect();
    for (section, entries) in &mut map {
        if !matches!(section.as_str(), "submit" | "variables") {
            continue;
        }
        for (name, value) in entries.as_object_mut().into_iter().flatten() {
            let of_field = fields.iter().find(|(field, _)| section == "submit" && field == name);
            let variable = of_field.map_or(name.as_str(), |(_, variable)| variable);
            mask_of_variable(order, variable, value);
        }
    }
    masked(Value::Object(map), masker)
}

/// Covers what the mask of a variable hides.
fn mask_of_variable(order: &Order<'_>, variable: &str, value: &mut Value) {
    let names = &order.prepared.names;
    let mask = names.slot(variable).and_then(|slot| names.mask(slot));
    if let (Some(mask), Value::String(text)) = (mask, value) {
        *text = mask.apply(text);
    }
}

/// Covers masked values in all strings and keys.
fn masked(value: Value, masker: &Masker) -> Value {
    match value {
        Value::String(text) => Value::String(masker.apply(&text).into_owned()),
        Value::Array(items) => items.into_iter().map(|item| masked(item, masker)).collect(),
        Value::Object(map) => {
            let entries = map.into_iter();
            let entries = entries.map(|(key, value)| (masker.apply(&key).into_owned(), masked(value, masker)));
            Value::Object(entries.collect())
        }
        other => other,
    }
}

/// The part that a choice adds: objects are merged, arrays concatenated. `None` for what all runs begin with.
pub fn part(order: &Order<'_>, inputs: &Inputs, choice: &Choice, masker: &Masker) -> Option<Map<String, Value>> {
    let method = || {
        let activity = order.workflow.workflow.activity(choice.activity?)?;
        activity.provider()?.method.value()
    };
    let (key, value) = match &choice.decision {
        SearchDecision::Field { field, alternative } => {
            let input = inputs.fields.get(*field)?;
            let chosen = input.alternatives.get(*alternative).filter(|_| *alternative > 0)?;
            let mut value = value_of(&chosen.value);
            mask_of_variable(order, &input.variable, &mut value);
            let section = match input.section {
                Section::Submit => "submit",
                Section::Variables => "variables",
            };
            (section, json!({ input.name.as_str(): value }))
        }
        SearchDecision::Fails { call } => {
            let method = method()?;
            let simulated = order.config.catalog.method(method).is_some_and(|method| method.simulation.is_some());
            if simulated {
                ("faults", json!([{ "method": method, "call": call, "error": SIMULATED_FAILURE }]))
            } else {
                ("providers", json!({ method: [{ "error": SIMULATED_FAILURE }] }))
            }
        }
        SearchDecision::Returns { result, .. } => {
            let result = match &result.outputs {
                Ok(outputs) => {
                    let outputs = outputs.iter().map(|(name, value)| (name.clone(), json!(&**value)));
                    json!({ "outputs": outputs.collect::<Map<String, Value>>() })
                }
                Err(error) => json!({ "error": error }),
            };
            ("providers", json!({ method()?: [result] }))
        }
        SearchDecision::Signs { mail, asked, action, .. } => {
            let action = match action {
                SigningAction::Sign => "sign",
                SigningAction::Reject => "reject",
            };
            // One entry for each case.
            ("signing", json!({ &**mail: [act(choice.at, *asked, action)] }))
        }
        SearchDecision::Answers { who, asked, approves, .. } => {
            let act = json!({ &**who: act(choice.at, *asked, if *approves { "approve" } else { "reject" }) });
            let name = order.name(choice.activity);
            let value = if is_unique(order, &name) { json!({ name: act }) } else { json!([act]) };
            ("approvals", value)
        }
    };
    match masked(json!({ key: value }), masker) {
        Value::Object(map) => Some(map),
        _ => None,
    }
}

fn act(at: Instant, asked: Instant, action: &str) -> Value {
    json!({ "after": duration(at.since(asked)), "action": action })
}

/// Whether only one Approval has a name.
fn is_unique(order: &Order<'_>, name: &str) -> bool {
    let activities = &order.workflow.workflow.activities;
    let approvals = activities.iter().filter(|activity| matches!(activity.kind, ActivityKind::Approval(_)));
    !name.is_empty() && approvals.filter(|activity| activity.name.value() == Some(name)).count() == 1
}
