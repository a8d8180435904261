use crate::facts::Context;
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = rule!("WF709-approval-without-approvers", Warning, check);

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
