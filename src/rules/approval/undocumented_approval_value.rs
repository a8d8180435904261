use crate::facts::{Context, Place};
use crate::model::Assumption;
use crate::rules::approval::{ApprovalSite, approvals};
use crate::rules::{Fixes, Reporter, Rule};
use crate::text::diagnostic::Severity;
use crate::text::quote;

pub const RULE: Rule = rule!("WF502-undocumented-approval-value", Info | Warning, check, fixes: Fixes::Unsafe);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for ApprovalSite { analysis, activity, approval } in approvals(cx) {
        let members = [
            ("approvalType", &approval.approval_type, "parallel"),
            ("required", &approval.required, "one"),
            ("onTimeout", &approval.on_timeout, "reject"),
        ];
        for (name, member, documented) in members {
            let Some((node, &written)) = member.known().filter(|(_, written)| **written != documented) else {
                continue;
            };
            let place = Place::value(analysis.file, node);
            let message = format!("unknown value {} for `{name}` in {}", quote(written), activity.display_name());
            match cx.suggester.nearest(written, [documented]) {
                Some(near) => {
                    out.report(&place, message).suggest(near, true, name, node).severity(Severity::Warning);
                }
                None => {
                    out.report(&place, message)
                        .assumes(Assumption::OtherValues)
                        .help(format!("use `{documented}`, unless the platform has this value"));
                }
            }
        }
    }
}
