//! Where the values of a script come from, as far as its expressions show.

use oxc_ast::ast::{
    Argument, ArrayExpressionElement, ChainElement, Expression, IdentifierReference, ObjectPropertyKind,
};

use super::built_ins;
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

    /// The regular expression that a value is, or that of a variable that holds one.
    pub fn pattern(&self, expression: &Expression<'a>) -> Option<String> {
        let value = match expression.without_parentheses() {
            Expression::Identifier(name) => self.only_value(name)?.without_parentheses(),
            other => other,
        };
        let (callee, arguments) = match value {
            Expression::RegExpLiteral(literal) => return Some(literal.regex.pattern.text.to_string()),
            Expression::NewExpression(new) => (&new.callee, &new.arguments),
            Expression::CallExpression(call) => (&call.callee, &call.arguments),
            _ => return None,
        };
        self.pattern_of_call(callee, arguments.first())
    }

    /// That of a call of `RegExp` with a constant.
    pub fn pattern_of_call(&self, callee: &Expression<'a>, first: Option<&Argument<'a>>) -> Option<String> {
        let first = first.and_then(Argument::as_expression).filter(|_| self.tree.is_global(callee, "RegExp"))?;
        match self.constant(first)? {
            Constant::Text(text) => Some(text),
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
                if built_ins::is_built_in_member(name) {
                    self.input(&member.object, depth)
                } else {
                    Input::Key(name.to_owned())
                }
            }
            Expression::ComputedMemberExpression(member) => match member.static_property_name() {
                Some(name) => Input::Key(name.to_string()),
                None => Input::Unknown,
            },
            Expression::CallExpression(call) => match call.callee.without_parentheses() {
                Expression::StaticMemberExpression(member)
                    if built_ins::is_built_in_member(member.property.name.as_str()) =>
                {
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
                        Some(name) if !built_ins::is_built_in_member(name) => Input::Key(name.to_owned()),
                        _ => self.input(member.object(), depth),
                    },
                    None => Input::Unknown,
                },
            },
            _ => Input::Unknown,
        }
    }

    /// The keys of a table: those of an object literal, the strings of an array literal, of pairs the first ones; also of
    /// a variable that holds one, and of what is called with one (`new Map`, `Object.freeze`, `Object.entries`).
    pub fn keys(&self, table: &Expression<'a>, depth: usize) -> Vec<String> {
        let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
        let of_first = |arguments: &[Argument<'a>]| {
            let first = arguments.first().and_then(Argument::as_expression);
            first.map_or_else(Vec::new, |first| self.keys(first, depth))
        };
        match table.without_parentheses() {
            Expression::ObjectExpression(object) => {
                let properties = object.properties.iter().filter_map(|property| match property {
                    ObjectPropertyKind::ObjectProperty(property) => property.key.static_name(),
                    ObjectPropertyKind::SpreadProperty(_) => None,
                });
                properties.map(std::borrow::Cow::into_owned).collect()
            }
            Expression::ArrayExpression(array) => {
                let elements = array.elements.iter().filter_map(ArrayExpressionElement::as_expression);
                elements.filter_map(key_of_entry).map(Constant::into_text).collect()
            }
            Expression::Identifier(name) => {
                self.only_value(name).map_or_else(Vec::new, |value| self.keys(value, depth))
            }
            Expression::NewExpression(new) => of_first(&new.arguments),
            Expression::CallExpression(call) => of_first(&call.arguments),
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

/// A constant of a script.
pub(super) enum Constant {
    Text(String),
    Number(f64),
}

impl Constant {
    pub fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string(),
        }
    }
}

/// The constant that is an element of a list, or the first one of a pair.
fn key_of_entry(element: &Expression<'_>) -> Option<Constant> {
    match element.without_parentheses() {
        Expression::ArrayExpression(pair) => {
            constant(pair.elements.first().and_then(ArrayExpressionElement::as_expression)?)
        }
        other => constant(other),
    }
}

/// Digits, which are so many that they have a length.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked: whole and small")]
pub(super) fn text_of_length(length: f64) -> Option<String> {
    const MAX_LENGTH: f64 = 64.0;
    let is_length = length.fract() == 0.0 && (0.0..=MAX_LENGTH).contains(&length);
    is_length.then(|| "1234567890".chars().cycle().take(length as usize).collect())
}

/// The constant that a literal is.
pub(super) fn constant(expression: &Expression<'_>) -> Option<Constant> {
    match expression.without_parentheses() {
        Expression::StringLiteral(literal) => Some(Constant::Text(literal.value.to_string())),
        Expression::TemplateLiteral(template) => template.single_quasi().map(|text| Constant::Text(text.to_string())),
        Expression::NumericLiteral(literal) => Some(Constant::Number(literal.value)),
        Expression::BooleanLiteral(literal) => Some(Constant::Text(literal.value.to_string())),
        _ => None,
    }
}
