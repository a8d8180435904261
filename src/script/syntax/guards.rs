//! Where a test shows that a name holds a number or the like: `typeof value === "number" ? value : …`.

use oxc_ast::AstKind;
use oxc_ast::ast::{BinaryExpression, Expression, IdentifierReference, IfStatement, Statement};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};

use super::tree::Tree;
use crate::collections::HashMap;

/// By name, the parts of a script that run only if it holds no string.
pub(super) struct Guards<'t>(HashMap<&'t str, Vec<Span>>);

impl<'t> Guards<'t> {
    pub fn of<'a: 't>(tree: &Tree<'t, 'a>) -> Self {
        let nodes = tree.semantic.nodes();
        let mut guards = Self(HashMap::default());
        for node in nodes.iter() {
            match node.kind() {
                AstKind::ConditionalExpression(either) => {
                    guards.add(tree, &either.test, true, either.consequent.span());
                    guards.add(tree, &either.test, false, either.alternate.span());
                }
                AstKind::LogicalExpression(logical) if logical.operator == LogicalOperator::And => {
                    guards.add(tree, &logical.left, true, logical.right.span());
                }
                AstKind::LogicalExpression(logical) if logical.operator == LogicalOperator::Or => {
                    guards.add(tree, &logical.left, false, logical.right.span());
                }
                AstKind::IfStatement(branch) => {
                    guards.add(tree, &branch.test, true, branch.consequent.span());
                    if let Some(alternate) = &branch.alternate {
                        guards.add(tree, &branch.test, false, alternate.span());
                    } else if leaves(branch) {
                        let end = nodes.parent_kind(node.id()).span().end;
                        guards.add(tree, &branch.test, false, Span::new(branch.span.end, end.max(branch.span.end)));
                    }
                }
                _ => {}
            }
        }
        guards
    }

    /// Whether a use of a name is in such a part.
    pub fn contain(&self, name: &IdentifierReference<'_>) -> bool {
        let parts = self.0.get(name.name.as_str()).map_or(&[][..], Vec::as_slice);
        parts.iter().any(|part| part.contains_inclusive(name.span))
    }

    /// The parts in which the uses of a name have to be looked for.
    pub fn count(&self, name: &IdentifierReference<'_>) -> usize {
        self.0.get(name.name.as_str()).map_or(0, Vec::len)
    }

    fn add<'a: 't>(&mut self, tree: &Tree<'t, 'a>, test: &'t Expression<'a>, outcome: bool, part: Span) {
        if let Some(name) = name_without_string(tree, test, outcome) {
            self.0.entry(name).or_default().push(part);
        }
    }
}

/// The name that holds no string if a test has this outcome.
fn name_without_string<'t, 'a: 't>(tree: &Tree<'t, 'a>, test: &'t Expression<'a>, outcome: bool) -> Option<&'t str> {
    match test.without_parentheses() {
        Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::LogicalNot => {
            tree.deeper(|| name_without_string(tree, &unary.argument, !outcome)).flatten()
        }
        Expression::BinaryExpression(comparison) => name_of_type(comparison, outcome),
        // Each part of `a && b` is true.
        Expression::LogicalExpression(both) if outcome && both.operator == LogicalOperator::And => tree
            .deeper(|| {
                name_without_string(tree, &both.left, true).or_else(|| name_without_string(tree, &both.right, true))
            })
            .flatten(),
        Expression::LogicalExpression(either) if either.operator == LogicalOperator::Or => tree
            .deeper(|| {
                let left = name_without_string(tree, &either.left, outcome);
                let right = name_without_string(tree, &either.right, outcome);
                if outcome { left.filter(|left| Some(*left) == right) } else { left.or(right) }
            })
            .flatten(),
        Expression::CallExpression(call) if outcome => {
            let Expression::StaticMemberExpression(member) = call.callee.without_parentheses() else { return None };
            let is_test = matches!(member.property.name.as_str(), "isFinite" | "isInteger" | "isSafeInteger");
            let first = call.arguments.first().and_then(|first| first.as_expression())?;
            name_of(first).filter(|_| is_test && tree.is_global(&member.object, "Number"))
        }
        _ => None,
    }
}

/// The name whose type a comparison asks for, if that is another than `string` and `object`.
fn name_of_type<'t>(comparison: &'t BinaryExpression<'_>, outcome: bool) -> Option<&'t str> {
    let is_equal = match comparison.operator {
        BinaryOperator::Equality | BinaryOperator::StrictEquality => true,
        BinaryOperator::Inequality | BinaryOperator::StrictInequality => false,
        _ => return None,
    };
    let ((Expression::UnaryExpression(asked), Expression::StringLiteral(kind))
    | (Expression::StringLiteral(kind), Expression::UnaryExpression(asked))) =
        (comparison.left.without_parentheses(), comparison.right.without_parentheses())
    else {
        return None;
    };
    let is_harmless = matches!(kind.value.as_str(), "number" | "boolean" | "bigint" | "undefined");
    let is_asked = asked.operator == UnaryOperator::Typeof && is_harmless && is_equal == outcome;
    name_of(&asked.argument).filter(|_| is_asked)
}

fn name_of<'t>(expression: &'t Expression<'_>) -> Option<&'t str> {
    match expression.without_parentheses() {
        Expression::Identifier(name) => Some(name.name.as_str()),
        _ => None,
    }
}

/// Whether what follows an `if` runs only if its test is false.
fn leaves(branch: &IfStatement<'_>) -> bool {
    let is_end = |statement: &Statement<'_>| {
        matches!(
            statement,
            Statement::ReturnStatement(_) | Statement::ThrowStatement(_) | Statement::ContinueStatement(_)
        )
    };
    match &branch.consequent {
        Statement::BlockStatement(block) => block.body.last().is_some_and(is_end),
        statement => is_end(statement),
    }
}
