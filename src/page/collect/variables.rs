//! The variables: what fills and reads them, and where their values go.

use super::activities::word;
use super::personal::personal;
use super::readers::readers;
use super::subject::{Subject, label, quote};
use super::unknown::unknown_word;
use crate::common::collections::{IndexMap, IndexSet};
use crate::facts::mail_addresses;
use crate::model::case_key::{EMAIL_ADDRESS, SOCIAL_SECURITY_NUMBER};
use crate::model::{Activity, ActivityKind, Role, Variable};
use crate::page::VariableView;
use crate::report::visible;

/// Those that the workflow or its forms declare or use, in this order.
pub fn variables(subject: &Subject<'_, '_>) -> Vec<VariableView> {
    let kinds = personal(subject);
    let (ids, mails) = (subject.context.personal_ids(), mail_addresses(subject.context));
    let mut views: Views = IndexMap::default();
    for name in names(subject) {
        let declared = declaration(subject, &name);
        let type_name = declared.and_then(|variable| variable.variable_type.value()).unwrap_or("undeclared");
        let sinks = ids.get(name.as_str()).into_iter().chain(mails.get(name.as_str())).map(|sink| sink.name);
        let in_cases = sinks.filter(|key| [SOCIAL_SECURITY_NUMBER, EMAIL_ADDRESS].contains(key));
        let view = VariableView {
            name: visible(&name).into_owned(),
            label: subject.labels.get(name.as_str()).cloned(),
            type_name: visible(type_name).into_owned(),
            is_masked: subject.is_masked(&name),
            personal: kinds.get(&name).copied(),
            filled_by: from_outside(declared),
            read_by: Vec::new(),
            sent_to: in_cases.map(|key| format!("{} of a signing case", quote(key))).collect(),
            seen_by: Vec::new(),
        };
        views.insert(name, view);
    }
    add_fields(subject, &mut views);
    for activity in subject.activities() {
        add_effects(subject, activity, &mut views);
        add_targets(subject, activity, &mut views);
    }
    add_readers(subject, &mut views);
    views.into_values().collect()
}

fn names(subject: &Subject<'_, '_>) -> IndexSet<String> {
    let lists = [&subject.analysis.workflow.variables].into_iter();
    let lists = lists.chain(subject.forms.iter().map(|form| &form.form.variables));
    let declared = lists.filter_map(|list| list.get()).flatten().filter_map(|variable| variable.name.value());
    let fields = subject.forms.iter().flat_map(|form| &form.form.fields);
    let bound = fields.filter_map(|field| Some(field.target()?.1));
    let used = subject.analysis.names.ids().map(|id| subject.analysis.names.name(id));
    let used = used.filter(|name| !subject.context.is_system(name));
    declared.chain(bound).chain(used).map(str::to_owned).collect()
}

/// That of the workflow and its forms first, then of the rest of the service.
fn declaration<'s>(subject: &'s Subject<'_, '_>, name: &str) -> Option<&'s Variable<'s>> {
    let lists = std::iter::once(&subject.analysis.workflow.variables);
    let lists = lists.chain(subject.forms.iter().map(|form| &form.form.variables));
    let own = lists.filter_map(|list| list.get()).flatten();
    let others = subject.context.variable_lists().flat_map(|(_, list)| list);
    own.chain(others).find(|variable| variable.name.value() == Some(name))
}

/// What gives it a value before the order begins.
fn from_outside(declared: Option<&Variable<'_>>) -> Vec<String> {
    let Some(variable) = declared else { return Vec::new() };
    let details = variable.details();
    let has_value = variable.value().value().is_some_and(|value| !value.is_empty());
    let sources = [
        (has_value, "its initial value"),
        (details.is_input.is_true(), "from outside"),
        (details.is_bound_to_setup_form.is_true(), "the setup form"),
        (details.is_system.is_true(), "the platform"),
    ];
    sources.into_iter().filter(|(is_so, _)| *is_so).map(|(_, what)| what.to_owned()).collect()
}

