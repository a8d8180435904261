//! Whether a script throws on every path, whatever its values are.

use std::cell::RefCell;

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, Expression, Program, Statement};
use oxc_span::Span;

use super::reaching::{ReachingDefinitions, UNREACHABLE, UNSET};
use super::tree::Tree;
use crate::collections::HashMap;

pub(super) fn always_throws<'a>(tree: &Tree<'_, 'a>, program: &Program<'a>) -> bool {
    let has_throw = tree.semantic.nodes().iter().any(|node| matches!(node.kind(), AstKind::ThrowStatement(_)));
    has_throw && Throwing { tree, bodies: RefCell::default() }.never_ends(&program.body)
}

struct Throwing<'c, 't, 'a> {
    tree: &'c Tree<'t, 'a>,
    /// Whether a function, by its body, never returns. One that is being looked at is in the map: recursion ends there.
    bodies: RefCell<HashMap<Span, bool>>,
}

impl<'t, 'a: 't> Throwing<'_, 't, 'a> {
    /// Whether no path leads to the end of the statements, or to a `return`.
    fn never_ends(&self, statements: &[Statement<'a>]) -> bool {
        let mut paths = ReachingDefinitions::new(&[]);
        let end = paths.block(statements, UNSET) | paths.returned;
        if end == UNREACHABLE && !paths.is_incomplete {
            return true;
        }
        for statement in statements {
            if self.calls_in(statement) {
                return true;
            }
            let mut paths = ReachingDefinitions::new(&[]);
            paths.block(std::slice::from_ref(statement), UNSET);
            if paths.returned != UNREACHABLE {
                return false;
            }
        }
        false
    }

    /// Whether a statement calls a function that never returns.
    fn calls_in(&self, statement: &Statement<'a>) -> bool {
        match statement {
            Statement::ExpressionStatement(inner) => self.calls(&inner.expression),
            Statement::ReturnStatement(inner) => inner.argument.as_ref().is_some_and(|value| self.calls(value)),
            Statement::VariableDeclaration(inner) => {
                inner.declarations.iter().filter_map(|declarator| declarator.init.as_ref()).any(|init| self.calls(init))
            }
            _ => false,
        }
    }

    /// Whether an expression calls one in every evaluation.
    fn calls(&self, expression: &Expression<'a>) -> bool {
        let inner = || match expression.without_parentheses() {
            Expression::CallExpression(call) => {
                let object = call.callee.as_member_expression().map(|member| member.object());
                let arguments = call.arguments.iter().filter_map(Argument::as_expression);
                object.into_iter().chain(arguments).any(|inner| self.calls(inner)) || self.never_returns(&call.callee)
            }
            Expression::AssignmentExpression(inner) if !inner.operator.is_logical() => self.calls(&inner.right),
            Expression::UnaryExpression(inner) => self.calls(&inner.argument),
            _ => false,
        };
        self.tree.deeper(inner).unwrap_or(false)
    }

    fn never_returns(&self, callee: &Expression<'a>) -> bool {
        let Some(body) = self.tree.called_body(callee) else { return false };
        let known = self.bodies.borrow().get(&body.span).copied();
        if let Some(known) = known {
            return known;
        }
        self.bodies.borrow_mut().insert(body.span, false);
        let found = self.never_ends(&body.statements);
        self.bodies.borrow_mut().insert(body.span, found);
        found
    }
}
