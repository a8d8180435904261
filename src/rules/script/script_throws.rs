use std::ops::Range;

use crate::diagnostic::Severity;
use crate::facts::{CodeSite, Context, Place};
use crate::rules::script::{JSON, parsed};
use crate::rules::{Cause, Reporter, Rule, YieldsTo};
use crate::script::syntax::{Syntax, Unread, offset};
use crate::script::{Evaluation, ScriptFailure};
use crate::text::{character_length, quote, truncate};

pub const RULE: Rule = Rule {
    code: "WF806",
    name: "script-throws",
    severity: Severity::Info,
    other_severities: &[Severity::Warning],
    yields_to: YieldsTo::Rules(&["WF805"]),
    page: include_str!("../../../rules/WF806-script-throws.md"),
    check,
    ..Rule::DEFAULT
};

/// Longer error messages of scripts are cut, in characters.
const MAX_ERROR: usize = 200;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    report_unread(cx, out);
    for (site, script) in parsed(cx) {
        let Some(Evaluation::Failed { failure, always, example }) = cx.evaluation(&site) else { continue };
        let part = failing_word(&site, failure);
        let place = part.clone().map_or_else(|| site.whole(), |part| site.inside(part));
        let position = part.map_or_else(String::new, |part| site.position(&part));
        let activity = site.activity.display_name();
        let error = truncate(&failure.message, MAX_ERROR);
        let mut draft = if *always {
            let mut draft = out.report(&place, format!("script of {activity} always fails{position}: {error}"));
            draft.help("correct the script: until it runs, `Json` gets no value").severity(Severity::Warning);
            draft
        } else {
            let values = example.as_ref().map_or_else(String::new, |example| {
                format!(", such as {} for {}", quote(&example.value), quote(&example.parameter))
            });
            let message = format!("script of {activity} fails on sample values{values}{position}: {error}");
            let mut draft = out.report(&place, message);
            draft.help("check such values before using them, if an order can contain them");
            draft
        };
        // A script that reads its own `Json` may fail because it assigned something other than a string.
        if script.globals.iter().any(|global| global.name == JSON && global.is_read) {
            for assignment in &script.json.assignments {
                draft.about(Cause::Part(site.analysis.file, site.node, assignment.target.start));
            }
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
        let reason = match reason {
            Unread::TooDeep => "it may be nested too deeply",
            Unread::Failed => "the parser failed",
        };
        let message = format!("unchecked script of {name}: not read because {reason}");
        out.report(&place, message).help("split long expressions and deeply nested functions into several statements");
    }
}

/// The word of the script at which it failed.
fn failing_word(site: &CodeSite<'_, '_>, failure: &ScriptFailure) -> Option<Range<usize>> {
    let start = offset(site.text, failure.line?, failure.column?)?;
    let rest = site.text.get(start..)?;
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
    Some(start..start + end.max(character_length(site.text, start)))
}
