//! Case status variables, and comparisons of them with unknown statuses (docs/how-it-thinks.md, Case status).

use std::collections::BTreeMap;

use crate::catalog::Status;
use crate::document::NodeId;
use crate::facts::service::AnalyzedService;
use crate::graph::{Analysis, OperandValue, VarId, Writer};
use crate::model::{ActivityId, Literal};
use crate::text::suggest::Suggester;

/// The case statuses of one workflow.
#[derive(Debug)]
pub struct CaseStatuses<'a> {
    /// The variables that a status lookup writes, each with the statuses that its lookups can return.
    pub variables: BTreeMap<VarId, Vec<&'a Status>>,
    /// In document order.
    pub unknown: Vec<UnknownStatus<'a>>,
}

/// A case status compared with a string that is not a known status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownStatus<'a> {
    /// The While or If.
    pub activity: ActivityId,
    pub variable: VarId,
    /// The operand with the string.
    pub operand: NodeId,
    pub status: &'a str,
    /// The known status with a similar name.
    pub near: Option<&'a str>,
    /// Whether no other known status is as similar.
    pub is_certain: bool,
}

impl<'a> CaseStatuses<'a> {
    /// By workflow.
    pub fn of(service: &'a AnalyzedService<'a>) -> Vec<Self> {
        let of_workflow = |analysis| {
            let variables = status_variables(analysis);
            let unknown = unknown_statuses(analysis, &variables, service.suggester);
            Self { variables, unknown }
        };
        service.workflows.iter().map(of_workflow).collect()
    }
}

fn status_variables<'a>(analysis: &Analysis<'a>) -> BTreeMap<VarId, Vec<&'a Status>> {
    let mut variables: BTreeMap<VarId, Vec<&'a Status>> = BTreeMap::new();
    for effects in &analysis.effects {
        let Some(method) = effects.provider.as_ref().and_then(|provider| provider.method) else { continue };
        for write in effects.writes.own().iter().filter(|write| write.by == Writer::Output { is_status: true }) {
            let statuses = variables.entry(write.variable).or_default();
            for status in method.statuses() {
                if !statuses.contains(&status) {
                    statuses.push(status);
                }
            }
        }
    }
    variables
}

fn unknown_statuses<'a>(
    analysis: &'a Analysis<'a>,
    variables: &BTreeMap<VarId, Vec<&'a Status>>,
    suggester: &Suggester,
) -> Vec<UnknownStatus<'a>> {
    let mut unknown = Vec::new();
    for (activity, expression) in analysis.workflow.conditions() {
        let Some(condition) = analysis.effects(activity.id).and_then(|effects| effects.condition.as_deref()) else {
            continue;
        };
        let (variable, status, operand) = match (condition.left, condition.right) {
            (OperandValue::Variable(variable), OperandValue::Literal(Literal::Text(status))) => {
                (variable, status, &expression.right)
            }
            (OperandValue::Literal(Literal::Text(status)), OperandValue::Variable(variable)) => {
                (variable, status, &expression.left)
            }
            _ => continue,
        };
        let (Some(statuses), Some(operand)) = (variables.get(&variable), operand.get()) else { continue };
        // An unset variable equals the empty string: that comparison asks whether there is a status at all.
        if status.is_empty() || statuses.iter().any(|known| known.value == status) {
            continue;
        }
        let names = || statuses.iter().map(|status| status.value.as_str());
        // By the length of either, so that `Finish` is near to `Finished`.
        let is_longer_form = |known: &&str| suggester.nearest(known, [status]).is_some();
        let nearest = suggester.nearest(status, names());
        let near = nearest.or_else(|| names().find(is_longer_form));
        let is_certain = match nearest {
            Some(near) => suggester.is_only(status, near, names()),
            None => names().filter(is_longer_form).count() == 1,
        };
        unknown.push(UnknownStatus {
            activity: activity.id,
            variable,
            operand: operand.node,
            status,
            near,
            is_certain,
        });
    }
    unknown
}
