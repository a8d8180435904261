use crate::collections::HashSet;
use crate::diagnostic::Severity;
use crate::facts::{Context, Place};
use crate::graph::{Scope, Writer};
use crate::model::{Field, FieldType};
use crate::project::FormDocument;
use crate::rules::form::{describe, scripts_select_by_type};
use crate::rules::{Cause, Reporter, Rule, YieldsTo};

pub const RULE: Rule = Rule {
    code: "WF606",
    name: "unfillable-required-field",
    severity: Severity::Warning,
    yields_to: YieldsTo::Rules(&["WF601"]),
    page: include_str!("../../../rules/WF606-unfillable-required-field.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (form, scope) in cx.forms() {
        let words: HashSet<&str> = form.form.script_words().collect();
        let may_fill_any = scripts_select_by_type(&form.form);
        for field in form.form.fields.iter().filter(|field| field.field_type != FieldType::FormSection) {
            let (Some((node, true)), hidden, readonly) = (
                field.required.known().map(|(node, flag)| (node, *flag)),
                field.hidden.is_true(),
                field.readonly.is_true(),
            ) else {
                continue;
            };
            let is_mentioned = field.name.value().is_some_and(|name| words.contains(name))
                || field.target().is_some_and(|(_, name)| words.contains(name));
            if !(hidden || readonly)
                || field.has_default
                || is_mentioned
                || may_fill_any
                || is_filled_otherwise(cx, form, scope, field)
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
            let mut draft = out.report(&Place::value(form.file, node), message);
            draft.help(help);
            if let Some(bound_to) = field.bound_to.node() {
                draft.about(Cause::Node(form.file, bound_to));
            }
        }
    }
}

/// Whether another field, an activity or the variable itself gives the field's variable a value.
fn is_filled_otherwise(cx: &Context<'_>, form: &FormDocument<'_>, scope: &Scope<'_>, field: &Field<'_>) -> bool {
    let Some((_, name)) = field.target() else { return field.bound_to.is_unknown() };
    if scope.is_system(name) || cx.usage.is_filled_by_order(name) {
        return true;
    }
    let is_preset = cx.variable_lists().any(|(_, variables)| {
        variables.iter().any(|variable| variable.name.value() == Some(name) && variable.is_preset())
    });
    let other_field = cx.model.forms.iter().any(|other| {
        other.form.fields.iter().any(|candidate| {
            let is_this = other.file == form.file && candidate.node == field.node;
            !is_this
                && candidate.target().is_some_and(|(_, bound)| bound == name)
                && !candidate.readonly.is_true()
                && !candidate.hidden.is_true()
        })
    });
    let by_activity = cx.workflows.iter().any(|analysis| {
        let id = analysis.names.id(name);
        analysis.effects.iter().any(|effects| {
            effects.may_write.is_some_and(|prefix| name.starts_with(prefix))
                || effects.writes.iter().any(|write| Some(write.variable) == id && write.by != Writer::Form)
        })
    });
    is_preset || other_field || by_activity || cx.model.has_broken_file
}
