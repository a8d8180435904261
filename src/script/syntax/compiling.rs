//! Finds the functions that compile a string: `Function`, and the constructor of any function.

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;

use super::built_in::is_built_in;
use super::tree::{Tree, Write};

/// Variables that are set from each other are followed so far.
const MAX_STEPS: usize = 8;

/// Global objects that cannot be called, though their names look like those of constructors.
const NAMESPACES: [&str; 7] = ["Atomics", "Infinity", "Intl", "JSON", "Math", "NaN", "Reflect"];

impl<'t, 'a: 't> Tree<'t, 'a> {
    /// Whether a call of this value compiles a string.
    pub fn compiles(&self, value: &Expression<'a>) -> bool {
        self.compiles_within(value, MAX_STEPS)
    }

    fn compiles_within(&self, value: &Expression<'a>, steps: usize) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let value = value.without_parentheses();
        match value.as_member_expression() {
            Some(member) => match member.static_property_name() {
                Some("constructor") => self.is_function_within(member.object(), steps),
                Some("Function") => self.is_global_object(member.object()),
                _ => false,
            },
            None => {
                let is_taken = |name: &_| self.taken_global(name) == Some("Function");
                self.is_global(value, "Function")
                    || matches!(value, Expression::Identifier(name) if is_taken(name))
                    || self.only_value(value).is_some_and(|value| self.compiles_within(value, steps))
            }
        }
    }

    /// Whether a value is a function, so that its constructor compiles a string.
    pub fn is_function(&self, value: &Expression<'a>) -> bool {
        self.is_function_within(value, MAX_STEPS)
    }

    fn is_function_within(&self, value: &Expression<'a>, steps: usize) -> bool {
        let Some(steps) = steps.checked_sub(1) else { return false };
        let value = value.without_parentheses();
        match value {
            Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_)
            | Expression::ClassExpression(_) => true,
            // The prototype of an asynchronous function is that of its constructor.
            Expression::CallExpression(call) => {
                let callee = call.callee.without_parentheses().as_member_expression();
                let is_prototype = callee.is_some_and(|member| {
                    let is_of = |object| self.is_global(member.object(), object);
                    member.static_property_name() == Some("getPrototypeOf") && (is_of("Object") || is_of("Reflect"))
                });
                let argument = call.arguments.first().and_then(|argument| argument.as_expression());
                is_prototype && argument.is_some_and(|argument| self.is_function_within(argument, steps))
            }
            Expression::Identifier(name) => match self.symbol(name) {
                Some(symbol) => {
                    let declaration = self.semantic.nodes().kind(self.scoping().symbol_declaration(symbol));
                    matches!(declaration, AstKind::Function(_) | AstKind::Class(_))
                        || self.only_value(value).is_some_and(|value| self.is_function_within(value, steps))
                }
                None => {
                    let name = name.name.as_str();
                    let is_constructor = name.starts_with(|letter: char| letter.is_ascii_uppercase());
                    is_constructor && is_built_in(name) && !NAMESPACES.contains(&name)
                }
            },
            // Whatever the object is, its constructor is a function.
            _ => {
                let member = value.as_member_expression();
                member.is_some_and(|member| member.static_property_name() == Some("constructor"))
            }
        }
    }

    /// The value of a variable that is written once.
    fn only_value(&self, value: &Expression<'a>) -> Option<&'t Expression<'a>> {
        let Expression::Identifier(name) = value else { return None };
        match *self.writes(self.symbol(name)?)? {
            [Write::Set(value)] => Some(value),
            _ => None,
        }
    }
}
