use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::catalog::Method;
use crate::common::collections::HashMap;
use crate::facts::{Context, ProviderSite};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::{Applicability, Edit, Severity};
use crate::text::quote;

pub const RULE: Rule = rule!("WF203-method-identity-mismatch", Error | Warning | Info, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let mut by_id: HashMap<i64, &Method> = HashMap::default();
    for method in &cx.config.catalog.methods {
        if let Some(id) = method.method_id {
            by_id.entry(id).or_insert(method);
        }
    }
    for site in cx.providers() {
        check_id(&by_id, &site, out);
    }
    check_packages(cx, out);
}

fn check_id(by_id: &HashMap<i64, &Method>, site: &ProviderSite<'_, '_>, out: &mut Reporter<'_>) {
    let Some(method) = site.outputs.method else { return };
    let (Some(id), Some((node, &written))) = (method.method_id, site.provider.method_id.known()) else { return };
    if id == written {
        return;
    }
    let name = quote(&method.name);
    let (severity, owner, help) = match by_id.get(&written).map(|other| quote(&other.name)) {
        Some(other) => {
            (Severity::Error, format!(", the id of {other}"), format!("if the id is right, set `method` to {other}"))
        }
        None => (Severity::Info, String::new(), "if the id is right, set `method-id` in your own catalog".to_owned()),
    };
    out.report(&site.at(node), format!("`methodId` is {written}{owner}, but {name} has id {id}"))
        .help(help)
        .severity(severity)
        .fix_value(Applicability::Unsafe, format!("set `methodId` to {id}"), node, id.to_string());
}

/// Activities of one module come from one package: those that name a rarer one are reported.
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
        let counts = counts(sites.iter().map(|&(_, package)| package));
        let Some((&usual, &(most, _))) = counts.iter().max_by_key(|&(_, count)| count) else { continue };
        let example = sites.iter().find(|(_, package)| *package == usual);
        for (site, package) in sites.iter().filter(|(_, package)| *package != usual) {
            let place = site.provider.method_id.node().unwrap_or(site.activity.node);
            let is_rarer = counts.get(package).is_some_and(|(count, _)| *count < most);
            let json = serde_json::Value::from(usual).to_string();
            let (package, usual) = (quote(package), quote(usual));
            let message = format!("conflicting packages of module {}: {package}, elsewhere {usual}", quote(module));
            let mut draft = out.report(&site.at(place), message);
            let help = "select the activity again in the editor";
            draft.help(if is_rarer { help.to_owned() } else { format!("set `package` to {usual}, or {help}") });
            draft.severity(Severity::Warning);
            if let Some(node) = site.provider.package.node() {
                draft.related(&site.at(node), format!("{package} here"));
                let edit = Edit { file: site.analysis.file, span: site.analysis.document.span(node), new_text: json };
                let title = format!("set `package` to {usual}");
                if is_rarer {
                    draft.fix(Applicability::Unsafe, title, vec![edit]);
                } else {
                    draft.alternative(Applicability::Unsafe, title, vec![edit]);
                }
            }
            if let Some((other, node)) = example.and_then(|(other, _)| Some((other, other.provider.package.node()?))) {
                draft.related(&other.at(node), format!("{usual} here"));
            }
        }
    }
}

/// How often each name occurs, and the place of the first, so that of equally frequent ones the first is the greatest.
fn counts<'a>(names: impl Iterator<Item = &'a str>) -> HashMap<&'a str, (usize, Reverse<usize>)> {
    let mut counts: HashMap<&str, (usize, Reverse<usize>)> = HashMap::default();
    for (at, name) in names.enumerate() {
        counts.entry(name).or_insert((0, Reverse(at))).0 += 1;
    }
    counts
}
