//! The possible results of methods that the simulator does not implement.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use super::search::{FieldChoices, PossibleResult, PossibleResults, static_prefix};
use crate::common::collections::HashMap;
use crate::model::{Activity, ActivityId};
use crate::simulate::Plan;
use crate::synth::Comparisons;

/// Maximum number of results that are tried for one call.
const MAX_RESULTS: usize = 64;

/// A value that no condition compares with.
const OTHER: &str = "other";

/// By activity, the results of its call, the usual first.
pub fn results(
    plan: &Plan<'_>,
    comparisons: &Comparisons,
    fields: &FieldChoices,
) -> HashMap<ActivityId, PossibleResults> {
    let unknown = plan.workflow.activities.iter().filter_map(|activity| {
        let name = activity.provider()?.method.value()?;
        let method = plan.config.catalog.method(name);
        if method.is_some_and(|method| method.simulation.is_some()) {
            return None;
        }
        let prefix = static_prefix(activity).unwrap_or_default();
        let mut results: Vec<Vec<(String, Arc<str>)>> = vec![Vec::new()];
        // What only a result sets matters where a condition reads it.
        let common = plan.config.catalog.result_outputs().filter(|name| !comparisons.all_texts(name).is_empty());
        let common = common.map(|name| (name.to_owned(), Vec::new()));
        for (property, statuses) in outputs(plan, activity, prefix).into_iter().chain(common) {
            let variable = plan.config.catalog.output_variable(method, prefix, &property);
            let values = values(&variable, &statuses, compared(plan, comparisons, fields, &variable));
            results = results
                .iter()
                .flat_map(|known| {
                    values
                        .iter()
                        .map(|value| {
                            let mut result = known.clone();
                            result.push((property.clone(), Arc::clone(value)));
                            result
                        })
                        .collect::<Vec<_>>()
                })
                .take(MAX_RESULTS)
                .collect();
        }
        let result = |outputs| Rc::new(PossibleResult { answer: None, outputs: Ok(outputs) });
        Some((activity.id, results.into_iter().map(result).collect()))
    });
    unknown.collect()
}

/// The names of the outputs without the prefix, with the statuses that a catalog lists.
fn outputs(plan: &Plan<'_>, activity: &Activity<'_>, prefix: &str) -> Vec<(String, Vec<String>)> {
    let method = activity.provider().and_then(|it| it.method.value()).and_then(|name| plan.config.catalog.method(name));
    if let Some(method) = method {
        let named = method.outputs.iter().filter_map(|output| {
            let statuses = output.statuses.iter().map(|status| status.value.clone()).collect();
            Some((output.name.clone()?, statuses))
        });
        return named.collect();
    }
    if prefix.is_empty() {
        return Vec::new();
    }
    let names = plan.names.iter().filter_map(|name| name.strip_prefix(prefix));
    names.filter(|name| !name.is_empty()).map(|name| (name.to_owned(), Vec::new())).collect()
}

/// The texts that conditions compare a variable with, and the values that those variables may begin with that it is
/// compared with.
fn compared(plan: &Plan<'_>, comparisons: &Comparisons, fields: &FieldChoices, variable: &str) -> BTreeSet<Arc<str>> {
    if plan.names.slot(variable).is_none() {
        return BTreeSet::new();
    }
    let slots = comparisons.others(variable).filter_map(|other| plan.names.slot(other));
    let fields = slots.filter_map(|slot| fields.of(slot)).flat_map(|(_, field)| field.values.iter().cloned());
    let texts = comparisons.all_texts(variable).iter().map(|compared| Arc::from(compared.text.as_str()));
    fields.filter(|value| !value.is_empty()).chain(texts).collect()
}

fn values(variable: &str, statuses: &[String], compared: BTreeSet<Arc<str>>) -> Vec<Arc<str>> {
    let mut values: Vec<Arc<str>> = statuses.iter().map(|status| Arc::from(status.as_str())).collect();
    let new = compared.into_iter().filter(|text| !statuses.iter().any(|status| **status == **text));
    values.extend(new);
    let is_open = values.is_empty();
    values.push(Arc::from(if is_open { format!("made-up {variable}") } else { OTHER.to_owned() }));
    values
}
