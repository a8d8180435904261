use crate::diagnostic::Severity;
use crate::document::NodeId;
use crate::facts::Context;
use crate::model::{Literal, Member};
use crate::rules::{Cause, Reporter, Rule, YieldsTo};

pub const RULE: Rule = Rule {
    code: "WF706",
    name: "case-reminder-after-expiry",
    severity: Severity::Warning,
    yields_to: YieldsTo::Rules(&["WF702"]),
    page: include_str!("../../../rules/WF706-case-reminder-after-expiry.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases() {
        let (expire, remind) = (days(&site.case.expire_after_days), days(&site.case.remind_after_days));
        let (Some((expire, expire_after)), Some((remind, remind_after))) = (expire, remind) else { continue };
        if remind_after >= expire_after && site.may_show(expire) && site.may_show(remind) {
            let message = format!(
                "reminder after expiry: `RemindAfterDays` is {remind_after}, `ExpireAfterDays` is {expire_after}"
            );
            out.report(&site.place_of_value(remind), message)
                .about(Cause::CaseValue(site.case_value(expire)))
                .help("decrease `RemindAfterDays`, or increase `ExpireAfterDays`")
                .related(&site.place_of_value(expire), "`ExpireAfterDays` is set here");
        }
    }
}

/// The value and its days, unless it is 0, which stands for none.
fn days(member: &Member<Literal<'_>>) -> Option<(NodeId, f64)> {
    let (node, literal) = member.known()?;
    let days = literal.as_number()?;
    (days > 0.0).then_some((node, days))
}
