//! Variables in bindings and placeholders.

use super::completions::Completions;
use super::item::{Completion, CompletionKind};
use super::json_context::{Container, JsonContext};
use crate::catalog::ParameterKind;
use crate::collections::HashSet;
use crate::diagnostic::Edit;
use crate::facts::AnalyzedService;
use crate::model::FILE_TYPE;
use crate::source::Span;

/// Returns whether nothing but variables can be here.
pub fn add(service: &AnalyzedService<'_>, context: &JsonContext, to: &mut Completions<'_>) -> bool {
    let in_list = || context.around.last().and_then(|list| list.key.as_deref()) == Some("ownBoundVariables");
    match context.key.as_deref() {
        Some("boundTo") => add_targets(service, context, to),
        None if in_list() => {
            for variable in declared(service, context) {
                to.push(completion(&variable, to));
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
fn add_targets(service: &AnalyzedService<'_>, context: &JsonContext, to: &mut Completions<'_>) {
    let wants_file = wants_file(service, &context.around);
    for variable in declared(service, context) {
        let edit = variable.id.and_then(|id| id_edit(context, to, id));
        let rank = u8::from((variable.kind == Some(FILE_TYPE)) != wants_file);
        to.push(Completion { rank, additional: edit.into_iter().collect(), ..completion(&variable, to) });
    }
    let config = service.config;
    let declared: HashSet<&str> = declared(service, context).iter().map(|variable| variable.name).collect();
    let system = config.system_variables.iter().chain(&config.catalog.common_outputs);
    for name in system.filter(|name| !declared.contains(name.as_str())) {
        let detail = Some("system variable".to_owned());
        to.push(Completion { detail, rank: 2, ..to.string(name, CompletionKind::Variable) });
    }
}

/// Sets `boundToId`, or adds it behind the name; `None` in a form field, and in a document without such ids.
fn id_edit(context: &JsonContext, to: &Completions<'_>, id: i64) -> Option<Edit> {
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

/// A variable that can be named.
struct Known<'a> {
    name: &'a str,
    id: Option<i64>,
    kind: Option<&'a str>,
}

/// The variables of the documents, and those of the text itself, which may not be a document now; each once.
fn declared<'a>(service: &AnalyzedService<'a>, context: &'a JsonContext) -> Vec<Known<'a>> {
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
fn add_placeholders(service: &AnalyzedService<'_>, context: &JsonContext, to: &mut Completions<'_>) -> bool {
    const KEYS_WITHOUT: [&str; 4] = ["script", "onLoad", "onChange", "onSubmit"];
    if !context.in_string || context.key.as_deref().is_some_and(|key| KEYS_WITHOUT.contains(&key)) {
        return false;
    }
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    let start = to.before().trim_end_matches(is_part);
    if !start.ends_with('{') {
        return false;
    }
    let before = to.before().len() - start.len();
    let rest = to.after().trim_start_matches(is_part);
    let after = to.after().len() - rest.len();
    let close = if rest.starts_with('}') { "" } else { "}" };
    to.narrow(before, after);
    for variable in declared(service, context) {
        let name = variable.name;
        let written = to.written(name, CompletionKind::Variable, format!("{name}{close}"));
        let detail = variable.kind.map(str::to_owned);
        to.push(Completion { detail, rank: u8::from(variable.kind == Some(FILE_TYPE)), ..written });
    }
    true
}
