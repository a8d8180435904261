//! Lost outputs that count as written to the variable that they were most likely meant for.

use super::collected::Collected;
use super::effects::{Write, Writer, Written};
use super::mistyped::Mistyped;
use super::outputs::{Origin, Receiver};
use super::usage::Usage;

/// Lets lost outputs write the variable that they most likely were meant for, so that one
/// slip is not followed by findings about all that rests on it.
pub fn adopt_mistyped(collected: &mut Collected<'_>, before: &Usage, usage: &mut Usage) {
    let workflow = &collected.document.workflow;
    for (activity, effects) in workflow.activities.iter().zip(&mut collected.effects) {
        let Some(outputs) = effects.provider.as_ref() else { continue };
        let mut adopted = Vec::new();
        for output in &outputs.outputs {
            if output.receiver != Receiver::Nobody || output.origin == Origin::Default {
                continue;
            }
            let candidates = collected.scope.declarations.names().filter(|name| !before.is_surely_written(name));
            let near = collected.scope.suggester.nearest(&output.name, candidates);
            if let Some(variable) =
                near.filter(|near| !before.is_written(near)).and_then(|near| collected.names.id(near))
            {
                adopted.push((output.name.clone(), variable, output.is_status));
            }
        }
        for (output, variable, is_status) in adopted {
            let by = Writer::Output { is_status };
            usage.add_write(collected.names.name(variable), by);
            effects.writes.push(Write { variable, value: Written::Unknown, node: activity.node, by, guessed: true });
            collected.mistyped.push(Mistyped { activity: activity.id, output, variable });
        }
    }
}
