use crate::diagnostic::Severity;
use crate::facts::Context;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF709",
    name: "approval-without-approvers",
    severity: Severity::Warning,
    page: include_str!("../../../rules/WF709-approval-without-approvers.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for site in cx.cases().iter().filter(|site| site.is_whole()) {
        let Some((node, true)) = site.case.approval_required.known().map(|(node, flag)| (node, *flag)) else {
            continue;
        };
        let approvers = &site.case.approvers;
        let is_certain =
            site.is_certain(node) && site.is_certain_member(site.document.root(), crate::model::case_key::APPROVERS);
        if is_certain && (approvers.is_absent() || approvers.value() == Some(0)) {
            out.report(&site.value(node), "the case must be approved, but names nobody who could approve it")
                .help("name them in `Approvers`, or set `ApprovalRequired` to false");
        }
    }
}
