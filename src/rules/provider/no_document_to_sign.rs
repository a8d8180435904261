use crate::catalog::{AdditionalKind, Effect, Method, ParameterKind, Usage};
use crate::diagnostic::Severity;
use crate::document::NodeId;
use crate::facts::{Context, ProviderSite, unknown_parameters};
use crate::model::Parameter;
use crate::rules::{Cause, Reporter, Rule, YieldsTo};
use crate::text::quote;

pub const RULE: Rule = Rule {
    code: "WF211",
    name: "no-document-to-sign",
    severity: Severity::Warning,
    other_severities: &[Severity::Info],
    yields_to: YieldsTo::Rules(&["WF105", "WF201", "WF204", "WF209"]),
    page: include_str!("../../../rules/WF211-no-document-to-sign.md"),
    check,
    ..Rule::DEFAULT
};

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
        for node in document_candidates(cx, &site, method, &file.name) {
            draft.about(Cause::Node(site.analysis.file, node));
        }
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

/// Parameters that are most likely meant as the document, but have a fault: a mistyped name, the wrong array, a faulty
/// value.
fn document_candidates(cx: &Context<'_>, site: &ProviderSite<'_, '_>, method: &Method, file: &str) -> Vec<NodeId> {
    let is_typo = |parameter: &Parameter<'_>| {
        !parameter.is_additional.is_true()
            && parameter.name.value().is_some_and(|name| cx.suggester.nearest(name, [file]).is_some())
    };
    let declared = unknown_parameters(site, method)
        .filter(|parameter| is_typo(parameter) || is_used_path(method, parameter))
        .map(|parameter| parameter.node);
    let paths = site.provider.additional().filter(|parameter| is_used_path(method, parameter));
    let values = paths.filter_map(|path| path.value.get()).map(|path| path.value.node().unwrap_or(path.node));
    declared.chain(values).collect()
}
