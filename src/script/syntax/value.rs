//! What is known of an expression's value.

use oxc_ast::ast::{CallExpression, Expression, IdentifierReference};
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator, LogicalOperator, UnaryOperator};

use super::Kind;
use super::tree::{Tree, Write};

const BOOLEAN: Kind = Kind::Primitive("true or false");
const NUMBER: Kind = Kind::Primitive("a number");
const UNDEFINED: Kind = Kind::Primitive("undefined");

impl<'a> Tree<'_, 'a> {
    /// What is known of an expression's value.
    pub fn kind(&self, expression: &Expression<'a>) -> Kind {
        match expression {
            Expression::StringLiteral(_) | Expression::TemplateLiteral(_) => Kind::Text,
            Expression::ObjectExpression(_) => Kind::Object("an object"),
            Expression::ArrayExpression(_) => Kind::Object("a list"),
            Expression::RegExpLiteral(_) => Kind::Object("a regular expression"),
            Expression::ClassExpression(_) => Kind::Object("a class"),
            Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_) => Kind::Object("a function"),
            // A constructor can return nothing but an object.
            Expression::NewExpression(_) => Kind::Object("an object"),
            Expression::NumericLiteral(_) | Expression::BigIntLiteral(_) | Expression::UpdateExpression(_) => NUMBER,
            Expression::BooleanLiteral(_) | Expression::PrivateInExpression(_) => BOOLEAN,
            Expression::NullLiteral(_) => Kind::Primitive("null"),
            Expression::Identifier(identifier) => self.kind_of_name(identifier),
            Expression::ParenthesizedExpression(inner) => self.kind(&inner.expression),
            Expression::SequenceExpression(inner) => {
                inner.expressions.last().map_or(Kind::Unknown, |last| self.kind(last))
            }
            Expression::AssignmentExpression(inner) if inner.operator == AssignmentOperator::Assign => {
                self.kind(&inner.right)
            }
            Expression::ConditionalExpression(inner) => join(self.kind(&inner.consequent), self.kind(&inner.alternate)),
            Expression::LogicalExpression(inner) => match (inner.operator, self.kind(&inner.left)) {
                // An object is always true.
                (LogicalOperator::Or | LogicalOperator::Coalesce, left @ Kind::Object(_)) => left,
                (LogicalOperator::And, Kind::Object(_)) => self.kind(&inner.right),
                (_, left) => join(left, self.kind(&inner.right)),
            },
            Expression::UnaryExpression(inner) => match inner.operator {
                UnaryOperator::Typeof => Kind::Text,
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
            _ => Kind::Unknown,
        }
    }

    fn kind_of_name(&self, identifier: &IdentifierReference<'a>) -> Kind {
        let Some(symbol) = self.symbol(identifier) else {
            return match identifier.name.as_str() {
                "undefined" => UNDEFINED,
                "NaN" | "Infinity" => NUMBER,
                _ => Kind::Unknown,
            };
        };
        if let Some(known) = self.kinds.borrow().get(&symbol) {
            return *known;
        }
        self.kinds.borrow_mut().insert(symbol, Kind::Unknown);
        let kind = self.writes(symbol).map_or(Kind::Unknown, |writes| self.kind_of_writes(&writes));
        self.kinds.borrow_mut().insert(symbol, kind);
        kind
    }

    /// What is known of a variable by all that is written to it.
    fn kind_of_writes(&self, writes: &[Write<'a, '_>]) -> Kind {
        let (mut set, mut appended): (Option<Kind>, Option<Kind>) = (None, None);
        for write in writes {
            let (known, kind) = match write {
                Write::Set(value) => (&mut set, self.kind(value)),
                Write::Append(value) => (&mut appended, self.kind(value)),
            };
            *known = Some(known.map_or(kind, |known| join(known, kind)));
        }
        match (set, appended) {
            // What is put behind a text is a part of a text.
            (Some(Kind::Text), Some(_)) => Kind::Text,
            (Some(set), None) => set,
            // Not set: `undefined`, unless it is a slip of ours.
            _ => Kind::Unknown,
        }
    }

    fn kind_of_call(&self, call: &CallExpression<'a>) -> Kind {
        if let Expression::StaticMemberExpression(member) = call.callee.without_parentheses() {
            let on = self.global(&member.object).unwrap_or_default();
            return match (on, member.property.name.as_str()) {
                ("JSON", "stringify") => Kind::Text,
                ("Object", "assign" | "create" | "freeze" | "fromEntries") => Kind::Object("an object"),
                ("Object", "keys" | "values" | "entries") | ("Array", "from" | "of") => Kind::Object("a list"),
                ("Math", _) | ("Date", "now") => NUMBER,
                ("", method) => self.kind_of_method(method, &member.object),
                _ => Kind::Unknown,
            };
        }
        match self.global(&call.callee) {
            Some("String" | "Date") => Kind::Text,
            Some("Number" | "parseInt" | "parseFloat") => NUMBER,
            Some("Boolean" | "isNaN" | "isFinite") => BOOLEAN,
            Some("Array") => Kind::Object("a list"),
            _ => Kind::Unknown,
        }
    }
}

/// Methods of texts that give a text (ECMA-262, Properties of the String Prototype Object).
const TEXT_METHODS: [&str; 19] = [
    "charAt",
    "concat",
    "normalize",
    "padEnd",
    "padStart",
    "repeat",
    "replace",
    "replaceAll",
    "slice",
    "substr",
    "substring",
    "toLowerCase",
    "toString",
    "toUpperCase",
    "trim",
    "trimEnd",
    "trimStart",
    "valueOf",
    "toWellFormed",
];

impl<'a> Tree<'_, 'a> {
    fn kind_of_method(&self, method: &str, object: &Expression<'a>) -> Kind {
        let is_list = || matches!(object.without_parentheses(), Expression::ArrayExpression(_));
        match method {
            "join" if is_list() => Kind::Text,
            method if TEXT_METHODS.contains(&method) && self.kind(object) == Kind::Text => Kind::Text,
            _ => Kind::Unknown,
        }
    }
}

/// What is known of a value that is one of two.
fn join(a: Kind, b: Kind) -> Kind {
    match (a, b) {
        _ if a == b => a,
        (Kind::Object(_), Kind::Object(_)) => Kind::Object("an object"),
        (a, b) if a.not_text().is_some() && b.not_text().is_some() => a,
        _ => Kind::Unknown,
    }
}

/// What `+` gives.
fn sum(a: Kind, b: Kind) -> Kind {
    match (a, b) {
        (Kind::Text, _) | (_, Kind::Text) => Kind::Text,
        (Kind::Primitive(_), Kind::Primitive(_)) => NUMBER,
        _ => Kind::Unknown,
    }
}
