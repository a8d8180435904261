use crate::diagnostic::Severity;
use crate::facts::{Context, Place};
use crate::graph::{Resolution, placeholders};
use crate::model::Kind;
use crate::rules::{Cause, Reporter, Rule, YieldsTo};
use crate::text::quote;

pub const RULE: Rule = Rule {
    code: "WF306",
    name: "unknown-placeholder",
    severity: Severity::Error,
    yields_to: YieldsTo::Rules(&["WF909"]),
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
            let Resolution::Undefined(meant) = analysis.scope.resolve(name) else { continue };
            let help = match meant {
                Some(meant) => format!("did you mean `{{{}}}`?", meant.name),
                None => "declare the variable, or write the text without braces".to_owned(),
            };
            let shown = quote(&format!("{{{name}}}"));
            let place = Place::inside(analysis.file, node, placeholder.range);
            let body = Cause::Node(analysis.file, node);
            let mut draft = out.report(&place, format!("unknown placeholder {shown}: no variable has this name"));
            draft.help(help).explains(body).explains(Cause::Variable(name.to_owned()));
        }
    }
}
