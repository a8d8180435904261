use std::collections::BTreeSet;
use std::ops::Range;

use crate::facts::{CodeSite, Context, NotSimulated, Place};
use crate::rules::script::{JSON, parsed};
use crate::rules::{Cause, Draft, Reporter, Rule};
use crate::script::evaluation::{Ending, Extent, Failing, Run, Stopped};
use crate::script::syntax::{Script, Syntax, Unread, offset};
use crate::script::{Evaluation, FailureKind, ScriptFailure};
use crate::text::diagnostic::Severity;
use crate::text::{character_length, quote, truncate};

pub const RULE: Rule = rule!("WF806-script-throws", Info | Warning, check, recommends_infos: true);

/// Longer error messages of scripts are cut, in characters.
const MAX_ERROR: usize = 200;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    report_unread(cx, out);
    for (site, script) in parsed(cx) {
        let activity = site.activity.display_name();
        if script.json.has_more_assignments {
            let message = format!("script of {activity} assigns `Json` too often to see which value is the last");
            out.report(&site.whole(), message).help("assign `Json` once, at the end");
        }
        if let Some(missing) = cx.not_simulated(&site) {
            report_not_simulated(&site, missing, out);
        }
        let Some(evaluation) = cx.evaluation(&site) else { continue };
        if let Some(failing) = evaluation.failing() {
            report_failure(&site, script, evaluation, failing, out);
        } else if let Some(reason) = evaluation.stopped.and_then(not_run) {
            out.report(&site.whole(), format!("script of {activity} is not checked by runs, {reason}"))
                .help("simplify the script, or raise `script-seconds` under `[limits]` in `wflint.toml`");
        }
    }
}

/// Reports the scripts of Code activities and forms that no rule has checked.
fn report_unread(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let codes = cx.codes().map(|site| (site.whole(), site.activity.display_name(), site.syntax));
    let forms = cx.form_scripts().map(|site| {
        let script = format!("{} of {}", quote(site.member), site.field_display_name());
        (Place::value(site.form.file, site.node), script, site.syntax)
    });
    for (place, name, syntax) in codes.chain(forms) {
        let Syntax::Unread(reason) = syntax else { continue };
        let (reason, help) = match reason {
            Unread::TooLarge => ("of its size", "split the script, and its long or deeply nested expressions"),
            Unread::TooMany => ("the service has too many scripts", "split the service into several"),
            Unread::Failed => ("the parser failed", "simplify the script"),
        };
        out.report(&place, format!("unchecked script of {name}: not read because {reason}")).help(help);
    }
}

fn report_not_simulated(site: &CodeSite<'_, '_>, missing: NotSimulated, out: &mut Reporter<'_>) {
    let (activity, name) = (site.activity.display_name(), quote(missing.name));
    let position = missing.used.as_ref().map_or_else(String::new, |used| site.position(used));
    let place = missing.used.map_or_else(|| site.whole(), |used| site.inside(used));
    out.report(&place, format!("script of {activity} is not run{position}: it uses {name}, which wflint lacks"))
        .help(format!("avoid {name}, or test the script on the platform: what it builds is not checked"));
}

/// Why a script was not run on all sets of values; `None` if a note of the whole run says it.
const fn not_run(stopped: Stopped) -> Option<&'static str> {
    match stopped {
        Stopped::Size => Some("it is too large, or its result is"),
        Stopped::Cost => Some("it takes too many steps"),
        Stopped::ServiceCost => Some("the scripts before it took all steps"),
        Stopped::Sandbox => None,
    }
}

fn report_failure(
    site: &CodeSite<'_, '_>,
    script: &Script,
    evaluation: &Evaluation,
    failing: Failing<'_>,
    out: &mut Reporter<'_>,
) {
    let part = failing_word(site, failing.failure);
    let place = part.clone().map_or_else(|| site.whole(), |part| site.inside(part));
    let position = part.map_or_else(String::new, |part| site.position(&part));
    let activity = site.activity.display_name();
    let error = shown_error(evaluation, failing);
    let error = truncate(&error, MAX_ERROR);
    let is_not_simulated = failing.failure.kind == FailureKind::Unsupported;
    let (how, values, help) = match failing.extent {
        _ if is_not_simulated => {
            ("is not checked by runs", String::new(), "avoid what wflint lacks, or test the script on the platform")
        }
        Extent::Always => ("always fails", String::new(), "correct the script: until it runs, `Json` gets no value"),
        Extent::AllSamples => (
            "fails on all sample values",
            String::new(),
            "correct the script, or test it in a scenario if it accepts other values",
        ),
        Extent::SomeSamples => (
            "fails on sample values",
            example(evaluation, failing),
            "handle such values in the script, if an order can contain them",
        ),
    };
    let mut draft = out.report(&place, format!("script of {activity} {how}{values}{position}: {error}"));
    draft.help(help);
    if failing.extent != Extent::SomeSamples && !is_not_simulated {
        draft.severity(Severity::Warning);
    }
    yield_to_assignments(site, script, &mut draft);
}

