use crate::catalog::Method;
use crate::collections::HashSet;
use crate::diagnostic::Severity;
use crate::facts::{Context, ProviderSite};
use crate::rules::{Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = Rule {
    code: "WF202",
    name: "unknown-method",
    severity: Severity::Info,
    other_severities: &[Severity::Warning],
    page: include_str!("../../../rules/WF202-unknown-method.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers().filter(|site| site.outputs.method.is_none()) {
        let Some((node, name)) = site.provider.method.known() else { continue };
        if name.is_empty() {
            out.report(&site.at(node), format!("missing method of {}", site.activity.display_name()))
                .help("set `method` to a method of the plug-in");
            continue;
        }
        let message = format!("unknown method {}, so its parameters and outputs are not checked", quote(name));
        let candidates = cx
            .config
            .catalog
            .methods
            .iter()
            .filter(|method| may_be_of(cx, &site, method) && !is_another_verb(name, &method.name));
        match cx.suggester.nearest(name, candidates.map(|method| method.name.as_str())) {
            Some(near) => {
                let help =
                    format!("did you mean `{near}`? Otherwise describe it in a catalog (`catalogs` in wflint.toml)");
                out.report(&site.at(node), message).help(help).severity(Severity::Warning);
            }
            None => {
                out.report(&site.at(node), message).help(
                    "describe it in a catalog (`wflint schema catalog`), and list the file under `catalogs` in \
                     wflint.toml",
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

/// Whether a method may belong to the activity's module. Where the catalog leaves the module open, it is the one
/// that the service's activities name for that plug-in.
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
