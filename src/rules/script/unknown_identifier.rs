use crate::facts::Context;
use crate::rules::script::{JSON, parsed, read_names};
use crate::rules::{Reporter, Rule};
use crate::script::syntax::{Assigned, Script, built_in_names};
use crate::text::quote;

pub const RULE: Rule = rule!("WF803-unknown-identifier", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (site, script) in parsed(cx) {
        let Some(parameters) = site.parameter_names() else { continue };
        let hosts = cx.config.catalog.script_globals.iter().map(String::as_str);
        // A name is reported once, at its first read.
        let unknown = script.unknown(parameters.iter().copied().chain(hosts).chain([JSON]));
        let read = read_names(script);
        let known = if unknown.is_empty() { Vec::new() } else { known_names(cx, script, &parameters) };
        for global in unknown {
            let is_variable = site.analysis.scope.declarations.variable(&global.name).is_some();
            // In strict mode an assignment does not declare a name, and the script has no result because of that.
            let is_meant = global.is_written && script.json.assigned == Assigned::Never;
            let result = cx.suggester.nearest(&global.name, [JSON]).filter(|_| is_meant);
            // An unused parameter is the likeliest of equally similar names.
            let is_unused = |name: &str| parameters.contains(&name) && !read.contains(name);
            let near = result.or_else(|| cx.suggester.nearest_rather(&global.name, known.iter().copied(), is_unused));
            let help = match near {
                _ if is_variable => format!("add a parameter that is bound to the variable {}", quote(&global.name)),
                Some(near) => format!("did you mean {}?", quote(near)),
                None => "declare it, add a parameter, or list it under `script-globals` in a catalog".to_owned(),
            };
            let activity = site.activity.display_name();
            let position = site.position(&global.range);
            let message = format!("undefined name {} in {activity}{position}", quote(&global.name));
            out.report(&site.inside(global.range.clone()), message).help(help);
        }
    }
}

/// The names that one of a script may have been meant to be.
fn known_names<'n>(cx: &'n Context<'_>, script: &'n Script, parameters: &[&'n str]) -> Vec<&'n str> {
    let own = script.declarations.iter().map(|declared| &*declared.name);
    let assigned = script.globals.iter().filter(|global| global.is_written).map(|global| global.name.as_str());
    let hosts = cx.config.catalog.script_globals.iter().map(String::as_str);
    let known = parameters.iter().copied().chain(own).chain(assigned).chain(hosts).chain([JSON]);
    known.chain(built_in_names().map(|name| -> &'n str { name })).collect()
}
