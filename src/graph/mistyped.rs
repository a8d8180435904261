//! Lost outputs that are most likely meant for a variable with a similar name.

use super::effects::{VarId, Write, Writer, Written};
use super::outputs::{Origin, Receiver};
use super::usage::Usage;
use super::workflow_effects::WorkflowEffects;
use crate::model::ActivityId;

/// An output without a variable whose name is similar to a variable without a writer: most likely a mistyped prefix or
/// property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MistypedOutput {
    pub activity: ActivityId,
    /// The name of the lost output.
    pub output: String,
    /// The variable that was most likely meant.
    pub variable: VarId,
}

/// Adds a write of the variable that was most likely meant for each such output, so that one typo does not cause
/// findings about everything that depends on that variable (docs/concepts.md, Precedence).
///
/// `before` is the usage without any of these writes: the result then does not depend on the order of the workflows.
pub fn attribute_mistyped_outputs(workflow: &mut WorkflowEffects<'_>, before: &Usage, usage: &mut Usage) {
    let WorkflowEffects { document, scope, names, effects, mistyped } = workflow;
    for (activity, effects) in document.workflow.activities.iter().zip(effects) {
        let Some(provider) = effects.provider.as_ref() else { continue };
        for output in &provider.outputs {
            // A default output is not asked for, so losing it is no fault.
            if output.receiver != Receiver::Missing || output.origin == Origin::Default {
                continue;
            }
            let candidates = scope.declarations.names().filter(|name| !before.has_known_writer(name));
            let nearest = scope.suggester.nearest(&output.name, candidates);
            let unwritten = nearest.filter(|name| !before.is_written(name));
            let Some(variable) = unwritten.and_then(|name| names.id(name)) else { continue };
            let by = Writer::Output { is_status: output.is_status };
            usage.add_write(names.name(variable), by);
            effects.writes.push(Write { variable, value: Written::Unknown, node: activity.node, by, guessed: true });
            mistyped.push(MistypedOutput { activity: activity.id, output: output.name.clone(), variable });
        }
    }
}
