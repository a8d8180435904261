use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::graph::Resolution;
use crate::rules::approval::approvals;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF507",
    name: "result-unread",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF507-result-unread.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, _, approval) in approvals(cx) {
        let Some((node, binding)) = approval.result.known() else { continue };
        let Some((_, name)) = binding.target() else { continue };
        let is_declared = matches!(analysis.scope.resolve(name), Resolution::Declared(_));
        if !is_declared || analysis.scope.is_system(name) || cx.usage.is_read(name) {
            continue;
        }
        out.report(
            &Place::value(analysis.file, node),
            format!("the decision is kept in {}, and nothing reads it", quote(name)),
        )
        .help("test it in an If after the Approval, or do not bind `approvalResult`");
    }
}
