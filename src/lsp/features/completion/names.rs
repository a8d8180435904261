//! Names and values that documents, the catalog and the configuration know, for the places in documents.

use super::items::{Completion, CompletionKind, Completions};
use super::json::{Container, Context};
use crate::catalog::{ParameterKind, ValueType};
use crate::common::collections::HashSet;
use crate::config::Config;
use crate::facts::AnalyzedService;
use crate::graph::properties;
use crate::model::FILE_TYPE;
use crate::text::diagnostic::Edit;
use crate::text::json_inside;
use crate::text::source::Span;

/// Returns whether nothing but variables can be here.
pub fn add_variables(service: &AnalyzedService<'_>, context: &Context, to: &mut Completions<'_>) -> bool {
    let in_list = || context.around.last().and_then(|list| list.key.as_deref()) == Some("ownBoundVariables");
    match context.key.as_deref() {
        Some("boundTo") => add_targets(service, context, to),
        None if in_list() => {
            for variable in declared(service, context) {
                to.found.push(completion(&variable, to));
            }
        }
        _ => return add_placeholders(service, context, to),
    }
    true
}

fn completion(variable: &Known<'_>, to: &Completions<'_>) -> Completion {
    let detail = variable.kind.map(str::to_owned);
    Completion { detail, ..to.string(variable.name, CompletionKind::Variable) }
}

/// The variables for `boundTo`, those of the kind that fits first, with their ids for `boundToId`.
fn add_targets(service: &AnalyzedService<'_>, context: &Context, to: &mut Completions<'_>) {
    let wants_file = wants_file(service, &context.around);
    for variable in declared(service, context) {
        let edit = variable.id.and_then(|id| id_edit(context, to, id));
        let rank = u8::from((variable.kind == Some(FILE_TYPE)) != wants_file);
        to.found.push(Completion { rank, additional: edit.into_iter().collect(), ..completion(&variable, to) });
    }
    for variable in system(service, context) {
        to.found.push(Completion { rank: 2, ..completion(&variable, to) });
    }
}

/// Sets `boundToId`, or adds it behind the name; `None` in a form field, and in a document without such ids.
fn id_edit(context: &Context, to: &Completions<'_>, id: i64) -> Option<Edit> {
    let binding = context.around.last()?;
    if let Some(known) = binding.member("boundToId") {
        return Some(to.edit(known.span, id.to_string()));
    }
    let is_field = binding.member("type").is_some();
    let behind = context.span.end + 1;
    let is_added = context.in_string && to.is_closed() && !is_field && to.has_ids();
    is_added.then(|| to.edit(Span::new(behind, behind), format!(", \"boundToId\": {id}")))
}

/// Whether the binding is that of a parameter or a field that takes an uploaded file.
fn wants_file(service: &AnalyzedService<'_>, around: &[Container]) -> bool {
    let of = |index: usize| around.len().checked_sub(index).and_then(|index| around.get(index));
    // The binding, the parameter, the list, the activity.
    let parameter = of(2).and_then(|parameter| parameter.text("name"));
    let method = of(4).and_then(|activity| activity.text("method"));
    let known = method.and_then(|method| service.config.catalog.method(method)?.parameter(parameter?));
    known.is_some_and(|known| known.kind == Some(ParameterKind::File))
        || of(1).is_some_and(|field| field.text("type") == Some("InputFile"))
}

const SYSTEM: &str = "system variable";

/// The variables of the platform that are not declared.
fn system<'a>(service: &AnalyzedService<'a>, context: &'a Context) -> impl Iterator<Item = Known<'a>> {
    let declared: HashSet<&str> = declared(service, context).iter().map(|variable| variable.name).collect();
    let config: &'a Config = service.config;
    let names = config.system_variables().chain(&config.catalog.common_outputs).map(String::as_str);
    names.filter(move |name| !declared.contains(name)).map(|name| Known { name, id: None, kind: Some(SYSTEM) })
}

