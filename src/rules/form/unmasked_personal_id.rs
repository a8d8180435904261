use crate::collections::HashSet;
use crate::diagnostic::{Applicability, Severity};
use crate::facts::{Context, Place};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = Rule {
    code: "WF614",
    name: "unmasked-personal-id",
    severity: Severity::Warning,
    fixes: Fixes::Unsafe,
    page: include_str!("../../../rules/WF614-unmasked-personal-id.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let sinks = cx.personal_ids();
    let mut reported = HashSet::default();
    for (file, variables) in cx.variable_lists() {
        for variable in variables {
            // A missing flag is no evidence: exports are often trimmed by hand.
            let Some((node, false)) = variable.should_hide.known().map(|(node, flag)| (node, *flag)) else { continue };
            let Some(name) = variable.name.value() else { continue };
            let Some(sink) = sinks.get(name).filter(|_| !variable.is_file() && reported.insert(name)) else { continue };
            let sink_name = quote(sink.name);
            let message = format!("unmasked personal id in {}, whose value reaches {sink_name}", quote(name));
            out.report(&Place::value(file, variable.node), message)
                .explains(Cause::Variable(name.to_owned()))
                .help("mask the variable, and choose which part of it to hide")
                .related(&sink.place, format!("reaches {sink_name} here"))
                .fix_value(Applicability::Unsafe, "set `shouldHide` to `true`", node, "true");
        }
    }
}
