use crate::common::collections::HashMap;
use crate::facts::{Context, Place};
use crate::model::Field;
use crate::rules::form::describe;
use crate::rules::{Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::quote;

pub const RULE: Rule = Rule {
    code: "WF605",
    name: "shared-field-variable",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF605-shared-field-variable.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for form in &cx.model.forms {
        let mut first: HashMap<&str, &Field<'_>> = HashMap::default();
        first.reserve(form.form.fields.len());
        for field in &form.form.fields {
            let Some((node, variable)) = field.target() else { continue };
            let Some(&earlier) = first.get(variable) else {
                first.insert(variable, field);
                continue;
            };
            let fields = format!("{} and {}", describe(earlier), describe(field));
            // A readonly field shows the variable, so that no value of it is lost.
            let is_shown = earlier.readonly.is_true() || field.readonly.is_true();
            let consequence = if is_shown { "" } else { ", one value is lost" };
            let message = format!("shared variable {} in {fields}{consequence}", quote(variable));
            let mut draft = out.report(&Place::value(form.file, node), message);
            draft.help("bind each field to its own variable");
            if let Some((earlier, _)) = earlier.target() {
                draft.related(&Place::value(form.file, earlier), "also bound here");
            }
        }
    }
}
