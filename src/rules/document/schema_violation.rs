use crate::common::collections::HashSet;
use crate::document::NodeId;
use crate::facts::{Context, Place};
use crate::model::ActivityKind;
use crate::rules::{Cause, Reporter, Rule};
use crate::text::diagnostic::{FileId, Severity};

pub const RULE: Rule = Rule {
    code: "WF004",
    name: "schema-violation",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF004-schema-violation.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let unlisted = unlisted_types(cx);
    for (file, violation) in cx.violations() {
        let is_unlisted_type = violation.not_allowed && unlisted.contains(&(file, violation.node));
        if is_unlisted_type || cx.is_exact_copy(file, violation.node) {
            continue;
        }
        let mut draft = out.report(&Place::value(file, violation.node), violation.message.clone());
        draft.help(violation.help.clone());
        for name in &violation.missing {
            draft.cause(Cause::Name(file, violation.node, name.clone()));
        }
    }
}

/// The `type` of each activity that the schema's list of types does not judge: one that the configuration declares,
/// and one that is not a string, which is a violation of its own.
fn unlisted_types(cx: &Context<'_>) -> HashSet<(FileId, NodeId)> {
    let unlisted = cx.activities().filter(|(_, activity)| {
        matches!(activity.kind, ActivityKind::Declared { .. }) || activity.type_name.is_unknown()
    });
    unlisted.filter_map(|(analysis, activity)| Some((analysis.file, activity.type_name.node()?))).collect()
}
