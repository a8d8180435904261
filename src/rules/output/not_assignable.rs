use crate::facts::{Context, Place, flag_edits};
use crate::graph::Writer;
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF309-not-assignable", Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        for write in analysis.effects(activity.id).into_iter().flat_map(|effects| effects.writes.own()) {
            let name = analysis.names.name(write.variable);
            let declared = analysis.scope.declarations.variable(name);
            let flag =
                declared.and_then(|declared| Some((declared, declared.variable.details().is_assignable.known()?)));
            let Some((declared, (flag, &false))) = flag else { continue };
            let is_intended = !write.guessed && write.by != Writer::Declared;
            if cx.config.catalog.is_common_output(name) || !is_intended {
                continue;
            }
            let writer = match write.by {
                Writer::Output { .. } => "an output of ",
                Writer::Script => "the script of ",
                _ => "",
            };
            let edits = flag_edits(cx, name, |details| &details.is_assignable, false);
            let (name, activity) = (quote(name), activity.display_name());
            out.report(
                &Place::value(analysis.file, write.node),
                format!("{name} is not assignable, but {writer}{activity} writes it"),
            )
            .help("write to another variable")
            .related(&Place::value(declared.file, flag), "`isAssignable` is `false` here")
            .alternative(Applicability::Unsafe, format!("set `isAssignable` of {name} to `true`"), edits);
        }
    }
}
