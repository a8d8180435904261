use crate::catalog::Use;
use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, unknown_parameters};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF204",
    name: "unknown-parameter",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF204-unknown-parameter.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        let Some(method) = site.outputs.method else { continue };
        for parameter in unknown_parameters(&site, method) {
            let Some((node, name)) = parameter.name.known() else { continue };
            let is_first = site.provider.parameter(name).is_some_and(|first| first.node == parameter.node);
            if !is_first {
                continue; // A repeated one is told as such (WF206).
            }
            let absent = method.parameters.iter().filter(|known| site.provider.parameter(&known.name).is_none());
            let near = cx.suggester.nearest(name, absent.map(|known| known.name.as_str()));
            let near =
                near.or_else(|| cx.suggester.nearest(name, method.parameters.iter().map(|known| known.name.as_str())));
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None if method
                    .additional
                    .iter()
                    .any(|additional| additional.usage == Use::Used && additional.matches(name)) =>
                {
                    "move it to `additionalProviderParameters`".to_owned()
                }
                None => "remove it, or add it to the method in a catalogue of your own".to_owned(),
            };
            out.report(
                &site.at(node),
                format!(
                    "{} has no parameter {}; what the platform does with it is not documented",
                    quote(&method.name),
                    quote(name)
                ),
            )
            .help(help);
        }
    }
}
