//! Which globals become a part of a string without being escaped, so that a quotation mark in a value
//! ends a string of the JSON around it (WF904).

use oxc_ast::ast::{Argument, CallExpression, Expression};
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator};

use super::interpolated::{InterpolatedName, Interpolation};
use super::tree::{Tree, Write, range};

impl<'a> Tree<'_, 'a> {
    /// What is interpolated in the string that an expression computes.
    pub fn interpolation(&self, expression: &Expression<'a>) -> Interpolation {
        match expression {
            Expression::Identifier(identifier) => match self.symbol(identifier) {
                Some(symbol) => self.interpolation_of_variable(symbol),
                None => {
                    let (name, range) = (identifier.name.to_string(), range(identifier.span));
                    Interpolation { names: vec![InterpolatedName { name, range }], is_concatenated: false }
                }
            },
            Expression::BinaryExpression(inner) if inner.operator == BinaryOperator::Addition => {
                self.interpolation(&inner.left).union(self.interpolation(&inner.right)).concatenated()
            }
            Expression::TemplateLiteral(inner) => {
                let found = inner
                    .expressions
                    .iter()
                    .fold(Interpolation::default(), |found, part| found.union(self.interpolation(part)));
                let has_text = inner.quasis.iter().any(|text| !text.value.raw.is_empty());
                if has_text || inner.expressions.len() > 1 { found.concatenated() } else { found }
            }
            Expression::ParenthesizedExpression(inner) => self.interpolation(&inner.expression),
            Expression::SequenceExpression(inner) => {
                inner.expressions.last().map_or_else(Interpolation::default, |last| self.interpolation(last))
            }
            Expression::ConditionalExpression(inner) => {
                self.interpolation(&inner.consequent).union(self.interpolation(&inner.alternate))
            }
            Expression::LogicalExpression(inner) => {
                self.interpolation(&inner.left).union(self.interpolation(&inner.right))
            }
            Expression::AssignmentExpression(inner) if inner.operator == AssignmentOperator::Assign => {
                self.interpolation(&inner.right)
            }
            Expression::CallExpression(call) => self.interpolation_of_call(call),
            _ => Interpolation::default(),
        }
    }

    fn interpolation_of_variable(&self, symbol: oxc_semantic::SymbolId) -> Interpolation {
        if let Some(known) = self.interpolations.borrow().get(&symbol) {
            return known.clone();
        }
        // Ends the recursion for variables that are assigned from each other.
        self.interpolations.borrow_mut().insert(symbol, Interpolation::default());
        let writes = self.writes(symbol).unwrap_or_default();
        let found = writes.into_iter().fold(Interpolation::default(), |found, write| match write {
            Write::Set(value) => found.union(self.interpolation(value)),
            Write::Append(value) => found.union(self.interpolation(value).concatenated()),
        });
        self.interpolations.borrow_mut().insert(symbol, found.clone());
        found
    }

    fn interpolation_of_call(&self, call: &CallExpression<'a>) -> Interpolation {
        let argument = |index: usize| call.arguments.get(index).and_then(Argument::as_expression);
        if self.is_global(&call.callee, "String") {
            return argument(0).map_or_else(Interpolation::default, |value| self.interpolation(value));
        }
        let Expression::StaticMemberExpression(member) = call.callee.without_parentheses() else {
            return Interpolation::default();
        };
        let arguments = || {
            let values = call.arguments.iter().filter_map(Argument::as_expression);
            values.fold(Interpolation::default(), |found, value| found.union(self.interpolation(value)))
        };
        match member.property.name.as_str() {
            // These keep a quotation mark, or may keep it.
            "trim" | "trimStart" | "trimEnd" | "toString" | "valueOf" | "toUpperCase" | "toLowerCase" | "normalize"
            | "substring" | "substr" | "slice" | "padStart" | "padEnd" | "repeat" => self.interpolation(&member.object),
            "concat" => self.interpolation(&member.object).union(arguments()).concatenated(),
            "join" => match member.object.without_parentheses() {
                Expression::ArrayExpression(list) => {
                    let parts = list.elements.iter().filter_map(|element| element.as_expression());
                    parts
                        .fold(Interpolation::default(), |found, part| found.union(self.interpolation(part)))
                        .concatenated()
                }
                _ => Interpolation::default(),
            },
            // A replacement in a value may be what escapes it; the replacement itself is not escaped.
            "replace" | "replaceAll" => {
                let object = self.interpolation(&member.object);
                let replacement =
                    argument(1).map_or_else(Interpolation::default, |value| self.interpolation(value)).concatenated();
                if object.is_concatenated { object.union(replacement) } else { replacement }
            }
            _ => Interpolation::default(),
        }
    }
}
