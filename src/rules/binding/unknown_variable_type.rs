use crate::common::collections::HashSet;
use crate::facts::{Context, Place};
use crate::model::{Assumption, FILE_TYPE, STRING_TYPE};
use crate::rules::{Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF113-unknown-variable-type", Info, check);

/// The documented types (docs/platform.md, Variable).
const TYPES: [&str; 2] = [STRING_TYPE, FILE_TYPE];

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    // The documents of a service declare the same variables, so each is reported once.
    let mut reported = HashSet::default();
    for (file, variables) in cx.variable_lists() {
        for variable in variables {
            let Some((node, &written)) = variable.variable_type.known() else { continue };
            let name = variable.name.value().unwrap_or_default();
            if TYPES.contains(&written) || !reported.insert((name, written)) {
                continue;
            }
            let message = format!("unknown type {} of variable {}", quote(written), quote(name));
            let mut draft = out.report(&Place::value(file, node), message);
            match cx.suggester.nearest(written, TYPES) {
                Some(near) => draft.help(format!("did you mean `{near}`?")),
                None => draft
                    .assumes(Assumption::OtherValues)
                    .help("set `variableType` to `String` or `File`, unless the platform has this type"),
            };
        }
    }
}
