use crate::facts::Context;
use crate::rules::{Reporter, Rule};
use crate::text::diagnostic::Severity;

pub const RULE: Rule = Rule {
    code: "WF709",
    name: "approval-without-approvers",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF709-approval-without-approvers.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases() {
        let Some((node, true)) = site.case.approval_required.known().map(|(node, flag)| (node, *flag)) else {
            continue;
        };
        let approvers = &site.case.approvers;
        let state = if approvers.is_absent() { "missing" } else { "empty" };
        if approvers.is_absent() || approvers.value() == Some(0) {
            out.report(&site.place_of_value(node), format!("`ApprovalRequired` is `true`, but `Approvers` is {state}"))
                .help("add approvers to `Approvers`, or set `ApprovalRequired` to `false`");
        }
    }
}
