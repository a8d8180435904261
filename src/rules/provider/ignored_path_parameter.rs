use crate::catalog::{ParameterKind, Usage};
use crate::facts::Context;
use crate::rules::{Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF210-ignored-path-parameter", Warning, check);

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
            out.report(&site.at(parameter.node), message).help(help);
        }
    }
}
