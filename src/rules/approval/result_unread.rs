use crate::facts::{Context, Place};
use crate::graph::Resolution;
use crate::rules::approval::{ApprovalSite, approvals};
use crate::rules::{Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = rule!("WF507-result-unread", Warning, check, marks_unnecessary: true);

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for ApprovalSite { analysis, activity, approval } in approvals(cx) {
        let Some((node, binding)) = approval.result.known() else { continue };
        let Some((_, name)) = binding.target() else { continue };
        // Without a complete list of variables, other documents may read it.
        let is_known = !matches!(analysis.scope.resolve(name), Resolution::Unknown);
        if !is_known || analysis.scope.is_system(name) || cx.usage.is_read(name) {
            continue;
        }
        out.report(
            &Place::value(analysis.file, node),
            format!("unused outcome of {}, variable {} is never read", activity.display_name(), quote(name)),
        )
        .help("test the variable in an If after the Approval, or do not bind `approvalResult`");
    }
}
