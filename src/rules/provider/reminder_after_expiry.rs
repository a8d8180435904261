use crate::catalog::{ParameterKind, Purpose};
use crate::facts::{Context, LiteralValue, literals};
use crate::rules::{Cause, Reporter, Rule};

pub const RULE: Rule = rule!("WF215-reminder-after-expiry", Warning, check);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.providers() {
        let days: Vec<LiteralValue<'_>> = literals(&site, ParameterKind::Days).collect();
        let parameter = |purpose| site.outputs.method.and_then(|method| method.parameter_for(purpose));
        let given =
            |purpose| days.iter().find(|given| parameter(purpose).is_some_and(|known| known.name == given.name));
        let (Some(expire), Some(remind)) = (given(Purpose::Expiry), given(Purpose::Reminder)) else { continue };
        let (Some(expire_after), Some(remind_after)) = (whole_days(expire), whole_days(remind)) else { continue };
        if remind_after >= expire_after {
            let message = format!(
                "reminder after expiry: `RemindAfterDays` is {remind_after}, `ExpireAfterDays` is {expire_after}"
            );
            out.report(&site.at(remind.node), message)
                .help("decrease `RemindAfterDays`, or increase `ExpireAfterDays`")
                .related(&site.at(expire.node), "`ExpireAfterDays` is set here")
                .cause(Cause::Node(site.analysis.file, expire.node));
        }
    }
}

/// The days, if any: 0 means none, and the meaning of negative numbers and fractions is not known.
fn whole_days(value: &LiteralValue<'_>) -> Option<f64> {
    value.literal.as_number().filter(|days| *days > 0.0 && days.fract() == 0.0)
}
