use crate::collections::HashSet;
use crate::diagnostic::{Severity, quote};
use crate::facts::{CodeSite, Context};
use crate::rules::script::{JSON, parsed};
use crate::rules::{Reporter, Rule};
use crate::script::syntax::{Global, Script, built_in_names};

pub const RULE: Rule = Rule {
    code: "WF803",
    name: "unknown-identifier",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF803-unknown-identifier.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (site, script) in parsed(cx) {
        let Some(parameters) = site.parameter_names() else { continue };
        for global in unknown(cx, script, &parameters) {
            let is_variable = site.analysis.scope.declarations.variable(&global.name).is_some();
            let help = match nearest(cx, script, &parameters, &global.name) {
                _ if is_variable => "a variable has this name: give it to the script as a parameter".to_owned(),
                Some(near) => format!("did you mean {}?", quote(near)),
                None => "declare it, or give it to the script as a parameter; what the platform itself gives scripts \
                         can be listed as `script-globals` in a catalogue"
                    .to_owned(),
            };
            out.report(&site.inside(global.range.clone()), message(&site, global)).help(help);
        }
    }
}

fn message(site: &CodeSite<'_, '_>, global: &Global) -> String {
    format!(
        "{} is no parameter of this activity, and nothing declares it, so the script fails where it reads it{}",
        quote(&global.name),
        site.position(&global.range)
    )
}

/// The first read of each name that nobody knows.
pub(super) fn unknown<'s>(cx: &'s Context<'_>, script: &'s Script, parameters: &[&'s str]) -> Vec<&'s Global> {
    let hosts = cx.config.catalog.script_globals.iter().map(String::as_str);
    script.unknown(parameters.iter().copied().chain(hosts).chain([JSON]))
}

fn nearest<'n>(cx: &'n Context<'_>, script: &'n Script, parameters: &[&'n str], name: &str) -> Option<&'n str> {
    let own = script.declarations.iter().map(|declared| declared.name.as_str());
    let assigned = script.globals.iter().filter(|global| global.is_written).map(|global| global.name.as_str());
    let hosts = cx.config.catalog.script_globals.iter().map(String::as_str);
    let known = parameters.iter().copied().chain(own).chain(assigned).chain(hosts).chain([JSON]);
    cx.suggester.nearest(name, known.chain(built_in_names().map(|name| -> &'n str { name })))
}

/// The parameters that unknown names of the script most likely mean.
pub(super) fn meant<'n>(cx: &'n Context<'_>, script: &'n Script, parameters: &[&'n str]) -> HashSet<&'n str> {
    let unknown = unknown(cx, script, parameters);
    unknown.into_iter().filter_map(|global| nearest(cx, script, parameters, &global.name)).collect()
}
