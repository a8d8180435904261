use crate::diagnostic::Severity;
use crate::facts::{Context, Place};
use crate::rules::approval::approvals;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF506",
    name: "invalid-duration",
    severity: Severity::Error,
    other_severities: &[Severity::Info],
    page: include_str!("../../../rules/WF506-invalid-duration.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, _, approval) in approvals(cx) {
        let members = [("timeout", &approval.timeout, 345_600), ("remindTime", &approval.remind_time, 172_800)];
        for (name, member, usual) in members {
            let Some((node, literal)) = member.get().and_then(|binding| binding.literal()) else { continue };
            let place = Place::value(analysis.file, node);
            match literal.as_number() {
                _ if literal.is_empty() => {}
                None => {
                    out.report(&place, format!("`{name}` is no number"))
                        .help(format!("write a number; {usual} is what the documented approval has"));
                }
                Some(number) if number < 0.0 => {
                    out.report(&place, format!("`{name}` is negative")).help("write a number over 0");
                }
                Some(0.0) if name == "timeout" => {
                    out.report(
                        &place,
                        "a timeout of 0: whether the approval then never times out, or at once, is not documented",
                    )
                    .help("write the time after which it is decided, or unset it")
                    .severity(Severity::Info);
                }
                Some(_) => {}
            }
        }
    }
}
