use std::ops::Range;

use crate::diagnostic::{Severity, quote};
use crate::facts::{CodeSite, Context};
use crate::rules::script::parsed;
use crate::rules::{Reporter, Rule};
use crate::script::syntax::offset;
use crate::script::{Evaluation, ScriptFailure};

pub const RULE: Rule = Rule {
    code: "WF806",
    name: "script-throws",
    severity: Severity::Info,
    other_severities: &[Severity::Warning],
    page: include_str!("../../../rules/WF806-script-throws.md"),
    check,
    ..Rule::DEFAULT
};

/// The longest message of a script that is shown, in characters.
const LONGEST: usize = 200;

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (site, _) in parsed(cx) {
        let Some(Evaluation::Failed { failure, always, example }) = cx.evaluation(&site) else { continue };
        let part = part(&site, failure);
        let place = part.clone().map_or_else(|| site.whole(), |part| site.inside(part));
        let position = part.map_or_else(String::new, |part| site.position(&part));
        // A script can make its message as long as it likes.
        let what = crate::text::truncate(&failure.message, LONGEST);
        if *always {
            let with = if example.is_some() { ", whatever its parameters are" } else { "" };
            out.report(&place, format!("this script fails when it runs{with}{position}: {what}"))
                .help("correct the script: as it is, `Json` gets no value")
                .severity(Severity::Warning);
            continue;
        }
        let with = example.as_ref().map_or_else(
            || "made-up values".to_owned(),
            |example| format!("made-up values, such as {} for {}", quote(&example.value), quote(&example.parameter)),
        );
        out.report(&place, format!("run on {with}, this script fails{position}: {what}"))
            .help("if an order can bring such values, check them before they are used");
    }
}

/// The word in the script where it failed.
fn part(site: &CodeSite<'_, '_>, failure: &ScriptFailure) -> Option<Range<usize>> {
    let start = offset(site.text, failure.line?, failure.column?)?;
    let rest = site.text.get(start..)?;
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
    let end = rest.find(|letter| !is_part(letter)).unwrap_or(rest.len());
    let first = rest.chars().next().map_or(0, char::len_utf8);
    Some(start..start + end.max(first))
}
