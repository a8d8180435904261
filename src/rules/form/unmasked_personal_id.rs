use crate::collections::HashSet;
use crate::diagnostic::{Applicability, Severity, quote};
use crate::facts::{Context, Place};
use crate::rules::{Cause, Fixes, Reporter, Rule};

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
    let goals = cx.personal_ids();
    let mut told = HashSet::default();
    for (file, variables) in cx.variable_lists() {
        for variable in variables {
            // A list that leaves the flag out is a trimmed one, which says nothing.
            let Some((node, false)) = variable.should_hide.known().map(|(node, flag)| (node, *flag)) else { continue };
            let Some(name) = variable.name.value() else { continue };
            let Some(goal) = goals.get(name).filter(|_| !variable.is_file() && told.insert(name)) else { continue };
            out.report(
                &Place::value(file, variable.node),
                format!(
                    "{} holds a personal id, as it reaches {}, but is not masked: everyone who sees the order can read \
                     it",
                    quote(name),
                    quote(goal.name)
                ),
            )
            .help("set `shouldHide` to true, and choose which part to hide")
            .related(&goal.place, "it goes here")
            .explains(Cause::Variable(name.to_owned()))
            .fix_value(Applicability::Unsafe, "set shouldHide to true", node, "true");
        }
    }
}
