use crate::diagnostic::{Severity, quote};
use crate::facts::{Context, Place};
use crate::rules::{Reporter, Rule};

pub const RULE: Rule = Rule {
    code: "WF409",
    name: "expiry-not-handled",
    severity: Severity::Info,
    page: include_str!("../../../rules/WF409-expiry-not-handled.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for analysis in &cx.workflows {
        for blind in &analysis.blind_to_expiry {
            let Some(activity) = analysis.workflow.activity(blind.activity) else { continue };
            let name = quote(analysis.names.name(blind.variable));
            let mut draft = out.report(&Place::value(analysis.file, activity.node), format!(
                    "the case can expire, and this loop ends on documented values of {name} alone; which one an expired \
                     case gets is not documented"
                ));
            draft.help(
                "find out which status an expired case has, and let the loop end on it; or end it after some rounds",
            );
            if let Some(request) = analysis.workflow.activity(blind.request) {
                draft.related(&Place::value(analysis.file, request.node), "this gives the case a time to expire after");
            }
        }
    }
}
