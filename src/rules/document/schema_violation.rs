use crate::collections::HashSet;
use crate::diagnostic::{FileId, Severity};
use crate::document::NodeId;
use crate::facts::{Context, Place};
use crate::model::Kind;
use crate::rules::{Cause, Reporter, Rule, YieldsTo};

pub const RULE: Rule = Rule {
    code: "WF004",
    name: "schema-violation",
    severity: Severity::Error,
    yields_to: YieldsTo::Rules(&["WF006", "WF007"]),
    page: include_str!("../../../rules/WF004-schema-violation.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    let declared = declared_types(cx);
    for (file, violation) in &cx.violations {
        let is_declared = violation.not_allowed && declared.contains(&(*file, violation.node));
        if is_declared || cx.is_exact_copy(*file, violation.node) {
            continue;
        }
        let mut draft = out.report(&Place::value(*file, violation.node), violation.message.clone());
        draft.help(violation.help.clone());
        for name in &violation.missing {
            draft.about(Cause::Absent(*file, violation.node, name.clone()));
        }
    }
}

/// The `type` of each activity whose type the configuration declares: the schema does not know these.
fn declared_types(cx: &Context<'_>) -> HashSet<(FileId, NodeId)> {
    let declared = cx.activities().filter(|(_, activity)| matches!(activity.kind, Kind::Declared { .. }));
    declared.filter_map(|(analysis, activity)| Some((analysis.file, activity.type_name.node()?))).collect()
}
