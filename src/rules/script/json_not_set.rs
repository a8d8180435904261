use crate::facts::{CodeSite, Context};
use crate::model::Assumption;
use crate::rules::script::{JSON, parsed};
use crate::rules::{Reporter, Rule};
use crate::script::evaluation::{Ending, Run};
use crate::script::syntax::{Assigned, Assignment, Script};
use crate::text::diagnostic::Severity;
use crate::text::quote;

pub const RULE: Rule = rule!("WF802-json-not-set", Warning | Info, check, recommends_infos: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (site, script) in parsed(cx) {
        // The result of a script with a parameter `Json` is not documented.
        if site.parameter_names().is_none_or(|names| names.contains(&JSON)) {
            continue;
        }
        if let Some(append) = unset_append(cx, &site, script) {
            report_append(&site, append, out);
            continue;
        }
        match script.json.assigned {
            Assigned::Never => report_never_set(cx, &site, script, out),
            Assigned::OnSomePaths => report_set_on_some_paths(&site, script, out),
            // A function may set it; a run shows whether it is called.
            Assigned::Unknown => match cx.evaluation(&site) {
                Some(runs) if runs.runs.iter().any(|run| run.by_job) => report_set_by_job(&site, script, out),
                Some(runs) if runs.is_never_set() && !script.has_condition => report_never_runs(&site, out),
                Some(runs) if runs.is_sometimes_unset() => report_set_on_some_paths(&site, script, out),
                _ => {}
            },
            Assigned::OnEveryPath => {}
        }
    }
}

/// The assignment that appends to `Json` before it is set. That of a function shows in a run.
fn unset_append<'s>(cx: &Context<'_>, site: &CodeSite<'_, '_>, script: &'s Script) -> Option<&'s Assignment> {
    let assignments = &script.json.assignments;
    if script.json.assigned != Assigned::Unknown {
        return assignments.get(script.json.unset_append?);
    }
    let append = assignments.iter().find(|assignment| assignment.is_append)?;
    let is_unset = |run: &Run| matches!(&run.ending, Ending::Text { text, .. } if text.starts_with("undefined"));
    cx.evaluation(site)?.runs.iter().any(is_unset).then_some(append)
}

fn report_append(site: &CodeSite<'_, '_>, append: &Assignment, out: &mut Reporter<'_>) {
    let (activity, position) = (site.activity.display_name(), site.position(&append.target));
    let message = format!("`Json` of {activity} is appended to before it is set{position}");
    out.report(&site.inside(append.target.clone()), message)
        .assumes(Assumption::ScriptWrapper)
        .help("initialize it first, for example with `Json = ''`")
        .severity(Severity::Info);
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
        .assumes(Assumption::ScriptResult)
        .help("set it on every path, or use `throw`")
        .severity(Severity::Info);
}

/// Whether the platform waits for promises is not documented.
fn report_set_by_job(site: &CodeSite<'_, '_>, script: &Script, out: &mut Reporter<'_>) {
    let Some(last) = script.json.assignments.last() else { return };
    let (activity, position) = (site.activity.display_name(), site.position(&last.target));
    let message = format!("`Json` is set by a promise of {activity}{position}, after the script has ended");
    out.report(&site.inside(last.target.clone()), message)
        .assumes(Assumption::PromiseJobs)
        .help("set it without a promise: the platform may not wait for one")
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
