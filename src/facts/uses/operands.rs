//! The types of the operands of conditions.

use crate::facts::service::AnalyzedService;
use crate::graph::Analysis;
use crate::model::{Activity, Binding, FILE_TYPE, Literal};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperandType<'a> {
    /// A literal, or a variable that only holds booleans.
    Boolean,
    Number,
    Text(&'a str),
    /// The name of a variable of type `File`.
    File(&'a str),
}

impl OperandType<'_> {
    /// Whether two operands can never be equal. An unset variable equals the empty string (docs/how-it-thinks.md, Flow).
    fn never_equals(self, other: Self) -> bool {
        match (self, other) {
            (Self::Boolean, Self::Text(text)) => {
                !text.is_empty() && !text.eq_ignore_ascii_case("true") && !text.eq_ignore_ascii_case("false")
            }
            (Self::Number, Self::Text(text)) => Literal::Text(text).as_number().is_none(),
            (Self::File(_), Self::Text(text)) => !text.is_empty(),
            (Self::Boolean | Self::File(_), Self::Number) | (Self::File(_), Self::Boolean) => true,
            _ => false,
        }
    }
}

/// The types of a service's operands.
pub struct OperandTypes<'c> {
    service: &'c AnalyzedService<'c>,
    /// Whether something that is not known may write any variable.
    has_unknown_writers: bool,
}

impl<'c> OperandTypes<'c> {
    pub fn of(service: &'c AnalyzedService<'_>) -> Self {
        let mut workflows = service.workflows.iter();
        Self { service, has_unknown_writers: workflows.any(|analysis| !analysis.scope.declarations.are_there) }
    }

    /// Whether a variable has no other writers than `approvalResult` and `providerResult`.
    fn is_boolean(&self, name: &str) -> bool {
        !self.has_unknown_writers && self.service.usage.holds_only_results(name) && !self.service.is_system(name)
    }

    /// The operands of a condition that can never be equal by their types (WF415).
    pub fn incompatible(&self, analysis: &'c Analysis<'_>, activity: &'c Activity<'_>) -> Option<[OperandType<'c>; 2]> {
        let expression = activity.expression()?;
        expression.operand.value()?;
        let left = self.operand(analysis, expression.left.get()?)?;
        let right = self.operand(analysis, expression.right.get()?)?;
        (left.never_equals(right) || right.never_equals(left)).then_some([left, right])
    }

    fn operand(&self, analysis: &'c Analysis<'_>, binding: &Binding<'c>) -> Option<OperandType<'c>> {
        if let Some((_, name)) = binding.target() {
            if analysis.scope.declarations.type_of(name) == Some(FILE_TYPE) {
                return Some(OperandType::File(name));
            }
            return self.is_boolean(name).then_some(OperandType::Boolean);
        }
        Some(match binding.literal()?.1 {
            Literal::Boolean(_) => OperandType::Boolean,
            Literal::Number(_) => OperandType::Number,
            Literal::Text(text) => OperandType::Text(text),
            Literal::Null => OperandType::Text(""),
        })
    }
}