type Views = IndexMap<String, VariableView>;

fn add_fields(subject: &Subject<'_, '_>, views: &mut Views) {
    for document in &subject.forms {
        let texts = subject.texts_of(document.file, document.document);
        for (field, is_hidden) in document.form.fields.iter().zip(document.form.hidden()) {
            let Some(view) = field.target().and_then(|(_, name)| views.get_mut(name)) else { continue };
            let label = label(&field.display_name).or(field.name.known().map(|(node, name)| (node, *name)));
            let label = quote(&label.map(|(node, text)| texts.show(node, text)).unwrap_or_default());
            let of = if document.is_order_form { "" } else { " of the approval form" };
            // One that is only shown fills nothing, but with its default text.
            if !field.readonly.is_true() {
                push(&mut view.filled_by, format!("form field {label}{of}"));
            } else if document.is_order_form && field.has_default {
                push(&mut view.filled_by, format!("the default of form field {label}"));
            }
            if !is_hidden {
                push(&mut view.seen_by, shown_to(document.is_order_form).to_owned());
            }
            if !is_hidden && !document.is_order_form {
                push(&mut view.sent_to, "the approval form".to_owned());
            }
        }
    }
}

/// Who sees the fields of a form.
const fn shown_to(is_order_form: bool) -> &'static str {
    if is_order_form { "whoever orders (in the order form)" } else { "whoever approves (in the approval form)" }
}

fn push(list: &mut Vec<String>, entry: String) {
    if !list.contains(&entry) {
        list.push(entry);
    }
}

/// The activities that write and read.
fn add_effects(subject: &Subject<'_, '_>, activity: &Activity<'_>, views: &mut Views) {
    let Some(effects) = subject.analysis.effects(activity.id) else { return };
    let name = quote(&subject.name(activity));
    for write in effects.writes.own() {
        if let Some(view) = views.get_mut(subject.analysis.names.name(write.variable)) {
            push(&mut view.filled_by, name.clone());
        }
    }
    for read in &effects.reads {
        if let Some(view) = views.get_mut(subject.analysis.names.name(read.variable)) {
            push(&mut view.read_by, name.clone());
        }
    }
}

/// Where an activity sends the values that it reads.
fn add_targets(subject: &Subject<'_, '_>, activity: &Activity<'_>, views: &mut Views) {
    let name = quote(&subject.name(activity));
    let unknown = unknown_word(subject, activity);
    activity.bindings(|binding, role| {
        let Some(view) = binding.target().and_then(|(_, name)| views.get_mut(name)) else { return };
        let target = match role {
            Role::Parameter(parameter) => {
                let parameter = parameter.name.value().unwrap_or("(no name)");
                format!("{} of {name}", quote(&visible(parameter)))
            }
            Role::Status => format!("the status of {name}"),
            Role::Assignee(_) => format!("a mail of {name}"),
            Role::CodeParameter => format!("the script of {name}"),
            Role::Undocumented => {
                let word = unknown.as_deref().unwrap_or_default();
                format!("given to {name} ({word}), effect not known")
            }
            _ => return,
        };
        push(&mut view.sent_to, target);
        if unknown.is_some() && !role.writes() {
            push(&mut view.seen_by, format!("not known: whoever {name} shows it to"));
        }
    });
    let ActivityKind::Assign(assign) = &activity.kind else { return };
    let Some((_, written)) = assign.result.get().and_then(|result| result.target()) else { return };
    let target = format!("{} ({} {name})", quote(&visible(written)), word(activity));
    for placeholder in subject.analysis.scope.placeholders_of(assign) {
        if let Some(view) = views.get_mut(placeholder.name) {
            push(&mut view.sent_to, target.clone());
        }
    }
}

/// Who sees the values that are published or sent for signing.
fn add_readers(subject: &Subject<'_, '_>, views: &mut Views) {
    for (variable, reader) in readers(subject) {
        if let Some(view) = views.get_mut(variable) {
            push(&mut view.seen_by, reader);
        }
    }
}
