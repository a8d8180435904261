use crate::catalog::{Method, Usage};
use crate::facts::{Context, ProviderSite, unknown_parameters, with_copy};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::diagnostic::Applicability;
use crate::text::quote;

pub const RULE: Rule = rule!("WF204-unknown-parameter", Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        let Some(method) = site.outputs.method else { continue };
        for parameter in unknown_parameters(&site, method) {
            let Some((node, name)) = parameter.name.known() else { continue };
            let mut draft =
                out.report(&site.at(node), format!("unknown parameter {} of {}", quote(name), quote(&method.name)));
            draft.help(help(cx, &site, method, name)).cause(Cause::Node(site.analysis.file, parameter.node));
            // One that is marked as additional is in the wrong array, and need not be a typo.
            if parameter.is_additional.is_true() {
                continue;
            }
            for absent in absent(&site, method).filter(|absent| cx.suggester.nearest(name, [*absent]).is_some()) {
                draft.cause(Cause::Name(site.analysis.file, site.activity.node, absent.to_owned()));
            }
            if let Some(near) = meant(cx, &site, method, name) {
                let json = serde_json::Value::from(near).to_string();
                let edits = with_copy(site.analysis, site.activity, node, &json);
                draft.fix(Applicability::Unsafe, format!("rename it to {}", quote(near)), edits);
            }
        }
    }
}

/// The method's parameters that the activity lacks.
fn absent<'s>(site: &'s ProviderSite<'_, '_>, method: &'s Method) -> impl Iterator<Item = &'s str> {
    let names = method.parameters.iter().map(|known| known.name.as_str());
    names.filter(|name| site.provider.parameter(name).is_none())
}

/// The parameter that was meant, if that is certain: the activity lacks it, no other is as near, and no other unknown one
/// may be meant to be it.
fn meant<'m>(cx: &Context<'_>, site: &ProviderSite<'_, '_>, method: &'m Method, name: &str) -> Option<&'m str> {
    let all = method.parameters.iter().map(|known| known.name.as_str());
    let near = cx.suggester.only_nearest(name, all.clone()).filter(|near| site.provider.parameter(near).is_none())?;
    let unknown = unknown_parameters(site, method).filter_map(|parameter| parameter.name.value());
    let like = unknown.filter(|name| cx.suggester.nearest(name, all.clone()) == Some(near)).count();
    (like == 1 && !is_additional(method, name)).then_some(near)
}

/// Whether the method uses a parameter of this name among the additional ones.
fn is_additional(method: &Method, name: &str) -> bool {
    method.additional.iter().any(|known| known.usage == Usage::Used && known.matches(name))
}

fn help(cx: &Context<'_>, site: &ProviderSite<'_, '_>, method: &Method, name: &str) -> String {
    let all = method.parameters.iter().map(|known| known.name.as_str());
    let near = cx.suggester.nearest(name, absent(site, method)).or_else(|| cx.suggester.nearest(name, all));
    match near {
        Some(near) => format!("did you mean `{near}`?"),
        None if is_additional(method, name) => "move it to `additionalProviderParameters`".to_owned(),
        None => "remove it, or add it to the method in your own catalog".to_owned(),
    }
}
