use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::graph::Resolution;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF601",
    name: "unknown-field-variable",
    severity: Severity::Error,
    other_severities: &[Severity::Info],
    page: include_str!("../../../rules/WF601-unknown-field-variable.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (form, scope) in cx.forms() {
        let bound: Vec<_> = form.form.fields.iter().filter_map(|field| Some((field, field.target()?))).collect();
        if form.form.variables.is_absent() && !scope.declarations.are_there && !bound.is_empty() {
            out.report(
                &Place::value(form.file, form.document.root()),
                "neither this form nor a workflow beside it has `variables`, so the names in it are not checked",
            )
            .help("add `variables` as the platform exports it")
            .severity(Severity::Info);
        }
        for (_, (node, name)) in bound {
            let Resolution::Unknown(meant) = scope.resolve(name) else { continue };
            let help = match meant {
                Some(meant) => format!("did you mean {}?", quote(meant.name)),
                None => "add the variable to `variables`, or bind the field to one that is there".to_owned(),
            };
            out.report(
                &Place::value(form.file, node),
                format!("no variable is named {}, so what is entered in this field is lost", quote(name)),
            )
            .help(help);
        }
    }
}
