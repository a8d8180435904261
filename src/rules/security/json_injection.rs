use crate::diagnostic::{Severity, quote};
use crate::facts::{CodeSite, Context};
use crate::rules::script::parsed;
use crate::rules::{Reporter, Rule};
use crate::script::syntax::{InterpolatedName, Script};

pub const RULE: Rule = Rule {
    code: "WF904",
    name: "json-injection",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF904-json-injection.md"),
    check,
    ..Rule::DEFAULT
};

/// Names that a message lists.
const MOST: usize = 3;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (site, script) in parsed(cx) {
        let joined = script.json.assignments.iter().flat_map(|assignment| &assignment.interpolated);
        let joined: Vec<_> = joined.filter(|found| is_raw(&site, script, &found.name)).collect();
        let Some(InterpolatedName { name: first, range }) = joined.first() else { continue };
        let others = joined.iter().skip(1).map(|found| &found.name).filter(|name| *name != first);
        let mut names = vec![quote(first)];
        names.extend(others.take(MOST - 1).map(|name| quote(name)));
        names.dedup();
        let are = if names.len() == 1 { "is" } else { "are" };
        let message = format!(
            "{} {are} put into the text of `Json` as entered{}: a quotation mark in the value breaks the case, or \
             adds to it what the author did not mean",
            names.join(", "),
            site.position(range)
        );
        out.report(&site.inside(range.clone()), message)
            .help("build an object and serialize it once: `Json = JSON.stringify({ Name: … })`");
    }
}

/// Whether a name is a parameter whose value comes from outside, and reaches the text as it came.
fn is_raw(site: &CodeSite<'_, '_>, script: &Script, name: &str) -> bool {
    let mut parameters = site.code.parameters.get().into_iter().flatten();
    parameters.any(|parameter| {
        parameter.name.value() == Some(name) && parameter.value.get().is_some_and(|value| value.is_bound())
    }) && !script.globals.iter().any(|global| global.is_written && global.name == name)
}
