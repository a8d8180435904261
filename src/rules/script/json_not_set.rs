use crate::diagnostic::Severity;
use crate::facts::{CodeSite, Context};
use crate::rules::script::{JSON, parsed};
use crate::rules::{Reporter, Rule};
use crate::script::Evaluation;
use crate::script::syntax::{Assigned, Script};
use crate::text::quote;

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
        // The result of a script with a parameter `Json` is not documented.
        if site.parameter_names().is_none_or(|names| names.contains(&JSON)) {
            continue;
        }
        match script.json.assigned {
            Assigned::Never => report_never_set(cx, &site, script, out),
            Assigned::OnSomePaths => report_set_on_some_paths(&site, script, out),
            // A function may set it; a run shows whether it is called.
            Assigned::Unknown
                if !script.has_condition && cx.evaluation(&site).is_some_and(Evaluation::is_never_set) =>
            {
                report_never_runs(&site, out);
            }
            Assigned::OnEveryPath | Assigned::Unknown => {}
        }
    }
}

fn report_never_set(cx: &Context<'_>, site: &CodeSite<'_, '_>, script: &Script, out: &mut Reporter<'_>) {
    let help = match cx.suggester.nearest(JSON, written_names(script)) {
        Some(near) => format!("did you mean `Json` instead of {}?", quote(near)),
        None => "set it to the result: `Json = JSON.stringify(…)`".to_owned(),
    };
    let activity = site.activity.display_name();
    let message = format!("`Json` is never set by the script of {activity}, so it has no result");
    out.report(&site.whole(), message).help(help);
}

fn report_set_on_some_paths(site: &CodeSite<'_, '_>, script: &Script, out: &mut Reporter<'_>) {
    let Some(last) = script.json.assignments.last() else { return };
    let (activity, position) = (site.activity.display_name(), site.position(&last.target));
    let message = format!("`Json` is not set on every path of {activity}{position}");
    out.report(&site.inside(last.target.clone()), message)
        .help("set it on every path, or use `throw`")
        .severity(Severity::Info);
}

fn report_never_runs(site: &CodeSite<'_, '_>, out: &mut Reporter<'_>) {
    let activity = site.activity.display_name();
    let message = format!("`Json` is set only by code of {activity} that never runs, so it has no result");
    out.report(&site.whole(), message).help("call the function that sets it, or set it outside of functions");
}

/// The names that the script declares or assigns.
fn written_names(script: &Script) -> impl Iterator<Item = &str> {
    let assigned = script.globals.iter().filter(|global| global.is_written).map(|global| global.name.as_str());
    assigned.chain(script.declarations.iter().map(|declared| &*declared.name))
}
