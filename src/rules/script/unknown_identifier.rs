use crate::facts::{CodeSite, Context};
use crate::rules::script::{JSON, parsed, read_names};
use crate::rules::{Fixes, Reporter, Rule};
use crate::script::syntax::{Assigned, Script, built_in_names, name_uses};
use crate::text::diagnostic::{Applicability, Edit};
use crate::text::quote;

pub const RULE: Rule = rule!("WF803-unknown-identifier", Warning, check, fixes: Fixes::Unsafe);

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
            let mut draft = out.report(&site.inside(global.range.clone()), message);
            draft.help(help);
            let is_certain = |near: &&str| cx.suggester.is_only(&global.name, near, known.iter().copied());
            if let Some(near) = near.filter(|near| !is_variable && is_certain(near)) {
                let edits = edits(&site, script, &global.name, near).unwrap_or_default();
                if !edits.is_empty() {
                    draft.fix(Applicability::Unsafe, format!("write {}", quote(near)), edits);
                }
            }
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

/// The objects of the language whose members are used, but which are not called.
const NAMESPACES: [&str; 5] = ["Atomics", "Intl", "JSON", "Math", "Reflect"];

/// The edits that write another name wherever the script uses an undefined one; `None` if they may change what else it
/// does.
fn edits(site: &CodeSite<'_, '_>, script: &Script, old: &str, new: &str) -> Option<Vec<Edit>> {
    let found = name_uses(site.text)?;
    let is_top_level = script.declarations.iter().any(|declared| &*declared.name == new);
    // A function may have a variable of that name.
    if found.declared.contains(old) || found.declared.contains(new) && !is_top_level {
        return None;
    }
    let uses: Vec<_> = found.uses.into_iter().filter(|found| found.name == old).collect();
    let is_built_in = built_in_names().any(|name| name == new);
    let fits = |range: &std::ops::Range<usize>| {
        let after = site.text.get(range.end..).unwrap_or_default().trim_start();
        // A function of the language as a value, such as `Date` for `date`, is hardly meant.
        !is_built_in || after.starts_with('(') || after.starts_with('.') && NAMESPACES.contains(&new)
    };
    if uses.iter().any(|found| found.is_shorthand || !fits(&found.range)) {
        return None;
    }
    let edit = |range| Edit {
        file: site.analysis.file,
        span: site.analysis.document.span_inside(site.node, range),
        new_text: new.to_owned(),
    };
    Some(uses.into_iter().map(|found| edit(found.range)).collect())
}
