use crate::diagnostic::{Severity, quote};
use crate::facts::Context;
use crate::graph::{Analysis, Resolution, placeholders};
use crate::model::Kind;
use crate::rules::script::{JSON, parsed};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF807",
    name: "json-without-receiver",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF807-json-without-receiver.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in &cx.workflows {
        let Resolution::Unknown(meant) = analysis.scope.resolve(JSON) else { continue };
        // Where the missing variable is used that is told (WF101, WF306).
        if is_used(analysis) {
            continue;
        }
        for (site, script) in parsed(cx).filter(|(site, _)| site.analysis.file == analysis.file) {
            let Some(first) = script.json.assignments.first() else { continue };
            let help = match meant {
                Some(meant) => format!("a variable is named {}: name it `Json`", quote(meant.name)),
                None => "add a variable named `Json`, or remove the activity".to_owned(),
            };
            let message = format!(
                "this script sets `Json`{}, but no variable has that name, so the value is lost",
                site.position(&first.target)
            );
            out.report(&site.inside(first.target.clone()), message).help(help);
        }
    }
}

fn is_used(analysis: &Analysis<'_>) -> bool {
    analysis.workflow.activities.iter().any(|activity| {
        let mut is_bound = false;
        activity.bindings(|binding, _| is_bound |= binding.target().is_some_and(|(_, name)| name == JSON));
        let body = match &activity.kind {
            Kind::Assign(assign) => assign.body.value().unwrap_or_default(),
            _ => "",
        };
        is_bound || placeholders(body).any(|placeholder| placeholder.name == JSON)
    })
}
