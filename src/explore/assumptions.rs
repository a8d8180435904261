//! The assumptions of a result, besides those of every simulation.

use super::inputs::Inputs;
use super::search::{Explorer, FoundEnd, Observation};
use crate::model::ActivityKind;
use crate::simulate::{Assumption, Plan, is_impure};

/// Sentences without a period. docs/scenarios.md lists the assumptions of every simulation.
pub fn assumptions(
    plan: &Plan<'_>,
    inputs: &Inputs,
    explorer: &Explorer<'_, '_, '_>,
    found: &[FoundEnd<'_, '_>],
) -> Vec<String> {
    let mut all = Vec::new();
    if found.iter().any(|end| end.is_assumed) {
        all.push(Assumption::Expired.text().to_owned());
    }
    for activity in &plan.workflow.activities {
        if let ActivityKind::Code(code) = &activity.kind
            && code.script.value().is_some_and(is_impure)
        {
            let name = plan.name(activity);
            all.push(format!("script of {name} may read the clock or random numbers, of which one value is tried"));
        }
        let saw = |observation| explorer.observed.all.contains_key(&observation);
        if saw(Observation::OnlyFails(activity.id)) && !saw(Observation::Succeeds(activity.id)) {
            all.push(format!("lookup {} always fails, no entry can be made up that it finds", plan.name(activity)));
        }
    }
    all.extend(inputs.assumptions.iter().cloned());
    all
}
