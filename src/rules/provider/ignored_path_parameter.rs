use crate::catalog::{ParameterKind, Usage};
use crate::document::removal_of;
use crate::facts::{Context, ProviderSite, removals_after_clearing};
use crate::model::{Binding, Parameter};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit};
use crate::text::quote;

pub const RULE: Rule = rule!("WF210-ignored-path-parameter", Warning, check, fixes: Fixes::Safe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        let Some(method) = site.outputs.method else { continue };
        let is_ignored = |name: &str| {
            method.parameter(name).is_none()
                && method.additional.iter().any(|known| known.usage == Usage::Ignored && known.matches(name))
        };
        for parameter in site.provider.additional() {
            let Some(name) = parameter.name.value().filter(|name| is_ignored(name)) else { continue };
            let help = match method.parameter_of_kind(ParameterKind::File) {
                Some(file) => format!("remove it, and bind {} to the uploaded document", quote(&file.name)),
                None => "remove it".to_owned(),
            };
            let message = format!("ignored parameter {}: {} does not use it", quote(name), quote(&method.name));
            let mut draft = out.report(&site.at(parameter.node), message);
            match removal(cx, &site, parameter) {
                Some(edits) => draft.fix(Applicability::Safe, "remove the parameter", edits),
                None => draft.help(help),
            };
        }
    }
}

/// The edits that remove a parameter, also its copy. `None` without another document: then the parameter says which one was
/// meant.
fn removal(cx: &Context<'_>, site: &ProviderSite<'_, '_>, parameter: &Parameter<'_>) -> Option<Vec<Edit>> {
    let file = site.outputs.method?.parameter_of_kind(ParameterKind::File)?;
    let has_document = site.provider.parameter(&file.name).is_some_and(|file| !file.is_empty());
    let target = parameter.value.get().and_then(Binding::target).map(|(_, target)| target);
    let is_entered = |target| cx.removable().is_only_reader_of_people(site.analysis.file, site.activity.id, target);
    if !has_document || target.is_some_and(is_entered) {
        return None;
    }
    let nodes: Vec<_> = std::iter::once(parameter).chain(site.provider.copy(parameter)).map(|it| it.node).collect();
    let remove = |node: &_| removal_of(site.analysis.document, site.analysis.file, *node);
    let mut edits: Vec<Edit> = nodes.iter().filter_map(remove).collect();
    let gone: Vec<&str> = target.into_iter().collect();
    edits.extend(removals_after_clearing(cx, site.analysis, site.activity, &nodes, &gone));
    Some(edits)
}
