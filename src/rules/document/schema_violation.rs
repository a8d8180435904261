use crate::collections::HashSet;
use crate::diagnostic::{FileId, Severity};
use crate::document::{Document, NodeId};
use crate::facts::{Context, Place};
use crate::rules::{Reporter, Rule};
use crate::schema::{DocumentKind, Violation};

pub const RULE: Rule = Rule {
    code: "WF004",
    name: "schema-violation",
    severity: Severity::Error,
    page: include_str!("../../../rules/WF004-schema-violation.md"),
    check,
    ..Rule::DEFAULT
};

fn check(cx: &Context<'_>, out: &mut Reporter<'_>) {
    // Where a mistyped name stands for the missing member, the name is told (WF007).
    let slips: HashSet<(FileId, NodeId, &str)> = cx
        .unknown_members()
        .filter(|(_, unknown)| unknown.near_is_absent)
        .filter_map(|(file, unknown)| Some((file, unknown.object, unknown.near?)))
        .collect();
    for (file, violation) in &cx.violations {
        let is_slip = violation.missing.iter().any(|name| slips.contains(&(*file, violation.node, name.as_str())));
        let is_activity_type =
            cx.document(*file).is_some_and(|document| is_activity_type(cx, *file, document, violation));
        if !is_slip && !is_activity_type && !cx.is_exact_copy(*file, violation.node) {
            out.report(&Place::value(*file, violation.node), violation.message.clone()).help(violation.help.clone());
        }
    }
}

/// Whether it is about which types of activity there are: that is told by WF006, which knows the
/// declared ones.
fn is_activity_type(cx: &Context<'_>, file: FileId, document: &Document, violation: &Violation) -> bool {
    let is_workflow = cx.file(file).and_then(crate::project::File::document);
    let list = document.parent(violation.node).and_then(|activity| document.parent(activity));
    violation.not_allowed
        && matches!(is_workflow, Some((DocumentKind::Workflow, _)))
        && document.key(violation.node) == Some("type")
        && list.is_some_and(|list| document.key(list) == Some("activities"))
}
