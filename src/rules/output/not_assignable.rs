use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::graph::Writer;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF309",
    name: "not-assignable",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF309-not-assignable.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in &cx.workflows {
        for effects in &analysis.effects {
            for write in &effects.writes {
                let name = analysis.names.name(write.variable);
                let declared = analysis.scope.declarations.variable(name);
                let flag = declared.and_then(|declared| Some((declared, declared.variable.is_assignable.known()?)));
                let Some((declared, (flag, &false))) = flag else { continue };
                if cx.config.catalog.is_common_output(name) || write.by == Writer::Form || write.guessed {
                    continue;
                }
                let said = match write.by {
                    Writer::Output { .. } => "an output of this activity goes to",
                    Writer::Script => "the script's result goes to",
                    _ => "this writes",
                };
                out.report(
                    &Place::value(analysis.file, write.node),
                    format!("{said} {}, whose `isAssignable` is false", quote(name)),
                )
                .help("write to another variable, or set the variable's `isAssignable` to true")
                .related(&Place::value(declared.file, flag), "said here");
            }
        }
    }
}
