//! Where the values of a script come from, as far as its expressions show.

use oxc_ast::ast::{
    Argument, ArrayExpressionElement, ChainElement, Expression, IdentifierReference, ObjectPropertyKind,
};

use super::constant::{Constant, constant, key_of_entry};
use super::members;
use super::pattern_sample::{PatternSample, of_literal, of_text};
use super::tree::{Tree, Write};

/// What a script compares.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Input {
    /// A global variable.
    Global(String),
    /// The value of a key, or of a variable that may stand for one.
    Key(String),
    Unknown,
}

/// A value is followed through this many expressions.
pub(super) const MAX_DEPTH: usize = 8;

/// Follows the values of a script.
pub(super) struct Values<'c, 't, 'a> {
    pub tree: &'c Tree<'t, 'a>,
}

impl<'t, 'a: 't> Values<'_, 't, 'a> {
    /// A constant, also by the name of a variable or of a member of an object that holds it.
    pub fn constant(&self, expression: &Expression<'a>) -> Option<Constant> {
        match expression.without_parentheses() {
            Expression::Identifier(name) => constant(self.only_value(name)?),
            Expression::StaticMemberExpression(member) => {
                let Expression::Identifier(object) = member.object.without_parentheses() else { return None };
                let Expression::ObjectExpression(object) = self.only_value(object)?.without_parentheses() else {
                    return None;
                };
                object.properties.iter().find_map(|property| match property {
                    ObjectPropertyKind::ObjectProperty(property) => {
                        let is_meant = property.key.static_name().is_some_and(|name| name == member.property.name);
                        constant(&property.value).filter(|_| is_meant)
                    }
                    ObjectPropertyKind::SpreadProperty(_) => None,
                })
            }
            other => constant(other),
        }
    }

    /// A string that a regular expression matches, or that of a variable that holds one.
    pub fn pattern(&self, expression: &Expression<'a>) -> Option<PatternSample> {
        match expression.without_parentheses() {
            Expression::Identifier(name) => self.pattern_of_value(self.only_value(name)?),
            other => self.pattern_of_value(other),
        }
    }

    fn pattern_of_value(&self, value: &Expression<'a>) -> Option<PatternSample> {
        let (callee, arguments) = match value.without_parentheses() {
            Expression::RegExpLiteral(literal) => return of_literal(literal),
            Expression::NewExpression(new) => (&new.callee, &new.arguments),
            Expression::CallExpression(call) => (&call.callee, &call.arguments),
            _ => return None,
        };
        let first = arguments.first().and_then(Argument::as_expression)?;
        self.pattern_of_text(first).filter(|_| self.tree.is_global(callee, "RegExp"))
    }

    /// That of a constant that `RegExp` is called with.
    pub fn pattern_of_text(&self, first: &Expression<'a>) -> Option<PatternSample> {
        match self.constant(first)? {
            Constant::Text(text) => of_text(&text),
            Constant::Number(_) => None,
        }
    }

    /// What an expression is computed from.
    pub fn input(&self, expression: &Expression<'a>, depth: usize) -> Input {
        let Some(depth) = depth.checked_sub(1) else { return Input::Unknown };
        match expression.without_parentheses() {
            Expression::Identifier(name) => match self.tree.symbol(name) {
                None => Input::Global(name.name.to_string()),
                Some(symbol) => match self.tree.writes(symbol).as_deref() {
                    Some([Write::Set(value), ..]) => self.input(value, depth),
                    _ => Input::Key(name.name.to_string()),
                },
            },
            Expression::StaticMemberExpression(member) => {
                let name = member.property.name.as_str();
                if members::is_built_in(name) { self.input(&member.object, depth) } else { Input::Key(name.to_owned()) }
            }
            Expression::ComputedMemberExpression(member) => match member.static_property_name() {
                Some(name) => Input::Key(name.to_string()),
                None => Input::Unknown,
            },
            Expression::CallExpression(call) => match call.callee.without_parentheses() {
                Expression::StaticMemberExpression(member) if members::is_built_in(member.property.name.as_str()) => {
                    self.input(&member.object, depth)
                }
                _ => match call.arguments.first().and_then(Argument::as_expression) {
                    Some(first) => self.input(first, depth),
                    None => Input::Unknown,
                },
            },
            Expression::UnaryExpression(unary) => self.input(&unary.argument, depth),
            Expression::LogicalExpression(logical) => self.input(&logical.left, depth),
            Expression::ChainExpression(chain) => match &chain.expression {
                ChainElement::CallExpression(call) => match call.callee.as_member_expression() {
                    Some(member) => self.input(member.object(), depth),
                    None => Input::Unknown,
                },
                element => match element.as_member_expression() {
                    Some(member) => match member.static_property_name() {
                        Some(name) if !members::is_built_in(name) => Input::Key(name.to_owned()),
                        _ => self.input(member.object(), depth),
                    },
                    None => Input::Unknown,
                },
            },
            _ => Input::Unknown,
        }
    }

    /// The strings of an array literal, or of a variable that holds one; of pairs, as a map is made of, the keys.
    pub fn elements(&self, list: &Expression<'a>, depth: usize) -> Vec<String> {
        let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
        match list.without_parentheses() {
            Expression::ArrayExpression(array) => {
                let elements = array.elements.iter().filter_map(ArrayExpressionElement::as_expression);
                elements.filter_map(key_of_entry).map(Constant::into_text).collect()
            }
            Expression::Identifier(name) => {
                let value = self.only_value(name);
                value.map_or_else(Vec::new, |value| self.elements(value, depth))
            }
            Expression::NewExpression(new) => {
                let first = new.arguments.first().and_then(Argument::as_expression);
                first.map_or_else(Vec::new, |first| self.elements(first, depth))
            }
            // `Object.keys`
            Expression::CallExpression(call) if call.callee_name() == Some("keys") => {
                let first = call.arguments.first().and_then(Argument::as_expression);
                first.map_or_else(Vec::new, |first| self.object_keys(first, depth))
            }
            _ => Vec::new(),
        }
    }

    /// The keys of an object literal, or of a variable that holds one.
    pub fn object_keys(&self, object: &Expression<'a>, depth: usize) -> Vec<String> {
        let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
        match object.without_parentheses() {
            Expression::ObjectExpression(object) => {
                let properties = object.properties.iter().filter_map(|property| match property {
                    ObjectPropertyKind::ObjectProperty(property) => property.key.static_name(),
                    ObjectPropertyKind::SpreadProperty(_) => None,
                });
                properties.map(std::borrow::Cow::into_owned).collect()
            }
            Expression::Identifier(name) => {
                let value = self.only_value(name);
                value.map_or_else(Vec::new, |value| self.object_keys(value, depth))
            }
            _ => Vec::new(),
        }
    }

    /// The value that a variable is declared with, if nothing else is assigned to it.
    pub fn only_value(&self, name: &IdentifierReference<'a>) -> Option<&'t Expression<'a>> {
        match *self.tree.writes(self.tree.symbol(name)?)? {
            [Write::Set(value)] => Some(value),
            _ => None,
        }
    }
}
