use std::borrow::Cow;

use crate::facts::{Context, Place};
use crate::graph::Resolution;
use crate::rules::form::describe;
use crate::rules::{Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::quote;

pub const RULE: Rule = rule!("WF601-unknown-field-variable", Error | Info, check, recommends_infos: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (form, scope) in cx.forms() {
        let bound: Vec<_> = form.form.fields.iter().filter_map(|field| Some((field, field.target()?))).collect();
        if form.form.variables.is_absent() && !scope.declarations.are_there && !bound.is_empty() {
            out.report(
                &Place::value(form.file, form.document.root()),
                "missing key `variables` in the form and its workflows, names are not checked",
            )
            .help("export the form or the workflow again, with `variables`")
            .severity(Severity::Info);
        }
        for (field, (node, name)) in bound {
            let Resolution::Undefined(meant) = scope.resolve(name) else { continue };
            let help = match meant {
                Some(meant) => format!("did you mean {}?", quote(meant.name)).into(),
                None => Cow::from("declare the variable in `variables`, or bind the field to a declared one"),
            };
            let message = format!("undefined variable {} in {}, its value is lost", quote(name), describe(field));
            out.report(&Place::value(form.file, node), message).help(help);
        }
    }
}
