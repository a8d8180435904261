use std::collections::BTreeMap;

use crate::diagnostic::{Applicability, Severity, quote};
use crate::facts::{Context, ProviderSite};
use crate::rules::{Fixes, Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF203",
    name: "method-identity-mismatch",
    severity: Severity::Error,
    other_severities: &[Severity::Warning, Severity::Info],
    fixes: Fixes::Unsafe,
    page: include_str!("../../../rules/WF203-method-identity-mismatch.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        check_id(cx, &site, out);
    }
    check_packages(cx, out);
}

fn check_id(cx: &Context<'_>, site: &ProviderSite<'_, '_>, out: &mut Reporter<'_>) {
    let Some(method) = site.outputs.method else { return };
    let (Some(id), Some((node, &given))) = (method.method_id, site.provider.method_id.known()) else { return };
    if id == given {
        return;
    }
    let name = quote(&method.name);
    let (severity, said) = match cx.config.catalog.methods.iter().find(|other| other.method_id == Some(given)) {
        Some(other) => (Severity::Error, format!("{given} is the id of {}", quote(&other.name))),
        None => (Severity::Info, format!("{given} is the id of no known method")),
    };
    out.report(&site.at(node), format!("{said}, but the activity names {name}, which has the id {id}"))
        .help(format!("set `methodId` to {id}, or name the other method"))
        .severity(severity)
        .fix_value(Applicability::Unsafe, format!("set methodId to {id}"), node, id.to_string());
}

/// Activities of one module come from one package: the fewer that say another are told.
fn check_packages(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let mut modules: BTreeMap<&str, Vec<(ProviderSite<'_, '_>, &str)>> = BTreeMap::new();
    for site in cx.providers().filter(|site| site.outputs.method.is_some()) {
        let (Some(module), Some(package)) = (site.provider.module.value(), site.provider.package.value()) else {
            continue;
        };
        if !module.is_empty() {
            modules.entry(module).or_default().push((site, package));
        }
    }
    for (module, sites) in modules {
        let mut counts: Vec<(&str, usize)> = Vec::new();
        for (_, package) in &sites {
            match counts.iter_mut().find(|(known, _)| known == package) {
                Some((_, count)) => *count += 1,
                None => counts.push((package, 1)),
            }
        }
        let most = counts.iter().map(|&(_, count)| count).max().unwrap_or(0);
        let Some(&(usual, _)) = counts.iter().find(|&&(_, count)| count == most) else { continue };
        let example = sites.iter().find(|(_, package)| *package == usual);
        for (site, package) in sites.iter().filter(|(_, package)| *package != usual) {
            let place = site.provider.method_id.node().unwrap_or(site.activity.node);
            let message = format!(
                "the module {} comes from the package {} here, but from {} elsewhere in the service",
                quote(module),
                quote(package),
                quote(usual)
            );
            let mut draft = out.report(&site.at(place), message);
            draft.help("choose the activity anew in the editor, or make the packages agree");
            draft.severity(Severity::Warning);
            if let Some(node) = site.provider.package.node() {
                draft.related(&site.at(node), "this package");
            }
            if let Some((other, node)) = example.and_then(|(other, _)| Some((other, other.provider.package.node()?))) {
                draft.related(&other.at(node), "the other one");
            }
        }
    }
}
