use crate::diagnostic::{Applicability, Severity};
use crate::facts::{Context, Place};
use crate::rules::{Cause, Fixes, Reporter, Rule};
use crate::text::quote;

pub const RULE: Rule = Rule {
    code: "WF406",
    name: "unknown-status",
    severity: Severity::Info,
    other_severities: &[Severity::Error],
    fixes: Fixes::Unsafe,
    page: include_str!("../../../rules/WF406-unknown-status.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    for (analysis, statuses) in cx.workflows.iter().zip(cx.statuses()) {
        for unknown in &statuses.unknown {
            let variable = analysis.names.name(unknown.variable);
            let message =
                format!("unknown status {}, which {} may never equal", quote(unknown.status), quote(variable));
            let mut draft = out.report(&Place::value(analysis.file, unknown.operand), message);
            draft.cause(Cause::Variable(variable.to_owned()));
            if let Some(activity) = analysis.workflow.activity(unknown.activity) {
                draft.cause(Cause::Node(analysis.file, activity.node));
            }
            if let Some(near) = unknown.near {
                draft.cause(Cause::Status(variable.to_owned(), near.to_owned()));
            }
            if let Some(near) = unknown.near
                && let Some(value) = analysis.document.member(unknown.operand, "value")
            {
                let json = serde_json::Value::from(near).to_string();
                draft.fix_value(Applicability::Unsafe, format!("set `value` to {}", quote(near)), value, json);
            }
            match unknown.near {
                Some(near) => draft.help(format!("did you mean `{near}`?")).severity(Severity::Error),
                None => draft
                    .help("if the provider has this status, add it to `statuses` of the lookup in your own catalog"),
            };
        }
    }
}
