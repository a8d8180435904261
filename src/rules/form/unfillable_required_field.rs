use crate::common::collections::HashSet;
use crate::facts::{Context, FilledByScripts, Place};
use crate::graph::Scope;
use crate::model::{Field, FieldType};
use crate::rules::form::describe;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = rule!("WF606-unfillable-required-field", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let fillable = fillable(cx);
    for (form, scope) in cx.forms() {
        let filled = FilledByScripts::mentioned(cx, form.form);
        for field in form.form.fields.iter().filter(|field| field.field_type != FieldType::FormSection) {
            let (Some((node, true)), hidden, readonly) = (
                field.required.known().map(|(node, flag)| (node, *flag)),
                field.hidden.is_true(),
                field.readonly.is_true(),
            ) else {
                continue;
            };
            if !(hidden || readonly)
                || field.has_default
                || filled.contains(field, field.target().map(|(_, name)| name))
                || is_filled_otherwise(cx, scope, field, &fillable)
            {
                continue;
            }
            let (state, help) = if hidden {
                ("hidden", "set `required` or `hidden` to `false`, or give the field a default value")
            } else {
                ("readonly", "set `required` or `readonly` to `false`, or give the field a default value")
            };
            let message =
                format!("unfillable required {}: it is {state}, and nothing writes its value", describe(field));
            out.report(&Place::value(form.file, node), message).help(help);
        }
    }
}

/// Whether another field, an activity or the variable itself gives the field's variable a value.
fn is_filled_otherwise(cx: &Context<'_>, scope: &Scope<'_>, field: &Field<'_>, fillable: &HashSet<&str>) -> bool {
    let Some((_, name)) = field.target() else { return field.bound_to.is_unknown() };
    if scope.is_system(name) || cx.usage.is_filled_by_order(name) {
        return true;
    }
    // The field itself does not count: it cannot be filled in.
    fillable.contains(name)
        || cx.usage.is_preset(name)
        || cx.usage.is_written_by_activity(name)
        || cx.model.has_broken_file
}

/// The variables of the fields that users can fill in.
fn fillable<'a>(cx: &Context<'a>) -> HashSet<&'a str> {
    let fields = cx.model.forms.iter().flat_map(|form| &form.form.fields);
    let can_be_filled = |field: &&Field<'_>| !field.readonly.is_true() && !field.hidden.is_true();
    fields.filter(can_be_filled).filter_map(|field| Some(field.target()?.1)).collect()
}
