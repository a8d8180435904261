use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place, Spoofing};
use crate::graph::{Resolution, placeholders};
use crate::model::Kind;
use crate::rules::{Cause, Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF306",
    name: "unknown-placeholder",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF306-unknown-placeholder.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let Kind::Assign(assign) = &activity.kind else { continue };
        let Some((node, body)) = assign.body.known() else { continue };
        for placeholder in placeholders(body) {
            let name = placeholder.name;
            let Resolution::Unknown(meant) = analysis.scope.resolve(name) else { continue };
            if Spoofing::in_name(name).is_some() {
                // That its letters are not what they look like is the cause (WF909).
                continue;
            }
            let help = match meant {
                Some(meant) => format!("did you mean `{{{}}}`?", meant.name),
                None => "add the variable, or write the text without braces".to_owned(),
            };
            out.report(
                &Place::inside(analysis.file, node, placeholder.range),
                format!("no variable is named {}, so there is no value to put in for it", quote(name)),
            )
            .help(help)
            .explains(Cause::Variable(name.to_owned()));
        }
    }
}
