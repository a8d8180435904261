use crate::catalog::ParameterKind;
use crate::facts::{Context, literals};
use crate::rules::{Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF214-invalid-day-count", Error, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        for value in literals(&site, ParameterKind::Days) {
            let Some(days) = value.literal.as_number() else { continue };
            if days >= 0.0 && days.fract() == 0.0 {
                continue;
            }
            let (name, found) = (quote(value.name), value.literal.describe());
            out.report(&site.at(value.node), format!("expected a non-negative whole number for {name}, found {found}"))
                .help("write a whole number of days, or 0 for none");
        }
    }
}
