//! Finds the functions that compile a string: `Function`, and the constructor of any function.

use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, MemberExpression};

use super::built_in::is_built_in;
use super::members;
use super::tree::{Tree, Write};
use super::value_kind::ValueKind;

/// Variables that are set from each other are followed so far.
const MAX_STEPS: usize = 8;

/// Global objects that cannot be called, though their names look like those of constructors.
const NAMESPACES: [&str; 7] = ["Atomics", "Infinity", "Intl", "JSON", "Math", "NaN", "Reflect"];

/// Built-in names in lower case of other values than functions.
const NO_FUNCTIONS: [&str; 4] = ["__proto__", "arguments", "globalThis", "undefined"];

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
                    is_built_in(name) && !NAMESPACES.contains(&name) && !NO_FUNCTIONS.contains(&name)
                }
            },
            _ => value.as_member_expression().is_some_and(|member| self.is_function_member(member)),
        }
    }

    /// Whether a member is a function: a constructor, which each object has, or a function of ECMAScript.
    fn is_function_member(&self, member: &MemberExpression<'a>) -> bool {
        let (object, Some(name)) = (member.object(), member.static_property_name()) else { return false };
        if name == "constructor" {
            return true;
        }
        if name == "prototype" {
            return self.is_global(object, "Function");
        }
        let is_prototype = |object: &Expression<'a>| {
            let outer = object.without_parentheses().as_member_expression();
            outer.is_some_and(|outer| {
                outer.static_property_name() == Some("prototype") && self.is_built_in_object(outer.object())
            })
        };
        let is_data = matches!(name, "description" | "flags" | "length" | "message" | "name" | "size" | "source");
        let is_method = name.starts_with(|letter: char| letter.is_ascii_lowercase())
            && !is_data
            && !self.is_global(object, "Symbol");
        let is_of_built_in = || self.is_built_in_object(object) || is_prototype(object);
        let is_of_string = || self.kind(object) == ValueKind::String && members::is_built_in(name);
        is_method && (is_of_built_in() || is_of_string())
    }

    /// `JSON`, `Math`, `Object` and the like.
    fn is_built_in_object(&self, value: &Expression<'a>) -> bool {
        let is_object = |name: &str| name.starts_with(|letter: char| letter.is_ascii_uppercase()) && is_built_in(name);
        self.global(value).is_some_and(is_object)
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
