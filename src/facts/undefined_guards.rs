//! Conditions with an operand that is bound to nothing, or to an undefined name: what they were meant to decide is unknown.

use crate::collections::HashMap;
use crate::document::NodeId;
use crate::graph::{Analysis, Resolution};
use crate::model::{ActivityId, ActivityKind, Binding, Expression};

/// An operand without a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UndefinedOperand<'a> {
    /// The name that no variable has.
    Name(&'a str),
    /// The binding that has no name.
    Binding(NodeId),
}

/// The conditions of a workflow with such an operand.
pub struct UndefinedGuards<'a>(HashMap<ActivityId, UndefinedGuard<'a>>);

pub struct UndefinedGuard<'a> {
    pub operands: Vec<UndefinedOperand<'a>>,
    /// Whether a Terminate is inside: paths end there.
    pub contains_terminate: bool,
}

impl<'a> UndefinedGuards<'a> {
    pub fn of(analysis: &Analysis<'a>) -> Self {
        let workflow = analysis.workflow;
        let guards = workflow.conditions().filter_map(|(activity, expression)| {
            let operands = operands(analysis, expression);
            let contains_terminate =
                || workflow.inside(activity).any(|inner| matches!(inner.kind, ActivityKind::Terminate));
            (!operands.is_empty()).then(|| {
                let contains_terminate = contains_terminate();
                (activity.id, UndefinedGuard { operands, contains_terminate })
            })
        });
        Self(guards.collect())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, activity: ActivityId) -> Option<&UndefinedGuard<'a>> {
        self.0.get(&activity)
    }
}

fn operands<'a>(analysis: &Analysis<'a>, expression: &Expression<'a>) -> Vec<UndefinedOperand<'a>> {
    let bindings = [&expression.left, &expression.right].into_iter().filter_map(|operand| operand.get());
    bindings.filter(|binding| binding.is_bound()).filter_map(|binding| undefined(analysis, binding)).collect()
}

fn undefined<'a>(analysis: &Analysis<'a>, binding: &Binding<'a>) -> Option<UndefinedOperand<'a>> {
    match binding.target() {
        Some((_, name)) => {
            matches!(analysis.scope.resolve(name), Resolution::Undefined(_)).then_some(UndefinedOperand::Name(name))
        }
        None => (!binding.bound_to.is_unknown()).then_some(UndefinedOperand::Binding(binding.node)),
    }
}
