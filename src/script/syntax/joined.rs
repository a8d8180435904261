//! Which values become a part of a text as they are, so that a quotation mark in them ends a JSON
//! string (WF904).

use std::ops::Range;

use oxc_ast::ast::{Argument, CallExpression, Expression};
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator};

use super::tree::{Tree, Write, range};

/// Names that are kept of one value.
const MOST: usize = 16;

/// The names that the script does not declare whose values are in a text as they are.
#[derive(Debug, Clone, Default)]
pub(super) struct Raw {
    /// Each once, where it is first.
    pub names: Vec<(String, Range<usize>)>,
    /// Whether they are joined with other text.
    pub is_joined: bool,
}

impl Raw {
    fn add(mut self, other: Self) -> Self {
        self.is_joined |= other.is_joined;
        for (name, range) in other.names {
            if self.names.len() < MOST && !self.names.iter().any(|(known, _)| *known == name) {
                self.names.push((name, range));
            }
        }
        self
    }

    fn joined(mut self) -> Self {
        self.is_joined = !self.names.is_empty();
        self
    }
}

impl<'a> Tree<'_, 'a> {
    /// What is in the text that an expression gives, as it is.
    pub fn raw(&self, expression: &Expression<'a>) -> Raw {
        match expression {
            Expression::Identifier(identifier) => match self.symbol(identifier) {
                Some(symbol) => self.raw_of_variable(symbol),
                None => Raw { names: vec![(identifier.name.to_string(), range(identifier.span))], ..Raw::default() },
            },
            Expression::BinaryExpression(inner) if inner.operator == BinaryOperator::Addition => {
                self.raw(&inner.left).add(self.raw(&inner.right)).joined()
            }
            Expression::TemplateLiteral(inner) => {
                let raw = inner.expressions.iter().fold(Raw::default(), |raw, part| raw.add(self.raw(part)));
                let has_text = inner.quasis.iter().any(|text| !text.value.raw.is_empty());
                if has_text || inner.expressions.len() > 1 { raw.joined() } else { raw }
            }
            Expression::ParenthesizedExpression(inner) => self.raw(&inner.expression),
            Expression::SequenceExpression(inner) => {
                inner.expressions.last().map_or_else(Raw::default, |last| self.raw(last))
            }
            Expression::ConditionalExpression(inner) => self.raw(&inner.consequent).add(self.raw(&inner.alternate)),
            Expression::LogicalExpression(inner) => self.raw(&inner.left).add(self.raw(&inner.right)),
            Expression::AssignmentExpression(inner) if inner.operator == AssignmentOperator::Assign => {
                self.raw(&inner.right)
            }
            Expression::CallExpression(call) => self.raw_of_call(call),
            _ => Raw::default(),
        }
    }

    fn raw_of_variable(&self, symbol: oxc_semantic::SymbolId) -> Raw {
        if let Some(known) = self.raw.borrow().get(&symbol) {
            return known.clone();
        }
        self.raw.borrow_mut().insert(symbol, Raw::default());
        let writes = self.writes(symbol).unwrap_or_default();
        let raw = writes.into_iter().fold(Raw::default(), |raw, write| match write {
            Write::Set(value) => raw.add(self.raw(value)),
            Write::Append(value) => raw.add(self.raw(value).joined()),
        });
        self.raw.borrow_mut().insert(symbol, raw.clone());
        raw
    }

    fn raw_of_call(&self, call: &CallExpression<'a>) -> Raw {
        let argument = |index: usize| call.arguments.get(index).and_then(Argument::as_expression);
        if self.is_global(&call.callee, "String") {
            return argument(0).map_or_else(Raw::default, |value| self.raw(value));
        }
        let Expression::StaticMemberExpression(member) = call.callee.without_parentheses() else {
            return Raw::default();
        };
        let arguments = || {
            let given = call.arguments.iter().filter_map(Argument::as_expression);
            given.fold(Raw::default(), |raw, value| raw.add(self.raw(value)))
        };
        match member.property.name.as_str() {
            // What keeps a quotation mark where it is.
            "trim" | "trimStart" | "trimEnd" | "toString" | "valueOf" | "toUpperCase" | "toLowerCase" | "normalize"
            | "substring" | "substr" | "slice" | "padStart" | "padEnd" | "repeat" => self.raw(&member.object),
            "concat" => self.raw(&member.object).add(arguments()).joined(),
            "join" => match member.object.without_parentheses() {
                Expression::ArrayExpression(list) => {
                    let parts = list.elements.iter().filter_map(|element| element.as_expression());
                    parts.fold(Raw::default(), |raw, part| raw.add(self.raw(part))).joined()
                }
                _ => Raw::default(),
            },
            // Replacing in a value may be what escapes it; a value that is put in is not.
            "replace" | "replaceAll" => {
                let object = self.raw(&member.object);
                let put_in = argument(1).map_or_else(Raw::default, |value| self.raw(value)).joined();
                if object.is_joined { object.add(put_in) } else { put_in }
            }
            _ => Raw::default(),
        }
    }
}
