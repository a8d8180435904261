use crate::diagnostic::Severity;
use crate::facts::{CodeSite, Context, Place};
use crate::rules::script::parsed;
use crate::rules::{Reporter, Rule};
use crate::script::evaluation::Evaluation;
use crate::script::syntax::{InterpolatedName, Script};
use crate::text::{list, quote};

pub const RULE: Rule = Rule {
    code: "WF904",
    name: "json-injection",
    severity: Severity::Warning,
    other_severities: &[Severity::Info],
    page: include_str!("../../../rules/WF904-json-injection.md"),
    check,
    ..Rule::DEFAULT
};

/// A message lists this many names.
const MAX_NAMES: usize = 3;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    // Others join other text.
    for (site, script) in parsed(cx).filter(|(_, script)| script.has_json_text) {
        let unescaped = unescaped(cx, &site, script);
        let Some(InterpolatedName { name: first, range, .. }) = unescaped.first() else {
            if script.json.is_interpolation_cut_off {
                report_unchecked(&site, out);
            }
            continue;
        };
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

/// The parameters that are joined to the JSON text as they are, each once; first those of which runs show it.
fn unescaped(cx: &Context<'_>, site: &CodeSite<'_, '_>, script: &Script) -> Vec<InterpolatedName> {
    let evaluation = cx.evaluation(site).filter(|evaluation| !evaluation.runs.is_empty());
    let is_shown = |name: &str| evaluation.is_some_and(|it| it.unescaped.contains(name));
    let is_escaped = |found: &InterpolatedName| match evaluation {
        Some(evaluation) => !is_shown(&found.name) && is_shown_escaped(evaluation, site, &found.name),
        // Nothing shows whether the characters are escaped.
        None => found.is_taken_apart,
    };
    let interpolated = script.json.assignments.iter().flat_map(|assignment| &assignment.interpolated);
    let interpolated = interpolated.filter(|found| !is_escaped(found)).cloned();
    let shown = evaluation.into_iter().flat_map(|evaluation| &evaluation.unescaped);
    let mut names: Vec<InterpolatedName> = Vec::new();
    for found in interpolated.chain(shown.map(|name| at_first_use(script, name))) {
        if !names.iter().any(|known| known.name == found.name) && is_untrusted(site, script, &found.name) {
            names.push(found);
        }
    }
    names.sort_by_key(|found| !is_shown(&found.name));
    names
}

/// The first names, and how many more there are.
fn listed(unescaped: &[InterpolatedName]) -> String {
    let mut shown: Vec<String> = unescaped.iter().take(MAX_NAMES).map(|found| quote(&found.name)).collect();
    match unescaped.len() - shown.len() {
        0 => {}
        more => shown.push(format!("{more} more")),
    }
    list(&shown, "and")
}

/// A parameter at its first use.
fn at_first_use(script: &Script, name: &str) -> InterpolatedName {
    let mut uses = script.globals.iter().filter(|global| global.is_read && global.name == name);
    let range = uses.next().map_or(0..0, |global| global.range.clone());
    InterpolatedName { name: name.to_owned(), range, is_taken_apart: false }
}

/// Whether the runs show that a parameter is escaped, and it is used once, or only as the argument of one function.
fn is_shown_escaped(evaluation: &Evaluation, site: &CodeSite<'_, '_>, name: &str) -> bool {
    if !evaluation.escaped.contains(name) {
        return false;
    }
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let mut uses = site.text.match_indices(name).filter_map(|(at, _)| {
        let (before, after) = (site.text.get(..at)?, site.text.get(at + name.len()..)?);
        // Neither in quotation marks nor a property.
        let is_name = before.ends_with(['"', '\'']) || before.ends_with('.') && !before.ends_with("...");
        (!is_name && !before.ends_with(is_part) && !after.starts_with(is_part)).then_some(before)
    });
    let function = |before: &str| {
        let callee = before.trim_end().strip_suffix('(')?.trim_end().to_owned();
        callee.rsplit(|letter| !is_part(letter)).next().filter(|name| !name.is_empty()).map(str::to_owned)
    };
    let first = uses.next().map(function);
    uses.all(|next| first.as_ref().is_some_and(Option::is_some) && Some(function(next)) == first)
}

fn report_unchecked(site: &CodeSite<'_, '_>, out: &mut Reporter<'_>) {
    let activity = site.activity.display_name();
    let message =
        format!("unchecked JSON text of {activity}: too many or too deep expressions to see what is inserted");
    out.report(&site.whole(), message)
        .severity(Severity::Info)
        .help("build an object and serialize it once: `Json = JSON.stringify({ Name: … })`");
}

/// The variable to which a parameter is bound.
fn bound_parameter(site: &CodeSite<'_, '_>, name: &str) -> Option<(Place, String)> {
    let mut parameters = site.code.parameters.get()?.iter();
    let parameter = parameters.find(|parameter| parameter.name.value() == Some(name))?;
    let (node, variable) = parameter.value.get()?.target()?;
    let text = format!("parameter {} gets the value of {}", quote(name), quote(variable));
    Some((Place::value(site.analysis.file, node), text))
}

/// Whether a name is a parameter that is bound to a variable, and the script does not assign it.
fn is_untrusted(site: &CodeSite<'_, '_>, script: &Script, name: &str) -> bool {
    let mut parameters = site.code.parameters.get().into_iter().flatten();
    parameters.any(|parameter| {
        parameter.name.value() == Some(name) && parameter.value.get().is_some_and(|value| value.is_bound())
    }) && !script.globals.iter().any(|global| global.is_written && global.name == name)
}
