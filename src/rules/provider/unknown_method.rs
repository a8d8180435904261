use crate::catalog::Method;
use crate::common::collections::{HashMap, HashSet};
use crate::facts::{Context, ProviderSite};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::quote;

pub const RULE: Rule = rule!("WF202-unknown-method", Info | Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let modules = Modules::of(cx);
    for site in cx.providers().filter(|site| site.outputs.method.is_none()) {
        let Some((node, name)) = site.provider.method.known() else { continue };
        if name.is_empty() {
            out.report(&site.at(node), format!("missing method of {}", site.activity.display_name()))
                .help("set `method` to a method of the plug-in");
            continue;
        }
        let message = format!("unknown method {}, so its parameters and outputs are not checked", quote(name));
        let methods = cx.config.catalog.methods.iter();
        let candidates = methods
            .filter(|method| modules.may_have(method, &site) && !is_another_verb(name, &method.name))
            .map(|method| method.name.as_str());
        match cx.suggester.nearest(name, candidates.clone()) {
            Some(near) => {
                let is_certain = cx.suggester.is_only(name, near, candidates) && !is_id_of_another(cx, &site, near);
                let help =
                    format!("did you mean `{near}`? Otherwise describe it in a catalog (`catalogs` in wflint.toml)");
                let mut draft = out.report(&site.at(node), message);
                draft.suggest(near, is_certain, "method", node).help(help).severity(Severity::Warning);
            }
            None => {
                out.report(&site.at(node), message).help(
                    "describe it in a catalog (`wflint catalog infer` writes one), and list the file under `catalogs` \
                     in wflint.toml",
                );
            }
        }
    }
}

/// Verbs with which methods of plug-ins usually begin: they are PowerShell functions (docs/platform.md, Provider
/// activity).
const VERBS: [&str; 22] = [
    "Add", "Clear", "Copy", "Disable", "Enable", "Export", "Find", "Get", "Import", "Invoke", "Move", "New", "Remove",
    "Rename", "Request", "Reset", "Send", "Set", "Start", "Stop", "Test", "Update",
];

/// Whether two methods do different things to the same object: `Set-X` is not a typo of `Get-X`.
fn is_another_verb(written: &str, known: &str) -> bool {
    match (written.split_once('-'), known.split_once('-')) {
        (Some((verb, _)), Some((other, _))) => verb != other && VERBS.contains(&verb),
        _ => false,
    }
}

/// Whether the activity has the id of a known method other than the one that is near.
fn is_id_of_another(cx: &Context<'_>, site: &ProviderSite<'_, '_>, near: &str) -> bool {
    let id = site.provider.method_id.value();
    let mut methods = cx.config.catalog.methods.iter().filter(|method| id.is_some() && method.method_id == id);
    methods.any(|method| method.name != near)
}

/// By plug-in, the modules that the service's activities name for its methods.
struct Modules<'c>(HashMap<&'c str, HashSet<&'c str>>);

impl<'c> Modules<'c> {
    fn of(cx: &'c Context<'_>) -> Self {
        let mut modules: HashMap<&str, HashSet<&str>> = HashMap::default();
        for site in cx.providers() {
            if let (Some(method), Some(module)) = (site.outputs.method, site.provider.module.value()) {
                modules.entry(&method.plugin).or_default().insert(module);
            }
        }
        Self(modules)
    }

    /// Whether a method may belong to an activity's module. Where the catalog leaves the module open, it is the one
    /// that the service's activities name for that plug-in.
    fn may_have(&self, method: &Method, site: &ProviderSite<'_, '_>) -> bool {
        let Some(module) = site.provider.module.value() else { return true };
        match &method.module {
            Some(known) => known == module,
            None => self.0.get(method.plugin.as_str()).is_none_or(|of_plugin| of_plugin.contains(module)),
        }
    }
}
