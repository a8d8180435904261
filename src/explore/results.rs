//! The possible results of methods that the simulator does not implement.

use std::sync::Arc;

use super::compared::Compared;
use super::search::CallOutputs;
use crate::collections::HashMap;
use crate::model::{Activity, ActivityId};
use crate::simulate::Plan;

/// Maximum number of results that are tried for one call.
const MAX_RESULTS: usize = 64;

/// A value that no condition compares with.
const OTHER: &str = "other";

/// By activity, the results of its call, the usual first.
pub fn results(plan: &Plan<'_>, compared: &Compared) -> HashMap<ActivityId, Vec<CallOutputs>> {
    let unknown = plan.workflow.activities.iter().filter_map(|activity| {
        let name = activity.provider()?.method.value()?;
        let method = plan.config.catalog.method(name);
        if method.is_some_and(|method| method.simulation.is_some()) {
            return None;
        }
        let prefix = prefix(activity);
        let mut results: Vec<CallOutputs> = vec![Vec::new()];
        for (property, statuses) in outputs(plan, activity, prefix) {
            let values = values(plan, compared, &format!("{prefix}{property}"), &statuses);
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
        Some((activity.id, results))
    });
    unknown.collect()
}

/// The static prefix of a call.
fn prefix<'p>(activity: &Activity<'p>) -> &'p str {
    let parameters = activity.provider().into_iter().flat_map(|provider| provider.parameters());
    let mut prefixes = parameters.filter(|parameter| parameter.name.value() == Some("Prefix"));
    let literal = prefixes.find_map(|parameter| parameter.value.get()?.literal().map(|(_, literal)| literal));
    match literal {
        Some(crate::model::Literal::Text(text)) => text,
        _ => "",
    }
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

fn values(plan: &Plan<'_>, compared: &Compared, variable: &str, statuses: &[String]) -> Vec<Arc<str>> {
    let mut values: Vec<Arc<str>> = statuses.iter().map(|status| Arc::from(status.as_str())).collect();
    if let Some(slot) = plan.names.slot(variable) {
        for text in compared.texts(slot) {
            if !values.contains(text) {
                values.push(Arc::clone(text));
            }
        }
    }
    let is_open = values.is_empty();
    values.push(Arc::from(if is_open { format!("made-up {variable}") } else { OTHER.to_owned() }));
    values
}
