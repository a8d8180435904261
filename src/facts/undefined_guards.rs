//! Conditions that cannot be read, that compare values of different types, or with an operand that is bound to nothing or
//! to an undefined name: what they were meant to decide is unknown.

use super::operands::OperandTypes;
use crate::collections::HashMap;
use crate::document::NodeId;
use crate::graph::{Analysis, Resolution};
use crate::model::{Activity, ActivityId, ActivityKind, Binding, Expression, Member, State};

/// What is wrong with a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuardFault<'a> {
    /// The name of an operand that no variable has.
    Name(&'a str),
    /// The binding of an operand, without a name; or the expression, whose operands can never be equal.
    Node(NodeId),
}

/// The conditions of a workflow with such a fault.
pub struct UndefinedGuards<'a>(HashMap<ActivityId, UndefinedGuard<'a>>);

pub struct UndefinedGuard<'a> {
    pub faults: Vec<GuardFault<'a>>,
    /// Whether a part of it cannot be read.
    pub is_unread: bool,
    /// Whether a Terminate is inside: paths end there.
    pub contains_terminate: bool,
}

impl<'a> UndefinedGuards<'a> {
    pub fn of(analysis: &Analysis<'a>, types: &OperandTypes<'_>) -> Self {
        let workflow = analysis.workflow;
        let guards = workflow.activities.iter().filter_map(|activity| {
            let (ActivityKind::While { expression, .. } | ActivityKind::If { expression }) = &activity.kind else {
                return None;
            };
            let faults = expression.unboxed().map_or_else(Vec::new, |known| faults(analysis, types, activity, known));
            let is_unread = is_unread(expression);
            (is_unread || !faults.is_empty()).then(|| {
                let contains_terminate =
                    workflow.inside(activity).any(|inner| matches!(inner.kind, ActivityKind::Terminate));
                (activity.id, UndefinedGuard { faults, is_unread, contains_terminate })
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

fn faults<'a>(
    analysis: &Analysis<'a>,
    types: &OperandTypes<'_>,
    activity: &Activity<'_>,
    expression: &Expression<'a>,
) -> Vec<GuardFault<'a>> {
    let bindings = [&expression.left, &expression.right].into_iter().filter_map(|operand| operand.get());
    let undefined = bindings.filter(|binding| binding.is_bound()).filter_map(|binding| undefined(analysis, binding));
    let incompatible = types.incompatible(analysis, activity).map(|_| GuardFault::Node(expression.node));
    undefined.chain(incompatible).collect()
}

fn undefined<'a>(analysis: &Analysis<'a>, binding: &Binding<'a>) -> Option<GuardFault<'a>> {
    match binding.target() {
        Some((_, name)) => {
            matches!(analysis.scope.resolve(name), Resolution::Undefined(_)).then_some(GuardFault::Name(name))
        }
        None => (!binding.bound_to.is_unknown()).then_some(GuardFault::Node(binding.node)),
    }
}

/// Whether a part of a condition has the wrong JSON type or a mistyped key, or is missing or null.
fn is_unread(expression: &Member<Box<Expression<'_>>>) -> bool {
    let Some(known) = expression.unboxed() else { return expression.is_unknown() };
    let is_unread = |binding: &Binding<'_>| match binding.state.value() {
        None => true,
        Some(State::Bound) => binding.bound_to.is_unknown(),
        Some(_) => binding.value.is_unknown() || binding.lacks_literal(),
    };
    known.operand.get().is_none() || [&known.left, &known.right].iter().any(|side| side.get().is_none_or(is_unread))
}
