use crate::diagnostic::{Severity, quote};
use crate::facts::Context;
use crate::rules::script::{JSON, parsed};
use crate::rules::{Reporter, Rule};
use crate::script::Evaluation;
use crate::script::syntax::{Assigned, Script};

pub const RULE: Rule = Rule {
    code: "WF802",
    name: "json-not-set",
    severity: Severity::Warning,
    other_severities: &[Severity::Info],
    page: include_str!("../../../rules/WF802-json-not-set.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (site, script) in parsed(cx) {
        // What a script given a parameter of this name leaves in it is not documented.
        if site.parameter_names().is_none_or(|names| names.contains(&JSON)) {
            continue;
        }
        let is_never_run =
            script.json.assigned == Assigned::Unknown && cx.evaluation(&site) == Some(&Evaluation::Unset);
        match script.json.assigned {
            _ if is_never_run => {
                let message =
                    "this script sets `Json` only where it never gets to when it runs, so nothing comes of it";
                out.report(&site.whole(), message)
                    .help("call the function that sets it, or set it outside of functions");
            }
            Assigned::Never => {
                let help = match cx.suggester.nearest(JSON, written(script)) {
                    Some(near) => format!("did you mean `Json` where the script sets {}?", quote(near)),
                    None => "set it to the text of the case: `Json = JSON.stringify(…)`".to_owned(),
                };
                let message =
                    "this script never sets `Json`, the variable that holds its result, so nothing comes of it";
                out.report(&site.whole(), message).help(help);
            }
            Assigned::OnSomePaths => {
                let Some(last) = script.json.assignments.last() else { continue };
                let message = format!(
                    "this script sets `Json` on some paths only{}; on the others nothing comes of it",
                    site.position(&last.target)
                );
                out.report(&site.inside(last.target.clone()), message)
                    .help("set it on every path, or fail with `throw`")
                    .severity(Severity::Info);
            }
            Assigned::OnEveryPath | Assigned::Unknown => {}
        }
    }
}

/// The names that the script declares or assigns.
fn written(script: &Script) -> impl Iterator<Item = &str> {
    let assigned = script.globals.iter().filter(|global| global.is_written).map(|global| global.name.as_str());
    assigned.chain(script.declarations.iter().map(|declared| declared.name.as_str()))
}
