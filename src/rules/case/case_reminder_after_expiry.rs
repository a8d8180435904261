use crate::diagnostic::Severity;
use crate::document::NodeId;
use crate::facts::Context;
use crate::model::{Literal, Member};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF706",
    name: "case-reminder-after-expiry",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF706-case-reminder-after-expiry.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases() {
        let (expire, remind) = (whole_days(&site.case.expire_after_days), whole_days(&site.case.remind_after_days));
        let (Some((expire, expire_after)), Some((remind, remind_after))) = (expire, remind) else { continue };
        if remind_after >= expire_after && site.is_certain(expire) && site.is_certain(remind) {
            out.report(
                &site.value(remind),
                format!(
                    "`RemindAfterDays` is {remind_after} and `ExpireAfterDays` {expire_after}: the reminder comes when \
                     the time to sign is over"
                ),
            )
            .help("make `RemindAfterDays` less than `ExpireAfterDays`, or either of them 0 to do without")
            .related(&site.value(expire), "the time to sign");
        }
    }
}

/// The days, where there are any: 0 is none, and what is no whole number is told by WF702.
fn whole_days(member: &Member<Literal<'_>>) -> Option<(NodeId, f64)> {
    let (node, literal) = member.known()?;
    let days = literal.as_number().filter(|_| matches!(literal, Literal::Number(_)))?;
    (days > 0.0 && days.fract() == 0.0).then_some((node, days))
}
