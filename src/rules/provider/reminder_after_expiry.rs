use crate::catalog::{ParameterKind, Purpose};
use crate::diagnostic::Severity;
use crate::facts::{Context, LiteralValue, literals};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF215",
    name: "reminder-after-expiry",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF215-reminder-after-expiry.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        let days: Vec<LiteralValue<'_>> = literals(&site, ParameterKind::Days).collect();
        let parameter = |purpose| site.outputs.method.and_then(|method| method.parameter_for(purpose));
        let given =
            |purpose| days.iter().find(|given| parameter(purpose).is_some_and(|known| known.name == given.name));
        let (Some(expire), Some(remind)) = (given(Purpose::Expiry), given(Purpose::Reminder)) else { continue };
        let (Some(expire_after), Some(remind_after)) = (whole_days(expire), whole_days(remind)) else { continue };
        if remind_after >= expire_after {
            out.report(
                &site.at(remind.node),
                format!(
                    "`RemindAfterDays` is {remind_after} and `ExpireAfterDays` {expire_after}: the reminder comes when \
                     the time to sign is over"
                ),
            )
            .help("make `RemindAfterDays` less than `ExpireAfterDays`, or either of them 0 to do without")
            .related(&site.at(expire.node), "the time to sign");
        }
    }
}

/// The days, where there are any: 0 is none, and others are told by WF214.
fn whole_days(given: &LiteralValue<'_>) -> Option<f64> {
    given.literal.as_number().filter(|days| *days > 0.0 && days.fract() == 0.0)
}
