use crate::facts::{CodeSite, Context, part_edit};
use crate::model::SCRIPT_RESULT;
use crate::rules::script::parsed;
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::script::Evaluation;
use crate::script::evaluation::{Ending, Run, UNDEFINED};
use crate::script::syntax::{Assignment, Script};
use crate::text::diagnostic::{Applicability, Edit};
use crate::text::{article, truncate};

pub const RULE: Rule = rule!("WF805-json-not-serialized", Error, check, fixes: Fixes::Unsafe);

/// Longer expressions are not shown in a help, in bytes.
const MAX_SHOWN_EXPRESSION: usize = 40;
/// The type comes from the engine, as one word.
const MAX_TYPE_NAME: usize = 20;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (site, script) in parsed(cx) {
        // A variable may hold the value of a parameter of the same name, so its declaration proves nothing.
        let parameters = site.parameter_names().unwrap_or_default();
        let is_redeclared = script.declarations.iter().any(|declared| parameters.contains(&&*declared.name));
        if is_redeclared || !has_visible_fault(script) {
            report_result_of_runs(cx, &site, script, out);
        } else {
            report_assignments(&site, script, out);
        }
    }
}

/// Whether the text of the script shows that `Json` may not be a string at the end.
fn has_visible_fault(script: &Script) -> bool {
    let mut last = script.json.assignments.iter().filter(|assignment| assignment.reaches_end);
    last.any(|assignment| assignment.kind.not_string().is_some())
}

fn report_assignments(site: &CodeSite<'_, '_>, script: &Script, out: &mut Reporter<'_>) {
    for assignment in script.json.assignments.iter().filter(|assignment| assignment.reaches_end) {
        let Some(found) = assignment.kind.not_string() else { continue };
        let value = site.text.get(assignment.value.clone()).unwrap_or_default();
        let help = if found == "undefined" {
            "set it to a serialized object: `Json = JSON.stringify(…)`".to_owned()
        } else if value.len() <= MAX_SHOWN_EXPRESSION && !value.contains(['\n', '\r', '`']) {
            format!("serialize it: `JSON.stringify({value})`")
        } else {
            "serialize it with `JSON.stringify`".to_owned()
        };
        let position = site.position(&assignment.value);
        let place = site.inside(assignment.value.clone());
        // Later failures because of the value have their cause in this assignment.
        let cause = Cause::Part(site.analysis.file, site.node, assignment.target.start);
        let mut draft = out.report(&place, message(site, &position, found));
        draft.cause(cause);
        let is_value = matches!(found, "an object" | "an array");
        match serialized(site, script, assignment).filter(|_| is_value) {
            Some(edits) => draft.fix(Applicability::Unsafe, help, edits),
            None => draft.help(help),
        };
    }
}

/// The edits that serialize an assigned value; none where the script goes on to use or change the value in `Json`.
fn serialized(site: &CodeSite<'_, '_>, script: &Script, assignment: &Assignment) -> Option<Vec<Edit>> {
    let is_read = script.globals.iter().any(|global| global.name == SCRIPT_RESULT && global.is_read)
        || script.declarations.iter().any(|it| &*it.name == SCRIPT_RESULT && it.is_read || &*it.name == "JSON")
        || script.global_members.iter().any(|name| name == SCRIPT_RESULT);
    if is_read || script.may_read_any || assignment.is_append {
        return None;
    }
    let (document, file) = (site.analysis.document, site.analysis.file);
    let edit = |at: usize, text: &str| part_edit(document, file, site.node, at..at, text);
    Some(vec![edit(assignment.value.start, "JSON.stringify("), edit(assignment.value.end, ")")])
}

/// The type in `Json` after the runs that leave no string there: all runs, or one on likely values.
fn kind_after_run(evaluation: &Evaluation) -> Option<&str> {
    let likely = |run: &Run| !run.is_guess && !run.values.iter().any(|value| value.is_json);
    evaluation.never_text().or_else(|| {
        evaluation.runs.iter().filter(|run| likely(run)).find_map(|run| match &run.ending {
            Ending::NoText(kind) => Some(kind.as_str()),
            _ => None,
        })
    })
}

/// Reports a `Json` that was not a string after a run.
fn report_result_of_runs(cx: &Context<'_>, site: &CodeSite<'_, '_>, script: &Script, out: &mut Reporter<'_>) {
    let Some(kind) = cx.evaluation(site).and_then(kind_after_run) else { return };
    let assignments = &script.json.assignments;
    let last = assignments.iter().rfind(|assignment| assignment.reaches_end).or(assignments.last());
    let place = last.map_or_else(|| site.whole(), |assignment| site.inside(assignment.value.clone()));
    let position = last.map_or_else(String::new, |assignment| site.position(&assignment.value));
    let found = match kind {
        UNDEFINED | "null" => kind.to_owned(),
        kind => format!("{} {}", article(kind), truncate(kind, MAX_TYPE_NAME)),
    };
    let mut draft = out.report(&place, message(site, &position, &found));
    let is_always = cx.evaluation(site).and_then(Evaluation::never_text).is_some();
    let is_value = matches!(found.as_str(), "an object" | "an array") && is_always && assignments.len() == 1;
    match last.filter(|_| is_value).and_then(|last| serialized(site, script, last)) {
        Some(edits) => draft.fix(Applicability::Unsafe, "serialize it with `JSON.stringify`", edits),
        None => draft.help("serialize it with `JSON.stringify`"),
    };
}

fn message(site: &CodeSite<'_, '_>, position: &str, found: &str) -> String {
    let activity = site.activity.display_name();
    format!("invalid `Json` of {activity}{position}: expected a string, found {found}")
}
