use std::ops::Range;

use crate::common::collections::HashSet;
use crate::facts::{CodeSite, Context, Place, part_edit};
use crate::rules::script::parsed;
use crate::rules::{Fixes, Reporter, Rule};
use crate::script::evaluation::{Ending, Evaluation};
use crate::script::syntax::{JoinedName, Script, name_uses};
use crate::text::diagnostic::{Applicability, Edit};
use crate::text::{list, quote};

pub const RULE: Rule = rule!("WF904-json-injection", Warning, check, fixes: Fixes::Unsafe);

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
        let mut draft = out.report(&place, message);
        draft
            .help("build an object and serialize it once: `Json = JSON.stringify({ Name: … })`")
            .flow(bound_parameter(&site, first).into_iter().chain([joined]));
        if let Some(edits) = stringified(&site, script, &unescaped) {
            let title = format!("insert {} with `JSON.stringify`, without quotes", listed(&unescaped));
            draft.fix(Applicability::Unsafe, title, edits);
        }
    }
}

/// The edits that pass each of these parameters through `JSON.stringify` where it is a whole string of the JSON text, and
/// take its quotes away.
fn stringified(site: &CodeSite<'_, '_>, script: &Script, unescaped: &[JoinedName]) -> Option<Vec<Edit>> {
    if script.declarations.iter().any(|declared| &*declared.name == "JSON") {
        return None;
    }
    let uses = name_uses(site.text)?.uses;
    let mut edits = Vec::new();
    for parameter in unescaped {
        let before = edits.len();
        for found in uses.iter().filter(|found| found.name == parameter.name) {
            let Some([opening, closing]) = quotes_around(site.text, &found.range) else { continue };
            let value = format!("JSON.stringify({})", found.name);
            edits.extend([(opening, String::new()), (found.range.clone(), value), (closing, String::new())]);
        }
        if edits.len() == before {
            return None;
        }
    }
    let (document, file) = (site.analysis.document, site.analysis.file);
    Some(edits.into_iter().map(|(part, text)| part_edit(document, file, site.node, part, &text)).collect())
}

/// The quotes of a string of JSON text that holds nothing but a name, which is joined with `+` or inserted into a template.
fn quotes_around(script: &str, name: &Range<usize>) -> Option<[Range<usize>; 2]> {
    let (before, after) = (script.get(..name.start)?.trim_end(), script.get(name.end..)?.trim_start());
    let (before, after, ends) = match (before.strip_suffix("${"), after.strip_prefix('}')) {
        (Some(before), Some(after)) => (before, after, ['`'; 2]),
        _ => {
            let (before, after) = (before.strip_suffix('+')?.trim_end(), after.strip_prefix('+')?.trim_start());
            let ends = [before.chars().next_back()?, after.chars().next()?];
            (before.strip_suffix(DELIMITERS)?, after.strip_prefix(DELIMITERS)?, ends)
        }
    };
    // Within double quotes a quote is escaped.
    let inside = before.strip_suffix('"')?;
    let inside = inside.strip_suffix('\\').or_else(|| Some(inside).filter(|_| ends[0] != '"'))?;
    let closing = if after.starts_with('\\') { 2 } else { usize::from(ends[1] != '"') };
    let rest = after.get(..closing)?.strip_suffix('"').and(after.get(closing..))?.trim_start();
    let is_whole = inside.trim_end().ends_with([':', '[', ',']) && rest.starts_with([',', '}', ']', ends[1]]);
    let start = script.len() - after.len();
    is_whole.then_some([inside.len()..before.len(), start..start + closing])
}

/// What a string literal or a template of JavaScript begins and ends with.
const DELIMITERS: [char; 3] = ['\'', '"', '`'];

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

#[cfg(test)]
mod tests {
    use super::*;

    /// The script after the repair of `Name`.
    fn repaired(script: &str) -> Option<String> {
        let start = script.find("Name +").or_else(|| script.find("Name}"))?;
        let [opening, closing] = quotes_around(script, &(start..start + 4))?;
        let (before, after) = (script.get(..opening.start)?, script.get(closing.end..)?);
        let (left, right) = (script.get(opening.end..start)?, script.get(start + 4..closing.start)?);
        Some(format!("{before}{left}JSON.stringify(Name){right}{after}"))
    }

    #[test]
    fn quotes_around_a_whole_string_are_found() {
        for (script, wanted) in [
            (r#"'{"A": "' + Name + '"}'"#, r#"'{"A": ' + JSON.stringify(Name) + '}'"#),
            (r#""{\"A\":\"" + Name + "\"}""#, r#""{\"A\":" + JSON.stringify(Name) + "}""#),
            (r#"`["${ Name}"]`"#, r"`[${ JSON.stringify(Name)}]`"),
            (r#"'["' + Name + '"' + rest"#, r"'[' + JSON.stringify(Name) + '' + rest"),
        ] {
            assert_eq!(repaired(script).as_deref(), Some(wanted));
        }
    }

    #[test]
    fn part_of_a_string_and_text_outside_of_json_have_no_quotes() {
        for script in [
            r#"'{"A": "NDA ' + Name + '"}'"#,
            r#"'{"A": "' + Name + ' (draft)"}'"#,
            r#"'{"A": ' + Name + '}'"#,
            r#"'say "' + Name + '", please'"#,
            r#""" + Name + "\"}""#,
        ] {
            assert_eq!(repaired(script), None, "{script}");
        }
    }
}
