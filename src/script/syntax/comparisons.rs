//! The operands of comparisons and of lookups in tables: what a script compares or looks up decides its path, so a run
//! shows their values.

use std::cmp::Ordering;
use std::ops::Range;

use oxc_ast::AstKind;
use oxc_ast::ast::{BinaryExpression, CallExpression, Expression, SwitchStatement};
use oxc_semantic::NodeId;
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
    /// Whether one of the two operands is a table, in which the other one is a key.
    pub is_lookup: bool,
}

/// Methods of tables that take a key.
const LOOKUPS: [&str; 3] = ["get", "has", "hasOwnProperty"];

pub(super) fn collect(tree: &Tree<'_, '_>) -> Comparisons {
    let mut found = Comparisons::default();
    for node in tree.semantic.nodes().iter() {
        match node.kind() {
            AstKind::BinaryExpression(binary) => found.add_binary(binary),
            AstKind::SwitchStatement(switch) => found.add_switch(switch),
            AstKind::ComputedMemberExpression(member)
                if !is_constructed(tree, node.id()) && !tree.is_target(node.id()) =>
            {
                found.add_lookup(&member.object, &member.expression);
            }
            AstKind::CallExpression(call) if !is_constructed(tree, node.id()) => found.add_call(call),
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
        if binary.operator == BinaryOperator::In {
            return self.add_lookup(&binary.left, &binary.right);
        }
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
                return self.add_pair(&binary.left, &binary.right, asks_for, false);
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

    /// A call of a method that looks up a key, or of `Object.hasOwn`.
    fn add_call(&mut self, call: &CallExpression<'_>) {
        let Expression::StaticMemberExpression(callee) = &call.callee else { return };
        let name = callee.property.name.as_str();
        match call.arguments.as_slice() {
            [key] if LOOKUPS.contains(&name) => {
                if let Some(key) = key.as_expression() {
                    self.add_lookup(&callee.object, key);
                }
            }
            [table, key] if name == "hasOwn" => {
                if let (Some(table), Some(key)) = (table.as_expression(), key.as_expression()) {
                    self.add_lookup(table, key);
                }
            }
            _ => {}
        }
    }

    fn add_lookup(&mut self, first: &Expression<'_>, second: &Expression<'_>) {
        let is_table = |operand: &Expression<'_>| !matches!(operand, Expression::Super(_)) && !is_optional(operand);
        if constant(first).is_none() && constant(second).is_none() && is_table(first) {
            self.add_pair(first, second, Ordering::Equal, true);
        }
    }

    fn add_pair(&mut self, first: &Expression<'_>, second: &Expression<'_>, asks_for: Ordering, is_lookup: bool) {
        let comparison = self.all.len();
        self.all.push(ComparisonKind { asks_for, constants: Vec::new(), is_lookup });
        for (operand, is_second) in [(first, false), (second, true)] {
            self.operands.push(Operand { range: range(operand.span()), comparison, is_second });
        }
    }

    fn add_against(&mut self, operand: &Expression<'_>, asks_for: Ordering, constants: Vec<String>) {
        let comparison = self.all.len();
        self.all.push(ComparisonKind { asks_for, constants, is_lookup: false });
        self.operands.push(Operand { range: range(operand.span()), comparison, is_second: false });
    }
}

/// Whether an expression is a part of an optional chain, which ends with it: `a?.b`.
fn is_optional(expression: &Expression<'_>) -> bool {
    let mut at = expression;
    loop {
        let (is_optional, within) = match at {
            Expression::CallExpression(call) => (call.optional, &call.callee),
            _ => match at.as_member_expression() {
                Some(member) => (member.optional(), member.object()),
                None => return false,
            },
        };
        if is_optional {
            return true;
        }
        at = within;
    }
}

/// Whether `new` constructs with an expression or with a member of it: a mark would be constructed instead.
fn is_constructed(tree: &Tree<'_, '_>, node: NodeId) -> bool {
    let nodes = tree.semantic.nodes();
    let mut at = node;
    loop {
        let span = nodes.kind(at).span();
        at = nodes.parent_id(at);
        match nodes.kind(at) {
            AstKind::ComputedMemberExpression(member) if member.object.span() == span => {}
            AstKind::StaticMemberExpression(member) if member.object.span() == span => {}
            AstKind::PrivateFieldExpression(member) if member.object.span() == span => {}
            AstKind::NewExpression(new) => return new.callee.span() == span,
            _ => return false,
        }
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
