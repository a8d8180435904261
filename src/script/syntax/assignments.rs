//! Finds the assignments to `Json`.

use oxc_ast::AstKind;
use oxc_ast::ast::BindingPatternKind;
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};

use super::assignment::Assignment;
use super::interpolation::Interpolations;
use super::reaching::{Site, bit};
use super::tree::{JSON, Tree, Write, range};
use super::value_kind::ValueKind;

/// Each has a bit in [`Definitions`](super::reaching::Definitions). A script with more is not followed.
const MAX_ASSIGNMENTS: usize = 100;

pub(super) struct JsonAssignments {
    pub assignments: Vec<Assignment>,
    /// Where they are, as far as they are not in functions.
    pub sites: Vec<Site>,
    /// Whether there are more of them.
    pub has_more: bool,
    /// Whether there were too many expressions to see what is interpolated.
    pub is_interpolation_cut_off: bool,
    /// Whether no form of assignment was met that is not followed.
    pub is_complete: bool,
    /// Whether none is in a function, which may be called at any time.
    pub is_top_level: bool,
}

pub(super) fn find(tree: &Tree<'_, '_>) -> JsonAssignments {
    let found = JsonAssignments {
        assignments: Vec::new(),
        sites: Vec::new(),
        has_more: false,
        is_interpolation_cut_off: false,
        is_complete: true,
        is_top_level: true,
    };
    let mut finder = AssignmentFinder { tree, interpolations: Interpolations::new(tree), found };
    finder.find();
    JsonAssignments { is_interpolation_cut_off: finder.interpolations.is_cut_off(), ..finder.found }
}

struct AssignmentFinder<'c, 't, 'a> {
    tree: &'c Tree<'t, 'a>,
    interpolations: Interpolations<'c, 't, 'a>,
    found: JsonAssignments,
}

impl<'t, 'a: 't> AssignmentFinder<'_, 't, 'a> {
    fn find(&mut self) {
        let own = self.tree.scoping().get_root_binding(JSON);
        for node in self.tree.semantic.nodes().iter() {
            match node.kind() {
                AstKind::IdentifierReference(name) if name.name == JSON && self.tree.symbol(name) == own => {
                    let is_write = self.tree.reference(name).is_some_and(|reference| reference.is_write());
                    match self.tree.write(node.id()) {
                        Some(write) => self.add(node.id(), name.span, write),
                        None if is_write => self.found.is_complete = false,
                        None => {}
                    }
                }
                AstKind::VariableDeclarator(declarator) => match &declarator.id.kind {
                    BindingPatternKind::BindingIdentifier(name) if name.name == JSON && name.symbol_id.get() == own => {
                        if let Some(value) = &declarator.init {
                            self.add(node.id(), name.span, Write::Set(value));
                        } else if self.is_loop_head(node.id()) {
                            self.found.is_complete = false;
                        }
                    }
                    BindingPatternKind::BindingIdentifier(_) => {}
                    _ if self.declares(own, declarator.span) => self.found.is_complete = false,
                    _ => {}
                },
                AstKind::Function(function) if function.id.as_ref().is_some_and(|id| id.name == JSON) => {
                    self.found.is_complete = false;
                }
                _ => {}
            }
        }
    }

    /// Whether the declaration of `Json` is in the declarator there.
    fn declares(&self, own: Option<SymbolId>, declarator: Span) -> bool {
        own.is_some_and(|own| declarator.contains_inclusive(self.tree.scoping().symbol_span(own)))
    }

    /// Whether a declarator is in the head of a `for…in` or `for…of`, which assigns it.
    fn is_loop_head(&self, declarator: NodeId) -> bool {
        let nodes = self.tree.semantic.nodes();
        let head = nodes.parent_kind(nodes.parent_id(declarator));
        matches!(head, AstKind::ForInStatement(_) | AstKind::ForOfStatement(_))
    }

    fn add(&mut self, node: NodeId, target: Span, write: Write<'a, 't>) {
        if self.found.assignments.len() == MAX_ASSIGNMENTS {
            self.found.has_more = true;
            self.found.is_complete = false;
            return;
        }
        let is_append = matches!(write, Write::Append(_));
        let (Write::Set(value) | Write::Append(value)) = write;
        let (kind, interpolation) = match (is_append, self.tree.kind(value)) {
            (false, kind) => (kind, self.interpolations.of(value)),
            // `+=` with a string gives a string; with anything else it depends on what was there.
            (true, ValueKind::String) => (ValueKind::String, self.interpolations.of(value).concatenated()),
            (true, _) => (ValueKind::Unknown, self.interpolations.of(value).concatenated()),
        };
        let may_be_string = kind.not_string().is_none();
        let interpolated =
            if interpolation.is_concatenated && may_be_string { interpolation.names } else { Vec::new() };
        let index = self.found.assignments.len();
        self.found.assignments.push(Assignment {
            target: range(target),
            value: range(value.span()),
            kind,
            is_append,
            is_interpolated_or_literal: !interpolated.is_empty() || is_append || value.is_literal(),
            interpolated,
            reaches_end: true,
        });
        // In a `with` statement it may set a property instead.
        let mut around = self.tree.semantic.nodes().ancestor_kinds(node);
        self.found.is_complete &= !around.any(|kind| matches!(kind, AstKind::WithStatement(_)));
        match self.statement(node) {
            // After an append the assignments before it still have a part in the value.
            Some((statement, is_conditional)) => self.found.sites.push(Site {
                statement,
                bit: bit(index),
                is_conditional,
                is_append,
                offset: target.start,
            }),
            None => self.found.is_top_level = false,
        }
    }

    /// The statement around a node, and whether the statement may run without it; `None` inside of a
    /// function.
    fn statement(&self, node: NodeId) -> Option<(Span, bool)> {
        let nodes = self.tree.semantic.nodes();
        let mut is_conditional = false;
        let mut statement = None;
        let mut inner = nodes.kind(node).span();
        for kind in nodes.ancestor_kinds(node) {
            match kind {
                AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) | AstKind::Class(_) => return None,
                _ if statement.is_some() => {}
                AstKind::LogicalExpression(logical) if logical.left.span() != inner => is_conditional = true,
                AstKind::ConditionalExpression(either) if either.test.span() != inner => is_conditional = true,
                AstKind::ChainExpression(_) | AstKind::AssignmentTargetWithDefault(_) => is_conditional = true,
                AstKind::AssignmentPattern(_) => is_conditional = true,
                kind if kind.is_statement() || matches!(kind, AstKind::VariableDeclaration(_)) => {
                    statement = Some((kind.span(), is_conditional));
                }
                _ => {}
            }
            inner = kind.span();
        }
        statement
    }
}
