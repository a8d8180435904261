use crate::catalog::Use;
use crate::collections::HashSet;
use crate::diagnostic::{Severity, quote};
use crate::facts::Context;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF210",
    name: "ignored-path-parameter",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF210-ignored-path-parameter.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        let Some(method) = site.outputs.method else { continue };
        let is_ignored = |name: &str| {
            method.parameter(name).is_none()
                && method.additional.iter().any(|known| known.usage == Use::Ignored && known.matches(name))
        };
        let mut seen: HashSet<&str> = site.provider.declared().filter_map(|parameter| parameter.name.value()).collect();
        for parameter in site.provider.additional() {
            // A second one is told by WF206; one that says that it is declared, by WF209.
            let is_told = parameter.is_additional.value() == Some(false);
            let Some(name) = parameter.name.value().filter(|name| seen.insert(name) && !is_told) else { continue };
            if is_ignored(name) {
                out.report(
                    &site.at(parameter.node),
                    format!(
                        "{} takes no notice of {}: a file that it names is not signed",
                        quote(&method.name),
                        quote(name)
                    ),
                )
                .help(
                    "remove it; upload the document and bind it to `ZPMediaGuid`, or use the request for one party, \
                     which takes a local file",
                );
            }
        }
    }
}