/// A variable that can be named.
struct Known<'a> {
    name: &'a str,
    id: Option<i64>,
    kind: Option<&'a str>,
}

/// The variables of the documents, and those of the text itself, which may not be a document now; each once.
fn declared<'a>(service: &AnalyzedService<'a>, context: &'a Context) -> Vec<Known<'a>> {
    let of_documents = service.variable_lists().flat_map(|(_, list)| list).filter_map(|variable| {
        Some(Known { name: variable.name.value()?, id: variable.id.value(), kind: variable.variable_type.value() })
    });
    let of_text = context.variables.iter().filter_map(|variable| {
        let id = variable.text("id").and_then(|id| id.parse().ok());
        Some(Known { name: variable.text("name")?, id, kind: variable.text("variableType") })
    });
    let mut known = HashSet::default();
    of_documents.chain(of_text).filter(|variable| !variable.name.is_empty() && known.insert(variable.name)).collect()
}

/// Returns whether the cursor is in a placeholder of a string.
fn add_placeholders(service: &AnalyzedService<'_>, context: &Context, to: &mut Completions<'_>) -> bool {
    const KEYS_WITHOUT: [&str; 4] = ["script", "onLoad", "onChange", "onSubmit"];
    if !context.in_string || context.key.as_deref().is_some_and(|key| KEYS_WITHOUT.contains(&key)) {
        return false;
    }
    let Some((_, typed)) = to.before().rsplit_once('{').filter(|(_, typed)| !typed.contains('}')) else { return false };
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    let is_possible = |name: &str| {
        let written = json_inside(name);
        let start = written.get(..typed.len());
        !name.contains(['{', '}'])
            && (typed.chars().all(is_part) || start.is_some_and(|it| it.eq_ignore_ascii_case(typed)))
    };
    let variables = declared(service, context).into_iter().chain(system(service, context));
    let possible: Vec<Known<'_>> = variables.filter(|variable| is_possible(variable.name)).collect();
    if possible.is_empty() {
        return false;
    }
    // The rest of a name that is there already.
    let is_rest = |letter: char| is_part(letter) || matches!(letter, '.' | ' ');
    let rest = match to.after().split_once('}') {
        Some((rest, _)) if rest.chars().all(is_rest) => rest.len(),
        _ => to.after().len() - to.after().trim_start_matches(is_part).len(),
    };
    let close = if to.after().get(rest..).is_some_and(|rest| rest.starts_with('}')) { "" } else { "}" };
    to.narrow(typed.len(), rest);
    for variable in possible {
        let name = variable.name;
        let written = to.written(name, CompletionKind::Variable, format!("{}{close}", json_inside(name)));
        let detail = variable.kind.map(str::to_owned);
        let rank = match variable.kind {
            Some(FILE_TYPE) => 1,
            Some(SYSTEM) => 2,
            _ => 0,
        };
        to.found.push(Completion { detail, rank, ..written });
    }
    true
}

pub fn add_known(service: &AnalyzedService<'_>, context: &Context, to: &mut Completions<'_>) {
    let of = |index: usize| context.around.len().checked_sub(index).and_then(|index| context.around.get(index));
    let list = of(2).and_then(|list| list.key.as_deref());
    match context.key.as_deref() {
        Some("method") => {
            for method in &service.config.catalog.methods {
                to.add_string(&method.name, CompletionKind::Method, method.description.as_deref());
            }
        }
        Some("connectedFormName") => {
            for form in &service.model.forms {
                to.add_string(form.name, CompletionKind::Form, None);
            }
        }
        Some("name") if list.is_some_and(|list| list.ends_with("roviderParameters")) => {
            add_parameters(service, &context.around, to);
        }
        Some("type") if list == Some("activities") => {
            for name in service.config.types.activities.keys() {
                to.add_value(name, true, Some("declared in the configuration"));
            }
        }
        Some("type") if list == Some("fields") => {
            for name in service.config.types.fields.iter() {
                to.add_value(name, true, Some("declared in the configuration"));
            }
        }
        Some("value") if of(2).is_some_and(|outer| outer.key.as_deref() == Some("expression")) => {
            add_statuses(service, &context.around, to);
        }
        Some("value") => add_parameter_values(service, &context.around, to),
        _ => {}
    }
}

