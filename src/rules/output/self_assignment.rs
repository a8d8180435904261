use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::model::Kind;
use crate::rules::output::copies_itself;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF310",
    name: "self-assignment",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF310-self-assignment.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let (Kind::Assign(_), Some(effects)) = (&activity.kind, analysis.effects(activity.id)) else { continue };
        let Some(variable) = copies_itself(effects) else { continue };
        if !analysis.scope.declarations.are_there {
            continue;
        }
        let name = quote(analysis.names.name(variable));
        out.report(
            &Place::value(analysis.file, activity.node),
            format!("this gives {name} the value that it has already, so it changes nothing"),
        )
        .help("assign what is meant, or remove the activity");
    }
}
