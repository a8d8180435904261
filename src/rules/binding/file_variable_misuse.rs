use crate::catalog::{Method, ParameterKind};
use crate::document::NodeId;
use crate::facts::{Context, Place, exchange, fits_type, rebinding};
use crate::graph::Analysis;
use crate::model::{
    Activity, ActivityKind, Assign, Binding, FILE_TYPE, Field, FieldType, Parameter, Role, STRING_TYPE,
};
use crate::rules::{Draft, Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit};
use crate::text::quote;

pub const RULE: Rule = rule!("WF112-file-variable-misuse", Warning, check, fixes: Fixes::Unsafe);

/// What a parameter or an operand takes.
enum Expected {
    File,
    String,
}

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    check_bindings(cx, out);
    check_placeholders(cx, out);
}

fn check_bindings(cx: &Context<'_>, out: &mut Reporter<'_>) {
    cx.bindings(|analysis, activity, binding, role| {
        let Some((node, name)) = binding.target() else { return };
        if !matches!(role, Role::Parameter(_) | Role::Operand) {
            return;
        }
        let Some(variable_type) = analysis.scope.declarations.type_of(name) else { return };
        let expected = match role {
            Role::Parameter(parameter) => {
                let method = analysis.effects(activity.id).and_then(|effects| effects.provider.as_deref()?.method);
                method.zip(parameter.name.value()).and_then(|(method, parameter)| expected(method, parameter))
            }
            Role::Operand => Some(Expected::String),
            _ => None,
        };
        let user = || match role {
            Role::Parameter(parameter) => format!("parameter {}", quote(parameter.name.value().unwrap_or_default())),
            _ => format!("an operand in {}", activity.display_name()),
        };
        // Any other type is that of WF113.
        let (is_file, is_string) = (variable_type == FILE_TYPE, variable_type == STRING_TYPE);
        let place = Place::value(analysis.file, node);
        match expected {
            Some(Expected::String) if is_file => {
                let mut draft = report_file(out, &place, name, &user());
                let is_mail = |field: &Field<'_>| field.takes_mail_address();
                if let Role::Parameter(parameter) = role
                    && takes_mail(analysis, activity, parameter)
                    && let Some((title, edits)) = bound_to_field(cx, analysis, activity, binding, is_mail)
                {
                    draft.fix(Applicability::Unsafe, title, edits);
                }
            }
            // A provider or an Assign may have put a file's id into the variable.
            Some(Expected::File) if is_string && !cx.usage.is_given_a_value(name) => {
                let (user, found, variable_type) = (user(), quote(name), quote(variable_type));
                let message = format!("expected a file variable for {user}, found {found} of type {variable_type}");
                let mut draft = out.report(&place, message);
                let is_upload = |field: &Field<'_>| field.field_type == FieldType::InputFile;
                match bound_to_field(cx, analysis, activity, binding, is_upload) {
                    Some((title, edits)) => draft.fix(Applicability::Unsafe, title, edits),
                    None => draft.help("bind a variable of type `File`, which an InputFile field fills"),
                };
            }
            _ => {}
        }
    });
}

fn check_placeholders(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, activity) in cx.activities() {
        let ActivityKind::Assign(assign) = &activity.kind else { continue };
        let Some(node) = assign.body.node() else { continue };
        let is_file = |name| analysis.scope.declarations.type_of(name) == Some(FILE_TYPE);
        for placeholder in analysis.scope.placeholders_of(assign).filter(|placeholder| is_file(placeholder.name)) {
            // The binding to change is in the editor's list of variables, if it has the variable.
            let place = match listed(assign, placeholder.name) {
                Some(node) => Place::value(analysis.file, node),
                None => Place::inside(analysis.file, node, placeholder.range),
            };
            let user = format!("a placeholder in {}", activity.display_name());
            report_file(out, &place, placeholder.name, &user);
        }
    }
}

fn report_file<'r>(out: &'r mut Reporter<'_>, place: &Place, name: &str, user: &str) -> Draft<'r> {
    let mut draft = out.report(place, format!("expected a string for {user}, found file variable {}", quote(name)));
    draft.help("bind a variable that holds the string");
    draft
}

fn takes_mail(analysis: &Analysis<'_>, activity: &Activity<'_>, parameter: &Parameter<'_>) -> bool {
    let method = analysis.effects(activity.id).and_then(|effects| effects.provider.as_deref()?.method);
    let known = method.zip(parameter.name.value()).and_then(|(method, name)| method.parameter(name));
    known.is_some_and(|known| known.kind == Some(ParameterKind::Mail))
}

/// Title and edits that bind a parameter to the variable that fields of a kind fill, if all of them fill the same one.
fn bound_to_field(
    cx: &Context<'_>,
    analysis: &Analysis<'_>,
    activity: &Activity<'_>,
    binding: &Binding<'_>,
    is_of_kind: impl Fn(&Field<'_>) -> bool,
) -> Option<(String, Vec<Edit>)> {
    let (node, old) = binding.target()?;
    let fields = cx.forms().flat_map(|(form, _)| &form.form.fields);
    let mut filled = fields.filter(|field| field.takes_input() && is_of_kind(field)).filter_map(|field| {
        let (_, name) = field.target()?;
        let variable_type = analysis.scope.declarations.type_of(name)?;
        fits_type(field, variable_type).then_some(name)
    });
    let name = filled.next()?;
    if !filled.all(|other| other == name) {
        return None;
    }
    let mut edits = rebinding(analysis, activity, binding, name);
    edits.extend(exchange(cx, analysis, activity, &[node], &[old], &[name]));
    Some((format!("bind it to {}", quote(name)), edits))
}

fn listed(assign: &Assign<'_>, name: &str) -> Option<NodeId> {
    let mut listed = assign.variables.get().into_iter().flatten().filter_map(|binding| binding.target());
    listed.find(|(_, listed)| *listed == name).map(|(node, _)| node)
}

/// What a parameter of a method takes; `None` if the method does not have the parameter.
fn expected(method: &Method, name: &str) -> Option<Expected> {
    match method.parameter(name) {
        Some(parameter) if parameter.kind == Some(ParameterKind::File) => Some(Expected::File),
        Some(_) => Some(Expected::String),
        None => method.additional.iter().any(|additional| additional.matches(name)).then_some(Expected::String),
    }
}
