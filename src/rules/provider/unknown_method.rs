//! WF202

use std::collections::HashSet;

use crate::catalog::Method;
use crate::diagnostic::{Severity, quote};
use crate::rules::{Context, Fixes, ProviderSite, Reporter, Rule, Stage};

/// The rule.
pub const RULE: Rule = Rule {
    code: "WF202",
    name: "unknown-method",
    severity: Severity::Info,
    other_severities: &[Severity::Warning],
    fixes: Fixes::None,
    stage: Stage::Usual,
    page: include_str!("../../../rules/WF202-unknown-method.md"),
    check,
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers().filter(|site| site.outputs.method.is_none()) {
        let Some((node, name)) = site.provider.method.known() else { continue };
        let message =
            format!("no catalogue has the method {}, so its parameters and outputs are not checked", quote(name));
        let candidates = cx.config.catalog.methods.iter().filter(|method| may_be_of(cx, &site, method));
        match cx.suggester.nearest(name, candidates.map(|method| method.name.as_str())) {
            Some(near) => {
                out.report(&site.at(node), message, format!("did you mean `{near}`?")).severity(Severity::Warning);
            }
            None => {
                out.report(
                    &site.at(node),
                    message,
                    "describe the method in a catalogue file (`wflint schema catalog`), and name the file under \
                     `catalogs` in wflint.toml",
                );
            }
        }
    }
}

/// Whether a method may be one of the activity's module. Where the catalogue leaves the module
/// open, it is the one that the service's activities give for that plug-in.
fn may_be_of(cx: &Context<'_>, site: &ProviderSite<'_, '_>, method: &Method) -> bool {
    let Some(module) = site.provider.module.value() else { return true };
    if let Some(known) = &method.module {
        return known == module;
    }
    let of_plugin: HashSet<&str> = cx
        .providers()
        .filter(|other| other.outputs.method.is_some_and(|known| known.plugin == method.plugin))
        .filter_map(|other| other.provider.module.value())
        .collect();
    of_plugin.is_empty() || of_plugin.contains(module)
}
