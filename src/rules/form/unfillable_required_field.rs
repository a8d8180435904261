use crate::collections::HashSet;
use crate::diagnostic::Severity;
use crate::facts::{Context, Place};
use crate::graph::{Scope, Writer};
use crate::model::{Field, FieldType};
use crate::project::FormDocument;
use crate::rules::form::is_unknown;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF606",
    name: "unfillable-required-field",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF606-unfillable-required-field.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (form, scope) in cx.forms() {
        let words: HashSet<&str> = form.form.script_words().collect();
        // A script may choose fields by their kind, `Z('#[type=inputtext]')`, and so any of them.
        let may_fill_any = form.form.scripts().any(|script| script.contains("[type="));
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
            let why = if hidden { "is hidden" } else { "cannot be changed" };
            out.report(
                &Place::value(form.file, node),
                format!(
                    "this field must be filled but {why}, and nothing else fills it, so the form can never be sent"
                ),
            )
            .help("make the field optional or editable, or give it a default");
        }
    }
}

/// Whether anything but this field gives its variable a value: another field, the variable itself,
/// or an activity.
fn is_filled_otherwise(cx: &Context<'_>, form: &FormDocument<'_>, scope: &Scope<'_>, field: &Field<'_>) -> bool {
    let Some((_, name)) = field.target() else { return field.bound_to.is_unknown() };
    if is_unknown(scope, name) || scope.is_system(name) || cx.usage.is_filled_by_the_order(name) {
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
