use crate::facts::{Context, Place};
use crate::rules::form::{describe, is_documented};
use crate::rules::{Reporter, Rule};
use crate::script::pattern::{self, MAX_PATTERN_BYTES, PatternError};
use crate::text::diagnostic::Severity;
use crate::text::quote;

pub const RULE: Rule = rule!("WF608-invalid-validation-pattern", Warning | Info, check, recommends_infos: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let fields = cx.model.forms.iter().flat_map(|form| form.form.fields.iter().map(move |field| (form.file, field)));
    let with_pattern = fields.filter(|(_, field)| is_documented(field)).filter_map(|(file, field)| {
        let (node, &pattern) = field.properties().validation_pattern.known()?;
        (!pattern.is_empty()).then_some(((Place::value(file, node), field), pattern))
    });
    let (owners, patterns): (Vec<_>, Vec<&str>) = with_pattern.unzip();
    if patterns.is_empty() {
        return;
    }
    // All patterns at once: the parser runs on a thread of its own, started once.
    let errors = pattern::syntax_errors(&patterns);
    for (((place, field), pattern), error) in owners.iter().zip(&patterns).zip(errors) {
        if pattern.len() > MAX_PATTERN_BYTES {
            let message =
                format!("unchecked regular expression in {}: over {MAX_PATTERN_BYTES} bytes", describe(field));
            out.report(place, message).severity(Severity::Info);
            continue;
        }
        let Some(PatternError { message: why, offset }) = error else { continue };
        let character = pattern.get(..offset).map_or(0, |before| before.chars().count()) + 1;
        let (pattern, field) = (quote(pattern), describe(field));
        let message = format!("invalid regular expression {pattern} in {field}: {why}");
        let help =
            format!("correct the pattern at character {character}, an ECMAScript regular expression without flags");
        out.report(place, message).help(help);
    }
}
