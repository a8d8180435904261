use crate::diagnostic::{Severity, quote};
use crate::facts::{CodeSite, Context};
use crate::rules::script::parsed;
use crate::rules::{Reporter, Rule};
use crate::script::Evaluation;
use crate::script::syntax::Script;

pub const RULE: Rule = Rule {
    code: "WF805",
    name: "json-not-serialized",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF805-json-not-serialized.md"),
    check,
    ..Rule::DEFAULT
};

/// The longest expression that is shown in a help.
const LONGEST: usize = 40;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (site, script) in parsed(cx) {
        // A variable may hold what a parameter of its name brings.
        let names = site.parameter_names().unwrap_or_default();
        let is_hidden = script.declarations.iter().any(|declared| names.contains(&declared.name.as_str()));
        if is_hidden || !is_certain(script) {
            tell_what_ran(cx, &site, script, out);
            continue;
        }
        for assignment in script.json.assignments.iter().filter(|assignment| assignment.reaches_end) {
            let Some(what) = assignment.kind.not_string() else { continue };
            let value = site.text.get(assignment.value.clone()).unwrap_or_default();
            let help = if value.len() <= LONGEST && !value.contains(['\n', '\r', '`']) {
                format!("serialize it: `JSON.stringify({value})`")
            } else {
                "serialize it with `JSON.stringify`".to_owned()
            };
            let message = format!(
                "`Json` must be a text, and this is {what}{}, so no case can be read from it",
                site.position(&assignment.value)
            );
            out.report(&site.inside(assignment.value.clone()), message).help(help);
        }
    }
}

/// Whether the text of the script shows that `Json` is no text.
fn is_certain(script: &Script) -> bool {
    let mut last = script.json.assignments.iter().filter(|assignment| assignment.reaches_end);
    last.any(|assignment| assignment.kind.not_string().is_some())
}

/// Tells what was there after a run, whatever the values.
fn tell_what_ran(cx: &Context<'_>, site: &CodeSite<'_, '_>, script: &Script, out: &mut Reporter<'_>) {
    let Some(Evaluation::NoText(kind)) = cx.evaluation(site) else { return };
    let assignments = &script.json.assignments;
    let last = assignments.iter().rfind(|assignment| assignment.reaches_end).or(assignments.last());
    let place = last.map_or_else(|| site.whole(), |assignment| site.inside(assignment.value.clone()));
    let position = last.map_or_else(String::new, |assignment| site.position(&assignment.value));
    let message = format!(
        "`Json` must be a text, and when the script has run it is not: its type is {}{position}, so no case \
         can be read from it",
        quote(kind)
    );
    out.report(&place, message).help("serialize it with `JSON.stringify`");
}