/// The parameters of the method that the call does not have yet.
fn add_parameters(service: &AnalyzedService<'_>, around: &[Container], to: &mut Completions<'_>) {
    let [.., activity, _, _] = around else { return };
    let method = activity.text("method").and_then(|name| service.config.catalog.method(name));
    let Some(method) = method else { return };
    let [.., list, current] = around else { return };
    let own = list.members.iter().position(|entry| entry.name.as_deref() == current.text("name"));
    let others = list.members.iter().enumerate().filter(|(index, _)| Some(*index) != own);
    let there: Vec<&str> = others.filter_map(|(_, entry)| entry.name.as_deref()).collect();
    for parameter in method.parameters.iter().filter(|parameter| !there.contains(&parameter.name.as_str())) {
        let (detail, rank) = (parameter.description.clone(), u8::from(!parameter.required));
        to.found.push(Completion { detail, rank, ..to.string(&parameter.name, CompletionKind::Parameter) });
    }
}

/// The case statuses, in a condition on a variable that a lookup writes.
fn add_statuses(service: &AnalyzedService<'_>, around: &[Container], to: &mut Completions<'_>) {
    let [.., expression, operand] = around else { return };
    let other = if operand.key.as_deref() == Some("left") { "right" } else { "left" };
    let variable = expression.member(other).and_then(|member| member.bound_to.as_deref());
    let mut outputs = service.providers().flat_map(|site| &site.outputs.outputs);
    if !outputs.any(|output| output.is_status && Some(output.name.as_str()) == variable) {
        return;
    }
    let outputs = service.config.catalog.methods.iter().flat_map(|method| &method.outputs);
    for status in outputs.flat_map(|output| &output.statuses) {
        to.add_value(&status.value, true, Some("status of a case"));
    }
}

/// The values that a parameter accepts.
fn add_parameter_values(service: &AnalyzedService<'_>, around: &[Container], to: &mut Completions<'_>) {
    let [.., activity, _, parameter, _] = around else { return };
    let method = activity.text("method").and_then(|name| service.config.catalog.method(name));
    let known = method.and_then(|method| method.parameter(parameter.text("name")?));
    let (Some(method), Some(known)) = (method, known) else { return };
    for value in &known.values {
        to.add_value(value, true, None);
    }
    if known.value_type == Some(ValueType::Boolean) {
        to.add_value("true", false, None);
        to.add_value("false", false, None);
    }
    if known.kind == Some(ParameterKind::PropertyList) {
        let defaults = method.outputs.iter().flat_map(|output| &output.default).map(String::as_str);
        let requested =
            service.providers().flat_map(|site| properties(site.provider.parameter(&known.name)).unwrap_or_default());
        // Those that docs/platform.md shows.
        let names: Vec<&str> = ["DisplayName", "Mail", "Mobile"].into_iter().chain(defaults).chain(requested).collect();
        add_entries(&names, to);
    }
}

/// Entries of a list that is separated by commas.
fn add_entries(names: &[&str], to: &mut Completions<'_>) {
    let entry = to.before().rsplit(',').next().unwrap_or_default().trim_start().len();
    let rest = to.after().split(',').next().unwrap_or_default().len();
    let written: Vec<String> =
        format!("{},{}", to.before(), to.after()).split(',').map(|name| name.trim().to_owned()).collect();
    to.narrow(entry, rest);
    for name in names.iter().filter(|name| !written.iter().any(|known| known == *name)) {
        to.add_string(name, CompletionKind::Value, None);
    }
}
