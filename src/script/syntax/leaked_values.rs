//! What of the values of globals gets into what a script computes: a comparison, a test and a key of a lookup do not pass
//! a value on, and a conversion passes a number.

use oxc_ast::AstKind;
use oxc_ast::ast::{BindingPatternKind, CallExpression, Expression};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};

use super::tree::Tree;
use crate::common::collections::HashMap;

/// How much of a value a script passes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Leaked {
    /// At most a decision that depends on it.
    Nothing,
    /// At most a number.
    Number,
    Value,
}

/// Variables that are set from each other are followed so far.
const MAX_VARIABLES: usize = 4;

/// Uses that are looked at for one script, and steps from each. What has more counts as passed on.
const MAX_USES: usize = 10_000;
const MAX_STEPS: usize = 100;

/// The globals of a script of which less than the value is passed on. `members`: those that are read as properties of
/// the global object.
pub(super) fn collect(tree: &Tree<'_, '_>, members: &[String]) -> Box<[(Box<str>, Leaked)]> {
    let mut found: HashMap<&str, Leaked> = HashMap::default();
    let mut follower = Follower { tree, uses: 0 };
    for node in tree.semantic.nodes().iter() {
        if let AstKind::IdentifierReference(name) = node.kind()
            && tree.symbol(name).is_none()
            && tree.reference(name).is_some_and(|reference| reference.is_read())
        {
            let known = found.entry(name.name.as_str()).or_insert(Leaked::Nothing);
            if *known != Leaked::Value {
                *known = follower.use_at(node.id(), MAX_VARIABLES).max(*known);
            }
        }
    }
    let is_member = |name: &str| members.iter().any(|member| member == name);
    let less = found.into_iter().filter(|(name, passed)| *passed != Leaked::Value && !is_member(name));
    let mut less: Vec<(Box<str>, Leaked)> = less.map(|(name, passed)| (name.into(), passed)).collect();
    less.sort_unstable();
    less.into()
}

struct Follower<'c, 't, 'a> {
    tree: &'c Tree<'t, 'a>,
    uses: usize,
}

/// The use of a value in the expression around it.
enum Next {
    /// It is a part of that expression's value.
    Around,
    /// A number that is made of it is.
    Number,
    Ends(Leaked),
}

impl<'t, 'a: 't> Follower<'_, 't, 'a> {
    /// What the use of a value at a node passes on.
    fn use_at(&mut self, node: NodeId, variables: usize) -> Leaked {
        self.uses += 1;
        if self.uses > MAX_USES {
            return Leaked::Value;
        }
        let nodes = self.tree.semantic.nodes();
        let mut own = nodes.kind(node).span();
        let mut leaked = Leaked::Value;
        for kind in nodes.ancestor_kinds(node).take(MAX_STEPS) {
            match self.next(kind, own, variables) {
                Next::Around => {}
                Next::Number => leaked = Leaked::Number,
                Next::Ends(end) => return end.min(leaked),
            }
            own = kind.span();
        }
        leaked
    }

    fn next(&mut self, around: AstKind<'a>, own: Span, variables: usize) -> Next {
        let tested_or = |test: Span, other: Next| if test == own { Next::Ends(Leaked::Nothing) } else { other };
        match around {
            AstKind::ParenthesizedExpression(_) | AstKind::Argument(_) | AstKind::ChainExpression(_) => Next::Around,
            AstKind::StaticMemberExpression(member) => match member.property.name.as_str() {
                "length" => Next::Ends(Leaked::Nothing),
                _ => Next::Around,
            },
            AstKind::ComputedMemberExpression(member) => tested_or(member.expression.span(), Next::Around),
            AstKind::CallExpression(call) => called(self.tree, call, own),
            AstKind::UnaryExpression(unary) => match unary.operator {
                UnaryOperator::UnaryPlus | UnaryOperator::UnaryNegation | UnaryOperator::BitwiseNot => Next::Number,
                _ => Next::Ends(Leaked::Nothing),
            },
            AstKind::BinaryExpression(binary) => match binary.operator {
                BinaryOperator::Addition => Next::Around,
                operator if operator.is_equality() || operator.is_compare() || operator.is_relational() => {
                    Next::Ends(Leaked::Nothing)
                }
                _ => Next::Number,
            },
            AstKind::ConditionalExpression(either) => tested_or(either.test.span(), Next::Around),
            AstKind::LogicalExpression(logical) if logical.operator == LogicalOperator::And => {
                tested_or(logical.left.span(), Next::Around)
            }
            AstKind::LogicalExpression(_) => Next::Around,
            AstKind::SequenceExpression(sequence) => match sequence.expressions.last() {
                Some(last) if last.span() == own => Next::Around,
                _ => Next::Ends(Leaked::Nothing),
            },
            AstKind::IfStatement(_)
            | AstKind::WhileStatement(_)
            | AstKind::DoWhileStatement(_)
            | AstKind::ForStatement(_)
            | AstKind::SwitchStatement(_)
            | AstKind::SwitchCase(_)
            | AstKind::ExpressionStatement(_) => Next::Ends(Leaked::Nothing),
            AstKind::VariableDeclarator(declarator) => match &declarator.id.kind {
                BindingPatternKind::BindingIdentifier(name) => {
                    Next::Ends(name.symbol_id.get().map_or(Leaked::Value, |it| self.variable(it, variables)))
                }
                _ => Next::Ends(Leaked::Value),
            },
            _ => Next::Ends(Leaked::Value),
        }
    }

    /// What the reads of a variable pass on.
    fn variable(&mut self, symbol: SymbolId, variables: usize) -> Leaked {
        let Some(variables) = variables.checked_sub(1) else { return Leaked::Value };
        let mut leaked = Leaked::Nothing;
        for reference in self.tree.scoping().get_resolved_references(symbol).filter(|reference| reference.is_read()) {
            leaked = leaked.max(self.use_at(reference.node_id(), variables));
            if leaked == Leaked::Value {
                break;
            }
        }
        leaked
    }
}

/// What a call makes of the value that it is called on, or of an argument.
fn called<'a>(tree: &Tree<'_, 'a>, call: &CallExpression<'a>, own: Span) -> Next {
    let callee = call.callee.without_parentheses();
    let is_argument = call.callee.span() != own;
    match callee {
        Expression::StaticMemberExpression(member) => match member.property.name.as_str() {
            "includes" | "startsWith" | "endsWith" | "indexOf" | "lastIndexOf" | "search" | "localeCompare"
                if !is_argument =>
            {
                Next::Ends(Leaked::Nothing)
            }
            "charCodeAt" | "codePointAt" if !is_argument => Next::Number,
            "test" if is_argument && matches!(member.object, Expression::RegExpLiteral(_)) => {
                Next::Ends(Leaked::Nothing)
            }
            "parseInt" | "parseFloat" if is_argument && tree.is_global(&member.object, "Number") => Next::Number,
            _ if is_argument => Next::Ends(Leaked::Value),
            _ => Next::Around,
        },
        _ if !is_argument => Next::Ends(Leaked::Value),
        _ => match tree.global(callee) {
            Some("Number" | "parseInt" | "parseFloat") => Next::Number,
            Some("Boolean" | "isNaN" | "isFinite") => Next::Ends(Leaked::Nothing),
            Some("String") => Next::Around,
            _ => Next::Ends(Leaked::Value),
        },
    }
}
