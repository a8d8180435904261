use crate::catalog::{AdditionalKind, Effect, Method, ParameterKind, Use};
use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, ProviderSite, unknown_parameters};
use crate::model::{Literal, Parameter, State};
use crate::rules::provider::missing_required_parameter::is_incomplete;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF211",
    name: "no-document-to-sign",
    severity: Severity::Warning,
    other_severities: &[Severity::Info],
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
        if !site.provider.lists_are_known() || has_document(cx, &site, method, &file.name) || is_incomplete(cx, &site) {
            continue;
        }
        let file = quote(&file.name);
        let message = format!("this activity makes a case without a document: {file} has no value");
        match path_use {
            Use::Used => {
                let help = format!(
                    "bind {file} to the uploaded file, or add a parameter `Path…` with the path of a local one"
                );
                out.report(&site.at(site.activity.node), message).help(help);
            }
            Use::Ignored => {
                let help = format!("bind {file} to the uploaded file, unless the case brings its document otherwise");
                out.report(&site.at(site.activity.node), message).help(help).severity(Severity::Info);
            }
        }
    }
}

fn path_use(method: &Method) -> Option<Use> {
    method.additional.iter().find(|additional| additional.kind == Some(AdditionalKind::Path)).map(|path| path.usage)
}

fn has_document(cx: &Context<'_>, site: &ProviderSite<'_, '_>, method: &Method, file: &str) -> bool {
    let is_given = |name: &str| site.provider.parameter(name).is_some_and(|parameter| !parameter.is_empty());
    let is_used_path = |name: &str| {
        method.additional.iter().any(|additional| additional.usage == Use::Used && additional.matches(name))
    };
    // A literal that is missing is told as such (WF105).
    let lacks_literal = |parameter: &Parameter<'_>| {
        let binding = parameter.value.get();
        binding.is_some_and(|binding| {
            binding.state.value() == Some(State::Static)
                && binding.value.value().is_none_or(|value| value == Literal::Null)
        })
    };
    let mut additional =
        site.provider.additional().filter(|parameter| !parameter.is_empty() || lacks_literal(parameter));
    is_given(file)
        || additional.any(|parameter| parameter.name.value().is_some_and(is_used_path))
        // A mistyped name stands for it (WF204), or one in the wrong list (WF209).
        || unknown_parameters(site, method).filter_map(|parameter| parameter.name.value()).any(|name| {
            cx.suggester.nearest(name, [file]).is_some() || is_used_path(name)
        })
        || site.provider.declared().any(|parameter| parameter.name.value().is_some_and(is_used_path))
}