/// A script that reads its own `Json` may fail because it assigned something other than a string.
fn yield_to_assignments(site: &CodeSite<'_, '_>, script: &Script, draft: &mut Draft<'_>) {
    if script.globals.iter().any(|global| global.name == JSON && global.is_read) {
        for assignment in &script.json.assignments {
            draft.cause(Cause::Part(site.analysis.file, site.node, assignment.target.start));
        }
    }
}

/// A value that decides the failure, as far as the runs show it: no run that does not fail has a value of a run that
/// fails. Of several such parameters a constant of the script shows which one it is.
fn example(evaluation: &Evaluation, failing: Failing<'_>) -> String {
    let is_failed = |run: &&Run| matches!(run.ending, Ending::Failed(_));
    let values = |index: usize, wanted: bool| {
        let runs = evaluation.runs.iter().filter(move |run| is_failed(run) == wanted);
        runs.filter_map(move |run| run.values.get(index))
    };
    let decides = |index: &usize| {
        let other: BTreeSet<&str> = values(*index, false).map(|value| value.text.as_str()).collect();
        !values(*index, true).any(|value| other.contains(value.text.as_str()))
    };
    let deciding: Vec<usize> = (0..failing.run.values.len()).filter(decides).collect();
    let is_all_constant = |index: usize, wanted: bool| values(index, wanted).all(|value| !value.is_made_up);
    let by_constant = deciding.iter().filter(|index| is_all_constant(**index, true) || is_all_constant(**index, false));
    let by_constant: Vec<usize> = by_constant.copied().collect();
    let (([only], _) | ([] | [_, _, ..], [only])) = (by_constant.as_slice(), deciding.as_slice()) else {
        return String::new();
    };
    failing.run.values.get(*only).map_or_else(String::new, |value| {
        let text = if value.text.is_empty() { "\"\"".to_owned() } else { quote(&value.text) };
        format!(", such as {text} for {}", quote(&value.parameter))
    })
}

/// The message of the failure without made-up values, as if the document had them: each is replaced by the name of its
/// parameter, and what then still differs between runs that fail at the same position by `…`.
fn shown_error(evaluation: &Evaluation, failing: Failing<'_>) -> String {
    let without_values = |run: &Run, failure: &ScriptFailure| {
        let mut values: Vec<_> = run.values.iter().filter(|value| value.is_made_up && value.text.len() > 3).collect();
        values.sort_by_key(|value| std::cmp::Reverse(value.text.len()));
        values.into_iter().fold(failure.message.clone(), |message, value| {
            message.replace(&value.text, &format!("{{{}}}", value.parameter))
        })
    };
    let own = without_values(failing.run, failing.failure);
    let is_same_place = |failure: &ScriptFailure| {
        (failure.kind, failure.line, failure.column)
            == (failing.failure.kind, failing.failure.line, failing.failure.column)
    };
    let others = evaluation.failures().filter(|(_, failure)| is_same_place(failure));
    others.fold(own, |shown, (run, failure)| common(&shown, &without_values(run, failure)))
}

/// The common start and end of two messages, with `…` between them.
fn common(a: &str, b: &str) -> String {
    if a == b {
        return a.to_owned();
    }
    let start: usize = a.chars().zip(b.chars()).take_while(|(a, b)| a == b).map(|(letter, _)| letter.len_utf8()).sum();
    let (rest_a, rest_b) = (a.get(start..).unwrap_or_default(), b.get(start..).unwrap_or_default());
    let end = rest_a.chars().rev().zip(rest_b.chars().rev()).take_while(|(a, b)| a == b);
    let end: usize = end.map(|(letter, _)| letter.len_utf8()).sum();
    let tail = rest_a.get(rest_a.len() - end..).unwrap_or_default();
    format!("{}…{tail}", a.get(..start).unwrap_or_default())
}

/// The word of the script at which it failed.
fn failing_word(site: &CodeSite<'_, '_>, failure: &ScriptFailure) -> Option<Range<usize>> {
    let start = offset(site.text, failure.line?, failure.column?)?;
    let rest = site.text.get(start..)?;
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
    Some(start..start + end.max(character_length(site.text, start)))
}
