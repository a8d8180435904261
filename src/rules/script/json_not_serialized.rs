use crate::facts::{CodeSite, Context};
use crate::rules::script::parsed;
use crate::rules::{Cause, Reporter, Rule};
use crate::script::Evaluation;
use crate::script::evaluation::{Ending, Run, UNDEFINED};
use crate::script::syntax::Script;
use crate::text::{article, truncate};

pub const RULE: Rule = rule!("WF805-json-not-serialized", Error, check);

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
        out.report(&place, message(site, &position, found)).help(help).cause(cause);
    }
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
    out.report(&place, message(site, &position, &found)).help("serialize it with `JSON.stringify`");
}

fn message(site: &CodeSite<'_, '_>, position: &str, found: &str) -> String {
    let activity = site.activity.display_name();
    format!("invalid `Json` of {activity}{position}: expected a string, found {found}")
}
