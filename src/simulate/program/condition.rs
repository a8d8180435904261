//! The conditions of While and If.

use super::source::{Readable, Source};
use crate::model::{Binding, Expression, Literal, Member, Operand};
use crate::simulate::comparison::equal;
use crate::simulate::variables::VariableTable;

#[derive(Debug)]
pub struct Condition<'p> {
    pub left: Source<'p>,
    pub right: Source<'p>,
    operand: Operand,
    /// Whether a side is a static JSON number.
    as_numbers: bool,
}

impl<'p> Condition<'p> {
    pub(super) fn of(expression: &Member<Box<Expression<'p>>>, names: &VariableTable) -> Readable<Self> {
        let expression = expression.unboxed().ok_or("expression")?;
        let side = |member: &Member<Binding<'p>>| match Source::of(member, names) {
            Source::Nothing if member.is_absent() => Source::Unreadable,
            source => source,
        };
        Ok(Self {
            left: side(&expression.left),
            right: side(&expression.right),
            operand: expression.operand.value().ok_or("operand")?,
            as_numbers: is_number(&expression.left) || is_number(&expression.right),
        })
    }

    /// Whether it holds for the values of its sides.
    pub fn holds(&self, left: &str, right: &str) -> bool {
        equal(left, right, self.as_numbers) == (self.operand == Operand::Equal)
    }
}

fn is_number(side: &Member<Binding<'_>>) -> bool {
    let literal = side.get().and_then(Binding::literal);
    matches!(literal, Some((_, Literal::Number(_))))
}
