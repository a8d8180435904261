use crate::facts::{Context, Place, declaring, is_doubtful};
use crate::graph::{Resolution, Scope};
use crate::model::Field;
use crate::rules::form::describe;
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit, Severity};
use crate::text::quote;

pub const RULE: Rule =
    rule!("WF601-unknown-field-variable", Error | Info, check, fixes: Fixes::Unsafe, recommends_infos: true);

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
            let message = format!("undefined variable {} in {}, its value is lost", quote(name), describe(field));
            let mut draft = out.report(&Place::value(form.file, node), message);
            let bind = |variable: &str| {
                let json = serde_json::Value::from(variable).to_string();
                let edit = Edit { file: form.file, span: form.document.span(node), new_text: json };
                (format!("bind it to {}", quote(variable)), vec![edit])
            };
            let near = meant.filter(|meant| !is_doubtful(cx, scope, name, *meant)).map(|meant| meant.name);
            let repair = match (own_variable(cx, field, name, scope), near) {
                (Some(own), Some(near)) if own != near => {
                    for (title, edits) in [bind(near), bind(own)] {
                        draft.alternative(Applicability::Unsafe, title, edits);
                    }
                    None
                }
                (Some(own), _) => Some(bind(own)),
                (None, Some(near)) => Some(bind(near)),
                (None, None) => declaring(cx, &[name]).map(|edits| (format!("declare {}", quote(name)), edits)),
            };
            match meant {
                Some(meant) => _ = draft.help(format!("did you mean {}?", quote(meant.name))),
                None if repair.is_some() => {}
                None => _ = draft.help("declare the variable in `variables`, or bind the field to a declared one"),
            }
            if let Some((title, edits)) = repair {
                draft.fix(Applicability::Unsafe, title, edits);
            }
        }
    }
}

/// The variable that has the name of a field and that nothing fills; none if an activity uses the undefined name as well.
fn own_variable<'a>(cx: &Context<'a>, field: &Field<'a>, undefined: &str, scope: &Scope<'a>) -> Option<&'a str> {
    let name = field.name.value()?;
    let is_filled = cx.usage.has_known_writer(name) || cx.usage.is_filled_by_order(name);
    let is_meant = scope.declarations.variable(name).is_some() && !cx.name_uses().is_consistent(undefined);
    (is_meant && !is_filled).then_some(name)
}
