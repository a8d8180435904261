//! Which keys a script reads from objects that it did not make, and what it expects their values to be.

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, BindingPattern, BindingPatternKind, Expression};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::GetSpan;

use super::built_ins::{self, is_built_in};
use super::tree::Tree;
use crate::common::collections::HashMap;

/// A key that a script reads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct InputKey {
    pub name: String,
    pub shape: Shape,
}

/// The expected shape of a value.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    #[default]
    Text,
    Object,
    List,
}

/// A value is followed through this many variables.
const MAX_DEPTH: usize = 4;

/// The keys that a script reads, by name; of several uses of one key the most demanding counts.
pub(super) fn input_keys(tree: &Tree<'_, '_>) -> Vec<InputKey> {
    let mut keys: HashMap<String, Shape> = HashMap::default();
    let mut add = |name: &str, shape: Shape| {
        if !built_ins::is_built_in_member(name) {
            let known = keys.entry(name.to_owned()).or_default();
            *known = shape.max(*known);
        }
    };
    for node in tree.semantic.nodes().iter() {
        match node.kind() {
            AstKind::StaticMemberExpression(member) if !is_built_in_object(tree, &member.object) => {
                add(member.property.name.as_str(), shape(tree, node.id(), MAX_DEPTH));
            }
            AstKind::ComputedMemberExpression(member) => {
                if let Some(name) = member.static_property_name() {
                    add(name.as_str(), shape(tree, node.id(), MAX_DEPTH));
                }
            }
            AstKind::BindingProperty(property) => {
                if let Some(name) = property.key.static_name() {
                    add(&name, shape_of_pattern(tree, &property.value));
                }
            }
            _ => {}
        }
    }
    let mut keys: Vec<InputKey> = keys.into_iter().map(|(name, shape)| InputKey { name, shape }).collect();
    keys.sort_unstable();
    keys
}

/// What a script expects `JSON.parse` to return; `None` if it never calls it.
pub(super) fn root_shape(tree: &Tree<'_, '_>) -> Option<Shape> {
    let nodes = tree.semantic.nodes();
    let parses = nodes.iter().filter(|node| match node.kind() {
        AstKind::StaticMemberExpression(member) => {
            member.property.name == "parse" && tree.is_global(&member.object, "JSON")
        }
        _ => false,
    });
    parses
        .map(|member| match nodes.parent_kind(member.id()) {
            AstKind::CallExpression(_) => shape(tree, nodes.parent_id(member.id()), MAX_DEPTH),
            _ => Shape::Text,
        })
        .max()
}

fn is_built_in_object<'a>(tree: &Tree<'_, 'a>, object: &Expression<'a>) -> bool {
    matches!(object, Expression::Identifier(name) if tree.symbol(name).is_none() && is_built_in(&name.name))
}

/// The expected shape of an expression, by its use.
fn shape(tree: &Tree<'_, '_>, node: NodeId, depth: usize) -> Shape {
    let nodes = tree.semantic.nodes();
    let own = nodes.kind(node).span();
    let parent = nodes.parent_id(node);
    match nodes.kind(parent) {
        AstKind::ParenthesizedExpression(_)
        | AstKind::LogicalExpression(_)
        | AstKind::ChainExpression(_)
        | AstKind::AwaitExpression(_) => shape(tree, parent, depth),
        AstKind::ConditionalExpression(either) if either.test.span() != own => shape(tree, parent, depth),
        AstKind::StaticMemberExpression(member) => match member.property.name.as_str() {
            name if built_ins::is_of_lists(name) => Shape::List,
            name if built_ins::is_built_in_member(name) => Shape::Text,
            _ => Shape::Object,
        },
        AstKind::ComputedMemberExpression(member) if member.object.span() == own => {
            if member.static_property_name().is_some() { Shape::Object } else { Shape::List }
        }
        AstKind::ForOfStatement(each) if each.right.span() == own => Shape::List,
        AstKind::SpreadElement(_) if matches!(nodes.parent_kind(parent), AstKind::ArrayExpression(_)) => Shape::List,
        AstKind::CallExpression(call) if call.callee_name() == Some("isArray") => Shape::List,
        AstKind::VariableDeclarator(declarator) => match &declarator.id.kind {
            BindingPatternKind::BindingIdentifier(name) => followed(tree, name.symbol_id.get(), depth),
            BindingPatternKind::ArrayPattern(_) => Shape::List,
            _ => Shape::Object,
        },
        AstKind::AssignmentExpression(assignment) if assignment.right.span() == own => match &assignment.left {
            AssignmentTarget::AssignmentTargetIdentifier(name) => followed(tree, tree.symbol(name), depth),
            _ => Shape::Text,
        },
        _ => Shape::Text,
    }
}

/// The expected shape of what a pattern takes apart.
fn shape_of_pattern(tree: &Tree<'_, '_>, pattern: &BindingPattern<'_>) -> Shape {
    match &pattern.kind {
        BindingPatternKind::BindingIdentifier(name) => followed(tree, name.symbol_id.get(), MAX_DEPTH + 1),
        BindingPatternKind::ObjectPattern(_) => Shape::Object,
        BindingPatternKind::ArrayPattern(_) => Shape::List,
        BindingPatternKind::AssignmentPattern(with_default) => shape_of_pattern(tree, &with_default.left),
    }
}

fn followed(tree: &Tree<'_, '_>, symbol: Option<SymbolId>, depth: usize) -> Shape {
    match (symbol, depth.checked_sub(1)) {
        (Some(symbol), Some(depth)) => shape_of_variable(tree, symbol, depth),
        _ => Shape::Text,
    }
}

fn shape_of_variable(tree: &Tree<'_, '_>, symbol: SymbolId, depth: usize) -> Shape {
    let reads = tree.scoping().get_resolved_references(symbol).filter(|reference| reference.is_read());
    reads.map(|reference| shape(tree, reference.node_id(), depth)).max().unwrap_or_default()
}
