//! Where a script makes its behavior depend on a value.

use oxc_ast::AstKind;

use super::members;
use super::tree::Tree;

/// Whether a value may decide what a script does, or the script inspects one.
pub(super) fn has_condition(tree: &Tree<'_, '_>) -> bool {
    tree.semantic.nodes().iter().any(|node| is_condition(node.kind()) || inspects(node.kind()))
}

/// Functions that convert a string to a number or a boolean.
const CONVERSIONS: [&str; 6] = ["Boolean", "Number", "isFinite", "isNaN", "parseFloat", "parseInt"];

/// Whether a node inspects a string or an array.
fn inspects(kind: AstKind<'_>) -> bool {
    match kind {
        AstKind::StaticMemberExpression(member) => {
            let name = member.property.name.as_str();
            members::inspects(name) || matches!(name, "parse" | "test")
        }
        AstKind::ComputedMemberExpression(member) => !member.expression.is_literal(),
        AstKind::IdentifierReference(name) => CONVERSIONS.contains(&name.name.as_str()),
        AstKind::RegExpLiteral(_) => true,
        _ => false,
    }
}

/// Whether a node decides by a value what is evaluated next, or computes such a decision.
pub(super) fn is_condition(kind: AstKind<'_>) -> bool {
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
