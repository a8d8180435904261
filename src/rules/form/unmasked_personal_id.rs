use crate::common::collections::HashSet;
use crate::facts::{Context, Place, flag_edits};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF614-unmasked-personal-id", Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let sinks = cx.personal_ids();
    if sinks.is_empty() {
        return;
    }
    let mut reported = HashSet::default();
    for (file, variables) in cx.variable_lists() {
        for variable in variables {
            // A missing flag is not evidence: exports are often trimmed by hand.
            let Some(false) = variable.details().should_hide.value() else { continue };
            let Some(name) = variable.name.value() else { continue };
            let Some(sink) = sinks.get(name).filter(|_| !variable.is_file() && reported.insert(name)) else { continue };
            let sink_name = quote(sink.name);
            // The form has a copy of the declaration in the workflow.
            let edits = flag_edits(cx, name, |details| &details.should_hide, false);
            let message = format!("unmasked personal id in {}, whose value reaches {sink_name}", quote(name));
            out.report(&Place::value(file, variable.node), message)
                .cause(Cause::Variable(name.to_owned()))
                .help("mask the variable, and choose which part of it to hide")
                .related(&sink.place, format!("reaches {sink_name} here"))
                .fix(Applicability::Unsafe, "set `shouldHide` to `true`", edits);
        }
    }
}
