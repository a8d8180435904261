//! Which identifiers are evaluated in every run of a script, and which of them have a constant value.
//!
//! An identifier is evaluated in every run when each node around it always evaluates the child that
//! leads to it (see [`always_evaluates`]).

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};

use super::condition::is_condition;
use super::script::{DefiniteUse, TopLevelReturn};
use super::tree::{Tree, Write};
use crate::collections::HashMap;

/// `first_return`: it may end the script before what follows is evaluated.
pub(super) fn collect(tree: &Tree<'_, '_>, first_return: Option<&TopLevelReturn>) -> Vec<DefiniteUse> {
    let last_start = first_return.map_or(u32::MAX, |first| u32::try_from(first.end).unwrap_or(u32::MAX));
    let nodes = tree.semantic.nodes();
    let mut is_definite = vec![false; nodes.len()];
    let mut constants = HashMap::default();
    let mut first_condition = u32::MAX;
    let mut uses = Vec::new();
    // Nodes are in pre-order, so the flag of a parent is known before those of its children.
    for node in nodes.iter() {
        let parent = nodes.parent_node(node.id());
        let is_root = matches!(node.kind(), AstKind::Program(_));
        let is_parent_definite = is_definite.get(parent.id().index()).copied().unwrap_or(false);
        let is_always = is_root || is_parent_definite && always_evaluates(parent.kind(), node.kind().span());
        if let Some(flag) = is_definite.get_mut(node.id().index()) {
            *flag = is_always;
        }
        if is_condition(node.kind()) {
            // A condition in a function may be evaluated before the function's position is reached, so
            // it counts as if it came first.
            let start = if is_always { node.kind().span().start } else { 0 };
            first_condition = first_condition.min(start);
        }
        if let AstKind::IdentifierReference(name) = node.kind()
            && is_always
            && name.span.start < last_start
        {
            let symbol = tree.symbol(name);
            let is_constant =
                symbol.is_some_and(|symbol| *constants.entry(symbol).or_insert_with(|| is_constant(tree, symbol)));
            uses.push(DefiniteUse { start: name.span.start as usize, is_constant, precedes_conditions: false });
        }
    }
    uses.sort_by_key(|found| found.start);
    for found in &mut uses {
        found.precedes_conditions = found.start <= first_condition as usize;
    }
    uses
}

/// Whether a node is never evaluated without this child.
fn always_evaluates(parent: AstKind<'_>, child: Span) -> bool {
    match parent {
        AstKind::IfStatement(branch) => branch.test.span() == child,
        AstKind::ConditionalExpression(either) => either.test.span() == child,
        AstKind::LogicalExpression(logical) => logical.left.span() == child,
        AstKind::Function(_)
        | AstKind::ArrowFunctionExpression(_)
        | AstKind::Class(_)
        | AstKind::ChainExpression(_)
        | AstKind::AssignmentPattern(_)
        | AstKind::AssignmentTargetWithDefault(_)
        | AstKind::ForStatement(_)
        | AstKind::ForInStatement(_)
        | AstKind::ForOfStatement(_)
        | AstKind::WhileStatement(_)
        | AstKind::DoWhileStatement(_)
        | AstKind::SwitchStatement(_)
        | AstKind::LabeledStatement(_)
        | AstKind::TryStatement(_)
        | AstKind::WithStatement(_) => false,
        _ => true,
    }
}

/// Whether every value that a variable ever has is a literal of the script.
fn is_constant(tree: &Tree<'_, '_>, symbol: SymbolId) -> bool {
    let writes = tree.writes(symbol).unwrap_or_default();
    let is_set_to_literal = |write: &Write<'_, '_>| match write {
        Write::Set(value) => is_literal(value),
        Write::Append(_) => false,
    };
    !writes.is_empty() && writes.iter().all(is_set_to_literal)
}

fn is_literal(value: &Expression<'_>) -> bool {
    match value.without_parentheses() {
        Expression::TemplateLiteral(template) => template.expressions.is_empty(),
        Expression::Identifier(name) => name.name == "undefined",
        Expression::UnaryExpression(unary) => is_literal(&unary.argument),
        other => other.is_literal() && !matches!(other, Expression::RegExpLiteral(_)),
    }
}
