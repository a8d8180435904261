//! Infers the kind of a value from the expression that computes it.

use oxc_ast::ast::{CallExpression, Expression, IdentifierReference};
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator, LogicalOperator, UnaryOperator};

use super::built_ins;
use super::tree::{Tree, ValueKind, Write};

const BOOLEAN: ValueKind = ValueKind::Primitive("a boolean");
const NUMBER: ValueKind = ValueKind::Primitive("a number");
const UNDEFINED: ValueKind = ValueKind::Primitive("undefined");

impl<'t, 'a: 't> Tree<'t, 'a> {
    pub fn kind(&self, expression: &Expression<'a>) -> ValueKind {
        self.deeper(|| self.kind_of(expression)).unwrap_or(ValueKind::Unknown)
    }

    fn kind_of(&self, expression: &Expression<'a>) -> ValueKind {
        match expression {
            Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => ValueKind::String,
            Expression::ObjectExpression(_) => ValueKind::Object("an object"),
            Expression::ArrayExpression(_) => ValueKind::Object("an array"),
            Expression::RegExpLiteral(_) => ValueKind::Object("a regular expression"),
            Expression::ClassExpression(_) => ValueKind::Object("a class"),
            Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_) => {
                ValueKind::Object("a function")
            }
            // A constructor always returns an object.
            Expression::NewExpression(_) => ValueKind::Object("an object"),
            Expression::NumericLiteral(_) | Expression::BigIntLiteral(_) | Expression::UpdateExpression(_) => NUMBER,
            Expression::BooleanLiteral(_) | Expression::PrivateInExpression(_) => BOOLEAN,
            Expression::NullLiteral(_) => ValueKind::Primitive("null"),
            Expression::Identifier(identifier) => self.kind_of_name(identifier),
            Expression::ParenthesizedExpression(inner) => self.kind(&inner.expression),
            Expression::SequenceExpression(inner) => {
                inner.expressions.last().map_or(ValueKind::Unknown, |last| self.kind(last))
            }
            Expression::AssignmentExpression(inner) if inner.operator == AssignmentOperator::Assign => {
                self.kind(&inner.right)
            }
            Expression::ConditionalExpression(inner) => join(self.kind(&inner.consequent), self.kind(&inner.alternate)),
            Expression::LogicalExpression(inner) => match (inner.operator, self.kind(&inner.left)) {
                // An object is truthy.
                (LogicalOperator::Or | LogicalOperator::Coalesce, left @ ValueKind::Object(_)) => left,
                (LogicalOperator::And, ValueKind::Object(_)) => self.kind(&inner.right),
                (_, left) => join(left, self.kind(&inner.right)),
            },
            Expression::UnaryExpression(inner) => match inner.operator {
                UnaryOperator::Typeof => ValueKind::String,
                UnaryOperator::Void => UNDEFINED,
                UnaryOperator::LogicalNot | UnaryOperator::Delete => BOOLEAN,
                UnaryOperator::UnaryPlus | UnaryOperator::UnaryNegation | UnaryOperator::BitwiseNot => NUMBER,
            },
            Expression::BinaryExpression(inner) => match inner.operator {
                BinaryOperator::Addition => sum(self.kind(&inner.left), self.kind(&inner.right)),
                operator if operator.is_equality() || operator.is_compare() || operator.is_relational() => BOOLEAN,
                _ => NUMBER,
            },
            Expression::CallExpression(call) => self.kind_of_call(call),
            _ => ValueKind::Unknown,
        }
    }

    fn kind_of_name(&self, identifier: &IdentifierReference<'a>) -> ValueKind {
        let Some(symbol) = self.symbol(identifier) else {
            return match identifier.name.as_str() {
                "undefined" => UNDEFINED,
                "NaN" | "Infinity" => NUMBER,
                _ => ValueKind::Unknown,
            };
        };
        if let Some(known) = self.kinds.borrow().get(&symbol) {
            return *known;
        }
        // Ends the recursion for variables that are assigned from each other.
        self.kinds.borrow_mut().insert(symbol, ValueKind::Unknown);
        let kind = self.writes(symbol).map_or(ValueKind::Unknown, |writes| self.kind_of_writes(&writes));
        self.kinds.borrow_mut().insert(symbol, kind);
        kind
    }

    /// The join of everything that is written to a variable, whatever the order.
    fn kind_of_writes(&self, writes: &[Write<'a, '_>]) -> ValueKind {
        let (mut set, mut appended): (Option<ValueKind>, Option<ValueKind>) = (None, None);
        for write in writes {
            let (known, kind) = match write {
                Write::Set(value) => (&mut set, self.kind(value)),
                Write::Append(value) => (&mut appended, self.kind(value)),
            };
            *known = Some(known.map_or(kind, |known| join(known, kind)));
        }
        match (set, appended) {
            // `+=` on a string gives a string.
            (Some(ValueKind::String), Some(_)) => ValueKind::String,
            (Some(set), None) => set,
            // Never set: it may still be read before the first `+=`, as `undefined`.
            _ => ValueKind::Unknown,
        }
    }

    fn kind_of_call(&self, call: &CallExpression<'a>) -> ValueKind {
        if let Expression::StaticMemberExpression(member) = call.callee.without_parentheses() {
            let on = self.global(&member.object).unwrap_or_default();
            return match (on, member.property.name.as_str()) {
                ("JSON", "stringify") => ValueKind::String,
                ("Object", "assign" | "create" | "freeze" | "fromEntries") => ValueKind::Object("an object"),
                ("Object", "keys" | "values" | "entries") | ("Array", "from" | "of") => ValueKind::Object("an array"),
                ("Math", _) | ("Date", "now") => NUMBER,
                ("", method) => self.kind_of_method(method, &member.object),
                _ => ValueKind::Unknown,
            };
        }
        match self.global(&call.callee) {
            Some("String" | "Date") => ValueKind::String,
            Some("Number" | "parseInt" | "parseFloat") => NUMBER,
            Some("Boolean" | "isNaN" | "isFinite") => BOOLEAN,
            Some("Array") => ValueKind::Object("an array"),
            _ => ValueKind::Unknown,
        }
    }

    fn kind_of_method(&self, method: &str, object: &Expression<'a>) -> ValueKind {
        let is_array = || matches!(object.without_parentheses(), Expression::ArrayExpression(_));
        match method {
            "join" if is_array() => ValueKind::String,
            method if built_ins::gives_string(method) && self.kind(object) == ValueKind::String => ValueKind::String,
            _ => ValueKind::Unknown,
        }
    }
}

/// The kind of a value that is one of two.
fn join(a: ValueKind, b: ValueKind) -> ValueKind {
    match (a, b) {
        _ if a == b => a,
        (ValueKind::Object(_), ValueKind::Object(_)) => ValueKind::Object("an object"),
        (a, b) if a.not_string().is_some() && b.not_string().is_some() => a,
        _ => ValueKind::Unknown,
    }
}

/// The kind of the result of `+`.
fn sum(a: ValueKind, b: ValueKind) -> ValueKind {
    match (a, b) {
        (ValueKind::String, _) | (_, ValueKind::String) => ValueKind::String,
        (ValueKind::Primitive(_), ValueKind::Primitive(_)) => NUMBER,
        _ => ValueKind::Unknown,
    }
}
