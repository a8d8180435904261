use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::rules::form::is_documented;
use crate::rules::{Reporter, Rule};
use crate::script::pattern::{self, PatternError};

pub const RULE: Rule = Rule {
    code: "WF608",
    name: "invalid-validation-pattern",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF608-invalid-validation-pattern.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let fields = cx.forms().flat_map(|(form, _)| form.form.fields.iter().map(move |field| (form.file, field)));
    let written = fields.filter(|(_, field)| is_documented(field)).filter_map(|(file, field)| {
        let (node, &pattern) = field.properties.validation_pattern.known()?;
        (!pattern.is_empty()).then_some((Place::value(file, node), pattern))
    });
    let (places, patterns): (Vec<Place>, Vec<&str>) = written.unzip();
    if patterns.is_empty() {
        return;
    }
    for ((place, pattern), error) in places.iter().zip(&patterns).zip(pattern::syntax_errors(&patterns)) {
        let Some(PatternError { message: why, offset }) = error else { continue };
        let column = pattern.get(..offset).map_or(0, |before| before.chars().count()) + 1;
        out.report(place, format!("{} is no regular expression: {why}, at its character {column}", quote(pattern)))
            .help("correct it: browsers read it as a regular expression of ECMAScript without flags");
    }
}
