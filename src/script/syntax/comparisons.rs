//! The operands of comparisons: what a script compares decides which way it goes, so a run shows their values.

use std::cmp::Ordering;
use std::ops::Range;

use oxc_ast::AstKind;
use oxc_ast::ast::{BinaryExpression, Expression, SwitchStatement};
use oxc_span::GetSpan;
use oxc_syntax::operator::{BinaryOperator, UnaryOperator};

use super::constant::{Constant, constant};
use super::tree::{Tree, range};

/// More operands are not followed.
const MAX_OPERANDS: usize = 2000;

/// More cases of a `switch` are not followed.
const MAX_CASES: usize = 32;

/// Comparisons of a script, and their operands in no order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparisons {
    pub operands: Vec<Operand>,
    /// By the number of the comparison.
    pub all: Vec<ComparisonKind>,
}

/// An operand other than a constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    pub range: Range<usize>,
    /// The number of its comparison.
    pub comparison: usize,
    /// Whether it is evaluated after the other one, which is not a constant either.
    pub is_second: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComparisonKind {
    /// That of the operands that it separates from the other two: `<` and `>=` ask whether the first one is less.
    pub asks_for: Ordering,
    /// With what the only operand that is not a constant is compared; empty if there are two.
    pub constants: Vec<String>,
}

pub(super) fn collect(tree: &Tree<'_, '_>) -> Comparisons {
    let mut found = Comparisons::default();
    for node in tree.semantic.nodes().iter() {
        match node.kind() {
            AstKind::BinaryExpression(binary) => found.add_binary(binary),
            AstKind::SwitchStatement(switch) => found.add_switch(switch),
            _ => {}
        }
        if found.operands.len() > MAX_OPERANDS {
            break;
        }
    }
    found
}

impl Comparisons {
    pub(super) const NONE: Self = Self { operands: Vec::new(), all: Vec::new() };

    fn add_binary(&mut self, binary: &BinaryExpression<'_>) {
        let asks_for = match binary.operator {
            BinaryOperator::LessThan | BinaryOperator::GreaterEqualThan => Ordering::Less,
            BinaryOperator::GreaterThan | BinaryOperator::LessEqualThan => Ordering::Greater,
            operator if operator.is_equality() => Ordering::Equal,
            _ => return,
        };
        if says_little(&binary.left) || says_little(&binary.right) {
            return;
        }
        let (left, right) = (constant(&binary.left), constant(&binary.right));
        let (operand, constant) = match (left, right) {
            (None, None) => {
                let comparison = self.all.len();
                self.all.push(ComparisonKind { asks_for, constants: Vec::new() });
                for (operand, is_second) in [(&binary.left, false), (&binary.right, true)] {
                    self.operands.push(Operand { range: range(operand.span()), comparison, is_second });
                }
                return;
            }
            (None, Some(constant)) => (&binary.left, constant),
            (Some(constant), None) => {
                return self.add_against(&binary.right, asks_for.reverse(), vec![constant.into_text()]);
            }
            (Some(_), Some(_)) => return,
        };
        self.add_against(operand, asks_for, vec![constant.into_text()]);
    }

    fn add_switch(&mut self, switch: &SwitchStatement<'_>) {
        let tests = switch.cases.iter().filter_map(|case| constant(case.test.as_ref()?));
        let constants: Vec<String> = tests.map(Constant::into_text).take(MAX_CASES).collect();
        let is_constant = constant(&switch.discriminant).is_some();
        if !constants.is_empty() && !is_constant && !says_little(&switch.discriminant) {
            self.add_against(&switch.discriminant, Ordering::Equal, constants);
        }
    }

    fn add_against(&mut self, operand: &Expression<'_>, asks_for: Ordering, constants: Vec<String>) {
        let comparison = self.all.len();
        self.all.push(ComparisonKind { asks_for, constants });
        self.operands.push(Operand { range: range(operand.span()), comparison, is_second: false });
    }
}

/// A type, or a value that a test only asks for being missing.
fn says_little(operand: &Expression<'_>) -> bool {
    match operand.without_parentheses() {
        Expression::UnaryExpression(unary) => matches!(unary.operator, UnaryOperator::Typeof | UnaryOperator::Void),
        Expression::Identifier(name) => name.name == "undefined",
        Expression::NullLiteral(_) => true,
        _ => false,
    }
}
