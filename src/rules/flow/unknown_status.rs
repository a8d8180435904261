use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF406",
    name: "unknown-status",
    severity: Severity::Info,
    other_severities: &[Severity::Error],
    page: include_str!("../../../rules/WF406-unknown-status.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in &cx.workflows {
        for strange in &analysis.strange_statuses {
            let variable = quote(analysis.names.name(strange.variable));
            let message = format!("{} is no known status, so {variable} may never be equal to it", quote(strange.text));
            let place = Place::value(analysis.file, strange.operand);
            match strange.near {
                Some(near) => {
                    out.report(&place, message).help(format!("did you mean `{near}`?")).severity(Severity::Error);
                }
                None => {
                    out.report(&place, message).help(
                        "if the provider has this status, add it to the lookup's `statuses` in a catalogue of your own",
                    );
                }
            }
        }
    }
}
