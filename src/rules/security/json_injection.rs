use crate::common::collections::HashSet;
use crate::facts::{CodeSite, Context, Place};
use crate::rules::script::parsed;
use crate::rules::{Reporter, Rule};
use crate::script::evaluation::{Ending, Evaluation};
use crate::script::syntax::{JoinedName, Script};
use crate::text::{list, quote};

pub const RULE: Rule = rule!("WF904-json-injection", Warning, check);

/// A message lists this many names.
const MAX_NAMES: usize = 3;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (site, script) in parsed(cx) {
        let unescaped = unescaped(cx, &site, script);
        let Some(JoinedName { name: first, range }) = unescaped.first() else { continue };
        let message = format!(
            "unescaped {} {} in the JSON text of {}{}",
            if unescaped.len() == 1 { "parameter" } else { "parameters" },
            listed(&unescaped),
            site.activity.display_name(),
            site.position(range)
        );
        let place = site.inside(range.clone());
        let joined = (place.clone(), format!("{} is joined to the JSON text as it is", quote(first)));
        out.report(&place, message)
            .help("build an object and serialize it once: `Json = JSON.stringify({ Name: … })`")
            .flow(bound_parameter(&site, first).into_iter().chain([joined]));
    }
}

/// The parameters that are joined to the JSON text as they are, each once: in runs on values with quotation marks, or, if
/// no run shows the text, where the script assigns it.
fn unescaped(cx: &Context<'_>, site: &CodeSite<'_, '_>, script: &Script) -> Vec<JoinedName> {
    let is_shown =
        |evaluation: &&Evaluation| evaluation.runs.iter().any(|run| matches!(run.ending, Ending::Text { .. }));
    let joined = || script.json.assignments.iter().filter(|it| it.reaches_end).flat_map(|it| &it.joined);
    let mut found: Vec<JoinedName> = match cx.evaluation(site).filter(is_shown) {
        Some(evaluation) => {
            let place = |name: &String| joined().find(|joined| joined.name == *name).cloned();
            evaluation.unescaped.iter().map(|name| place(name).unwrap_or_else(|| at_first_use(script, name))).collect()
        }
        None => joined().filter(|joined| !is_written(script, &joined.name)).cloned().collect(),
    };
    let mut known = HashSet::default();
    found.retain(|it| is_bound(site, &it.name) && known.insert(it.name.clone()));
    found.sort_by_key(|found| found.range.start);
    found
}

/// The first names, and how many more there are.
fn listed(unescaped: &[JoinedName]) -> String {
    let mut shown: Vec<String> = unescaped.iter().take(MAX_NAMES).map(|found| quote(&found.name)).collect();
    match unescaped.len() - shown.len() {
        0 => {}
        more => shown.push(format!("{more} more")),
    }
    list(&shown, "and")
}

/// A parameter at its first use.
fn at_first_use(script: &Script, name: &str) -> JoinedName {
    let mut uses = script.globals.iter().filter(|global| global.is_read && global.name == name);
    let range = uses.next().map_or(0..0, |global| global.range.clone());
    JoinedName { name: name.to_owned(), range }
}

/// The variable to which a parameter is bound.
fn bound_parameter(site: &CodeSite<'_, '_>, name: &str) -> Option<(Place, String)> {
    let mut parameters = site.code.parameters.get()?.iter();
    let parameter = parameters.find(|parameter| parameter.name.value() == Some(name))?;
    let (node, variable) = parameter.value.get()?.target()?;
    let text = format!("parameter {} gets the value of {}", quote(name), quote(variable));
    Some((Place::value(site.analysis.file, node), text))
}

/// Whether a name is a parameter that is bound to a variable.
fn is_bound(site: &CodeSite<'_, '_>, name: &str) -> bool {
    let mut parameters = site.code.parameters.get().into_iter().flatten();
    parameters.any(|parameter| {
        parameter.name.value() == Some(name) && parameter.value.get().is_some_and(|value| value.is_bound())
    })
}

/// Whether the script assigns a parameter, so that only a run shows what it holds.
fn is_written(script: &Script, name: &str) -> bool {
    script.globals.iter().any(|global| global.is_written && global.name == name)
}
