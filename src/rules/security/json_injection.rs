use crate::diagnostic::Severity;
use crate::facts::{CodeSite, Context, Place};
use crate::rules::script::parsed;
use crate::rules::{Reporter, Rule};
use crate::script::syntax::{InterpolatedName, Script};
use crate::text::{quote, quoted_list};

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
    for (site, script) in parsed(cx).filter(|(site, _)| has_json(site.text)) {
        let interpolated = script.json.assignments.iter().flat_map(|assignment| &assignment.interpolated);
        let unescaped: Vec<_> = interpolated
            .filter(|found| is_untrusted(&site, script, &found.name) && !is_shown_escaped(cx, &site, &found.name))
            .collect();
        let shown = || shown_by_runs(cx, &site, script);
        let shown = if unescaped.is_empty() { shown() } else { None };
        let unescaped: Vec<InterpolatedName> = unescaped.into_iter().cloned().chain(shown).collect();
        let Some(InterpolatedName { name: first, range }) = unescaped.first() else {
            if script.json.is_interpolation_cut_off {
                report_unchecked(&site, out);
            }
            continue;
        };
        let others = unescaped.iter().skip(1).map(|found| found.name.as_str()).filter(|name| name != first);
        let mut names = vec![first.as_str()];
        names.extend(others.take(MAX_NAMES - 1));
        names.dedup();
        let message = format!(
            "unescaped {} {} in the JSON text of {}{}",
            if names.len() == 1 { "parameter" } else { "parameters" },
            quoted_list(&names, "and"),
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

/// Whether a string of a script begins like JSON, or has the end of a key: without one, the script joins other text.
fn has_json(script: &str) -> bool {
    let is_quote = |letter: char| matches!(letter, '"' | '\'' | '`');
    let begins = script.match_indices(is_quote).any(|(at, quote)| {
        let inside = script.get(at + quote.len()..).unwrap_or_default();
        let inside = inside.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '\\');
        inside.starts_with(['{', '[', '}', ']'])
    });
    begins || script.split('"').skip(1).any(|rest| rest.trim_start().starts_with(':'))
}

/// A parameter of which a run has shown that it is not escaped, at its first use.
fn shown_by_runs(cx: &Context<'_>, site: &CodeSite<'_, '_>, script: &Script) -> Option<InterpolatedName> {
    let name = cx.evaluation(site)?.unescaped.clone()?;
    let mut uses = script.globals.iter().filter(|global| global.is_read && global.name == name);
    let range = uses.next().map_or(0..0, |global| global.range.clone());
    Some(InterpolatedName { name, range }).filter(|found| is_untrusted(site, script, &found.name))
}

/// Whether the runs show that a parameter is escaped, and it is used once, or only as the argument of one function.
fn is_shown_escaped(cx: &Context<'_>, site: &CodeSite<'_, '_>, name: &str) -> bool {
    let Some(evaluation) = cx.evaluation(site) else { return false };
    if !evaluation.escaped.contains(name) || evaluation.unescaped.is_some() {
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
