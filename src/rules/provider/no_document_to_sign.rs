use crate::catalog::{AdditionalKind, Effect, Method, ParameterKind, Usage};
use crate::facts::{Context, ProviderSite};
use crate::model::Parameter;
use crate::rules::{Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::quote;

pub const RULE: Rule = rule!("WF211-no-document-to-sign", Warning | Info, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        let Some(method) = site.outputs.method.filter(|method| method.effect == Some(Effect::Create)) else { continue };
        let Some(file) = method.parameter_of_kind(ParameterKind::File) else { continue };
        // Only of methods that know local files as well is it known that they sign a document.
        let Some(path_use) = path_use(method) else { continue };
        if !site.provider.lists_are_known() || has_document(&site, method, &file.name) {
            continue;
        }
        let name = quote(&file.name);
        let message = format!("missing document of {}: {name} has no value", site.activity.display_name());
        let mut draft = out.report(&site.at(site.activity.node), message);
        match path_use {
            Usage::Used => draft.help(format!(
                "bind {name} to the uploaded file, or add a parameter `Path…` with the path of a local file"
            )),
            Usage::Ignored => draft
                .help(format!("bind {name} to the uploaded file, unless the case description contains the document"))
                .severity(Severity::Info),
        };
    }
}

fn path_use(method: &Method) -> Option<Usage> {
    method.additional.iter().find(|additional| additional.kind == Some(AdditionalKind::Path)).map(|path| path.usage)
}

fn is_used_path(method: &Method, parameter: &Parameter<'_>) -> bool {
    parameter.name.value().is_some_and(|name| {
        method.additional.iter().any(|additional| additional.usage == Usage::Used && additional.matches(name))
    })
}

fn has_document(site: &ProviderSite<'_, '_>, method: &Method, file: &str) -> bool {
    let is_known =
        |parameter: &Parameter<'_>| parameter.name.value().is_some_and(|name| method.parameter(name).is_some());
    site.provider.parameter(file).is_some_and(|parameter| !parameter.is_empty())
        || site.provider.additional().any(|parameter| is_used_path(method, parameter) && !parameter.is_empty())
        || site.provider.declared().any(|parameter| is_used_path(method, parameter) && is_known(parameter))
}
