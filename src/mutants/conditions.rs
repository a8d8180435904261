//! Changes an If or a While: negates its condition, drops its body.

use super::change::{Change, Site};
use super::edit::Edit;
use crate::config::Mutation;
use crate::model::{Activity, ActivityKind, Operand};

pub fn changes(site: &Site<'_>, activity: &Activity<'_>) -> Vec<Change> {
    if !matches!(activity.kind, ActivityKind::If { .. } | ActivityKind::While { .. }) {
        return Vec::new();
    }
    let (document, name) = (site.document, activity.display_name());
    let operand = activity.expression().and_then(|expression| expression.operand.known());
    let negated = operand.map(|(node, operand)| {
        let json = match operand {
            Operand::Equal => "\"notEqual\"",
            Operand::NotEqual => "\"equal\"",
        };
        let clause = format!("the condition of {name} is negated");
        Change::new(Mutation::NegateCondition, activity, node, clause, vec![Edit::value(document, node, json)])
    });
    let body = activity.children.known().filter(|(_, children)| !children.is_empty());
    let emptied = body.map(|(list, _)| {
        let clause = format!("the body of {name} is dropped");
        Change::new(Mutation::EmptyBody, activity, activity.node, clause, vec![Edit::value(document, list, "[]")])
    });
    negated.into_iter().chain(emptied).collect()
}
