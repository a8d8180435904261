use crate::catalog::ParameterKind;
use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, literals};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF214",
    name: "invalid-day-count",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF214-invalid-day-count.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for given in literals(&site, ParameterKind::Days) {
            let (Some(days), Some(text)) = (given.literal.as_number(), given.text()) else { continue };
            let what = match days {
                days if days < 0.0 => "is negative",
                days if days.fract() != 0.0 => "is no whole number",
                _ => continue,
            };
            out.report(
                &site.at(given.node),
                format!("{} is a number of days, but {} {what}", quote(given.name), quote(text.trim())),
            )
            .help("write a whole number of days, or 0 for none");
        }
    }
}
