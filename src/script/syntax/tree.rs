//! The syntax tree with resolved names, and queries on it that several analyses share.

use std::cell::RefCell;
use std::ops::Range;

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, BindingPatternKind, Expression, IdentifierReference, VariableDeclarator};
use oxc_semantic::{NodeId, Reference, Scoping, Semantic, SymbolId};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::AssignmentOperator;

use super::interpolated::Interpolation;
use super::value_kind::ValueKind;
use crate::collections::HashMap;

/// The variable in which the script of a Code activity leaves its result.
pub(super) const JSON: &str = crate::model::SCRIPT_RESULT;

/// The names of the global object, besides `this`.
const GLOBAL_OBJECT: [&str; 4] = ["globalThis", "window", "self", "global"];

/// A tree, with what is inferred of its variables.
///
/// A variable that is being inferred is already in the map, with the neutral value: so a cycle of
/// assignments (`a = b; b = a`) ends.
pub(super) struct Tree<'t, 'a> {
    pub semantic: &'t Semantic<'a>,
    pub kinds: RefCell<HashMap<SymbolId, ValueKind>>,
    pub interpolations: RefCell<HashMap<SymbolId, Interpolation>>,
}

/// A write to a variable.
#[derive(Clone, Copy)]
pub(super) enum Write<'a, 't> {
    /// `=`, or the initializer of a declaration.
    Set(&'t Expression<'a>),
    /// `+=`
    Append(&'t Expression<'a>),
}

impl<'t, 'a> Tree<'t, 'a> {
    pub fn new(semantic: &'t Semantic<'a>) -> Self {
        Self { semantic, kinds: RefCell::default(), interpolations: RefCell::default() }
    }

    pub fn scoping(&self) -> &'t Scoping {
        self.semantic.scoping()
    }

    pub fn reference(&self, identifier: &IdentifierReference<'a>) -> Option<&'t Reference> {
        Some(self.scoping().get_reference(identifier.reference_id.get()?))
    }

    /// The variable of the script that a name resolves to.
    pub fn symbol(&self, identifier: &IdentifierReference<'a>) -> Option<SymbolId> {
        self.reference(identifier)?.symbol_id()
    }

    /// Whether an expression is this name, and the script does not declare it.
    pub fn is_global(&self, expression: &Expression<'a>, name: &str) -> bool {
        self.global(expression).is_some_and(|global| global == name)
    }

    /// The name that an expression is, if the script does not declare it.
    pub fn global(&self, expression: &Expression<'a>) -> Option<&'t str>
    where
        'a: 't,
    {
        match expression.without_parentheses() {
            Expression::Identifier(identifier) if self.symbol(identifier).is_none() => {
                self.reference(identifier)?;
                Some(identifier.name.as_str())
            }
            _ => None,
        }
    }

    /// Whether an expression is the global object.
    pub fn is_global_object(&self, expression: &Expression<'a>) -> bool {
        matches!(expression.without_parentheses(), Expression::ThisExpression(_))
            || self.global(expression).is_some_and(|name| GLOBAL_OBJECT.contains(&name))
    }

    /// All writes to a variable; `None` when it may also be written otherwise, as by destructuring or
    /// as a parameter.
    pub fn writes(&self, symbol: SymbolId) -> Option<Vec<Write<'a, 't>>>
    where
        'a: 't,
    {
        let (scoping, nodes) = (self.scoping(), self.semantic.nodes());
        if !scoping.symbol_redeclarations(symbol).is_empty() {
            return None;
        }
        let AstKind::VariableDeclarator(declarator) = nodes.kind(scoping.symbol_declaration(symbol)) else {
            return None;
        };
        if !self.is_single_variable(scoping.symbol_declaration(symbol), declarator) {
            return None;
        }
        let mut writes: Vec<Write<'a, 't>> = declarator.init.iter().map(Write::Set).collect();
        for reference in scoping.get_resolved_references(symbol).filter(|reference| reference.is_write()) {
            writes.push(self.write(reference.node_id())?);
        }
        Some(writes)
    }

    /// Whether a declarator names one variable, and is not the head of a `for…in` or `for…of`.
    fn is_single_variable(&self, node: NodeId, declarator: &VariableDeclarator<'a>) -> bool {
        let nodes = self.semantic.nodes();
        let head = nodes.parent_kind(nodes.parent_id(node));
        matches!(declarator.id.kind, BindingPatternKind::BindingIdentifier(_))
            && !matches!(head, AstKind::ForInStatement(_) | AstKind::ForOfStatement(_))
    }

    /// The write of which a name is the target.
    pub fn write(&self, name: NodeId) -> Option<Write<'a, 't>>
    where
        'a: 't,
    {
        let nodes = self.semantic.nodes();
        let AstKind::AssignmentExpression(assignment) = nodes.parent_kind(name) else { return None };
        let is_target = matches!(&assignment.left, AssignmentTarget::AssignmentTargetIdentifier(target)
            if target.span == nodes.kind(name).span());
        match assignment.operator {
            AssignmentOperator::Assign if is_target => Some(Write::Set(&assignment.right)),
            AssignmentOperator::Addition if is_target => Some(Write::Append(&assignment.right)),
            _ => None,
        }
    }
}

pub(super) fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}
