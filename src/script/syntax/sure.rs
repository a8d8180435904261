//! Which names a script uses whenever it runs, and which of them have a constant value.

use oxc_ast::AstKind;
use oxc_ast::ast::Expression;
use oxc_semantic::SymbolId;
use oxc_span::{GetSpan, Span};

use super::SureUse;
use super::tree::{Tree, Write};
use crate::collections::HashMap;

pub(super) fn collect(tree: &Tree<'_, '_>) -> Vec<SureUse> {
    let nodes = tree.semantic.nodes();
    let mut is_sure = vec![false; nodes.len()];
    let mut constants = HashMap::default();
    let mut first_condition = u32::MAX;
    let mut uses = Vec::new();
    // A node comes after the one around it.
    for node in nodes.iter() {
        let around = nodes.parent_node(node.id());
        let is_root = matches!(node.kind(), AstKind::Program(_));
        let sure = is_root
            || is_sure.get(around.id().index()).copied().unwrap_or(false) && passes(around.kind(), node.kind().span());
        if let Some(flag) = is_sure.get_mut(node.id().index()) {
            *flag = sure;
        }
        if is_condition(node.kind()) {
            // What stands in a function may run before the function stands there.
            let start = if sure { node.kind().span().start } else { 0 };
            first_condition = first_condition.min(start);
        }
        if let AstKind::IdentifierReference(name) = node.kind()
            && sure
        {
            let symbol = tree.symbol(name);
            let is_constant =
                symbol.is_some_and(|symbol| *constants.entry(symbol).or_insert_with(|| is_constant(tree, symbol)));
            uses.push(SureUse { start: name.span.start as usize, is_constant, is_straight: false });
        }
    }
    uses.sort_by_key(|found| found.start);
    for found in &mut uses {
        found.is_straight = found.start <= first_condition as usize;
    }
    uses
}

/// Whether a script asks something of a value that decides what it does, or looks into one.
pub(super) fn has_condition(tree: &Tree<'_, '_>) -> bool {
    tree.semantic.nodes().iter().any(|node| is_condition(node.kind()) || looks_into(node.kind()))
}

/// Members of texts and lists that tell of what is in them (ECMA-262, String and Array Objects).
const LOOKS: [&str; 33] = [
    "at",
    "charAt",
    "charCodeAt",
    "codePointAt",
    "endsWith",
    "entries",
    "every",
    "exec",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "flatMap",
    "includes",
    "indexOf",
    "keys",
    "lastIndexOf",
    "length",
    "localeCompare",
    "match",
    "matchAll",
    "parse",
    "reduce",
    "replace",
    "replaceAll",
    "search",
    "slice",
    "some",
    "split",
    "startsWith",
    "substr",
    "substring",
    "test",
];
/// Functions that make numbers and decisions of texts.
const READS: [&str; 6] = ["Boolean", "Number", "isFinite", "isNaN", "parseFloat", "parseInt"];

/// Whether a part of the tree looks into a text or a list.
fn looks_into(kind: AstKind<'_>) -> bool {
    match kind {
        AstKind::StaticMemberExpression(member) => LOOKS.contains(&member.property.name.as_str()),
        AstKind::ComputedMemberExpression(member) => !member.expression.is_literal(),
        AstKind::IdentifierReference(name) => READS.contains(&name.name.as_str()),
        AstKind::RegExpLiteral(_) => true,
        _ => false,
    }
}

/// Whether a part of the tree asks something of a value that decides what happens.
fn is_condition(kind: AstKind<'_>) -> bool {
    match kind {
        AstKind::BinaryExpression(binary) => {
            binary.operator.is_equality() || binary.operator.is_compare() || binary.operator.is_relational()
        }
        AstKind::UnaryExpression(unary) => unary.operator.is_not(),
        AstKind::IfStatement(_)
        | AstKind::ConditionalExpression(_)
        | AstKind::LogicalExpression(_)
        | AstKind::ChainExpression(_)
        | AstKind::SwitchStatement(_)
        | AstKind::ForStatement(_)
        | AstKind::ForInStatement(_)
        | AstKind::ForOfStatement(_)
        | AstKind::WhileStatement(_)
        | AstKind::DoWhileStatement(_)
        | AstKind::TryStatement(_) => true,
        _ => false,
    }
}

/// Whether what is around is never run without this part of it.
fn passes(around: AstKind<'_>, part: Span) -> bool {
    match around {
        AstKind::IfStatement(branch) => branch.test.span() == part,
        AstKind::ConditionalExpression(either) => either.test.span() == part,
        AstKind::LogicalExpression(logical) => logical.left.span() == part,
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

/// Whether all that a variable ever holds is written in the script.
fn is_constant(tree: &Tree<'_, '_>, symbol: SymbolId) -> bool {
    let writes = tree.writes(symbol).unwrap_or_default();
    let is_written_out = |write: &Write<'_, '_>| match write {
        Write::Set(value) => is_literal(value),
        Write::Append(_) => false,
    };
    !writes.is_empty() && writes.iter().all(is_written_out)
}

fn is_literal(value: &Expression<'_>) -> bool {
    match value.without_parentheses() {
        Expression::TemplateLiteral(template) => template.expressions.is_empty(),
        Expression::Identifier(name) => name.name == "undefined",
        Expression::UnaryExpression(unary) => is_literal(&unary.argument),
        other => other.is_literal() && !matches!(other, Expression::RegExpLiteral(_)),
    }
}
