use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::rules::approval::approvals;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF502",
    name: "undocumented-approval-value",
    severity: Severity::Info,
    other_severities: &[Severity::Warning],
    page: include_str!("../../../rules/WF502-undocumented-approval-value.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, _, approval) in approvals(cx) {
        let members = [
            ("approvalType", &approval.approval_type, "parallel"),
            ("required", &approval.required, "one"),
            ("onTimeout", &approval.on_timeout, "reject"),
        ];
        for (name, member, shown) in members {
            let Some((node, &written)) = member.known().filter(|(_, written)| **written != shown) else { continue };
            let place = Place::value(analysis.file, node);
            let message = format!("what `{name}` {} does is not documented", quote(written));
            match cx.suggester.nearest(written, [shown]) {
                Some(near) => {
                    out.report(&place, message).help(format!("did you mean `{near}`?")).severity(Severity::Warning);
                }
                None => {
                    let help = format!("`{shown}` is documented; make sure that the platform knows this value");
                    out.report(&place, message).help(help);
                }
            }
        }
    }
}
