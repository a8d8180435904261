//! Which globals become a part of a string without being escaped, so that a quotation mark in a value
//! ends a string of the JSON around it (WF904).
//!
//! An interprocedural taint analysis: a call of a function of the script is what it returns for these arguments. It is
//! insensitive to the order of assignments.

use std::cell::{Cell, RefCell};

use oxc_ast::AstKind;
use oxc_ast::ast::{ArrayExpressionElement, Expression, TaggedTemplateExpression, TemplateLiteral};
use oxc_semantic::SymbolId;
use oxc_span::Span;
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator};

use super::guards::Guards;
use super::interpolated::{InterpolatedName, Interpolation};
use super::tree::{Tree, Write, range};
use super::value_kind::ValueKind;
use crate::collections::HashMap;

/// Expressions, and uses of variables, that are looked at for one script; more are taken to interpolate nothing.
const MAX_STEPS: usize = 500_000;

/// Calls inside calls, and variables that are set from each other. More would use up the stack.
const MAX_DEPTH: usize = 64;

pub(super) struct Interpolations<'c, 't, 'a> {
    pub tree: &'c Tree<'t, 'a>,
    /// What the parameters of the functions under way hold.
    pub parameters: RefCell<HashMap<SymbolId, Interpolation>>,
    /// The bodies of the functions under way.
    pub(super) calls: RefCell<Vec<Span>>,
    /// The variables under way: of those that are set from each other each is followed once.
    under_way: RefCell<Vec<SymbolId>>,
    known: RefCell<HashMap<SymbolId, Interpolation>>,
    guards: Guards<'t>,
    steps: Cell<usize>,
    depth: Cell<usize>,
    is_too_deep: Cell<bool>,
}

impl<'c, 't, 'a: 't> Interpolations<'c, 't, 'a> {
    pub fn new(tree: &'c Tree<'t, 'a>) -> Self {
        Self {
            tree,
            parameters: RefCell::default(),
            calls: RefCell::default(),
            under_way: RefCell::default(),
            known: RefCell::default(),
            guards: Guards::of(tree),
            steps: Cell::new(0),
            depth: Cell::new(0),
            is_too_deep: Cell::new(false),
        }
    }

    /// What is interpolated in the string that an expression computes.
    pub fn of(&self, expression: &'t Expression<'a>) -> Interpolation {
        if !self.charge(1) {
            return Interpolation::default();
        }
        self.tree.deeper(|| self.follow(expression)).unwrap_or_else(|| {
            self.is_too_deep.set(true);
            Interpolation::default()
        })
    }

    /// Whether there were too many steps or too deep calls, so that what is interpolated is unknown.
    pub const fn is_cut_off(&self) -> bool {
        self.is_too_deep.get() || self.has_too_many_steps()
    }

    const fn has_too_many_steps(&self) -> bool {
        self.steps.get() > MAX_STEPS
    }

    /// Counts steps. False when there were too many.
    fn charge(&self, steps: usize) -> bool {
        self.steps.set(self.steps.get().saturating_add(steps));
        !self.has_too_many_steps()
    }

    /// Counts a look at all uses of a variable.
    pub fn charge_uses(&self, symbol: SymbolId) -> bool {
        self.charge(self.tree.scoping().get_resolved_reference_ids(symbol).len())
    }

    fn follow(&self, expression: &'t Expression<'a>) -> Interpolation {
        match expression {
            Expression::Identifier(name) if self.charge(self.guards.count(name)) && self.guards.contain(name) => {
                Interpolation::default()
            }
            Expression::Identifier(identifier) => match self.tree.symbol(identifier) {
                Some(symbol) => self.of_variable(symbol),
                None => {
                    let (name, range) = (identifier.name.to_string(), range(identifier.span));
                    let found = InterpolatedName { name, range, is_taken_apart: false };
                    Interpolation { names: vec![found], is_concatenated: false }
                }
            },
            Expression::BinaryExpression(inner) if inner.operator == BinaryOperator::Addition => {
                let parts = self.of(&inner.left).union(self.of(&inner.right));
                // Two values without other text are no JSON that was joined.
                if self.tree.kind(expression) == ValueKind::String { parts.concatenated() } else { parts }
            }
            Expression::TemplateLiteral(inner) => self.of_template(inner),
            Expression::TaggedTemplateExpression(tagged) if self.is_raw(tagged) => self.of_template(&tagged.quasi),
            Expression::ParenthesizedExpression(inner) => self.of(&inner.expression),
            Expression::SequenceExpression(inner) => {
                inner.expressions.last().map_or_else(Interpolation::default, |last| self.of(last))
            }
            Expression::ConditionalExpression(inner) => self.of(&inner.consequent).union(self.of(&inner.alternate)),
            Expression::LogicalExpression(inner) => self.of(&inner.left).union(self.of(&inner.right)),
            Expression::AssignmentExpression(inner) if inner.operator == AssignmentOperator::Assign => {
                self.of(&inner.right)
            }
            Expression::StaticMemberExpression(member) => self
                .property(&member.object, &member.property.name)
                .map_or_else(Interpolation::default, |it| self.of(it)),
            Expression::CallExpression(call) => self.deeper(|| self.of_call(call)),
            _ => Interpolation::default(),
        }
    }

    /// What is interpolated in any of several expressions.
    pub fn of_any(&self, expressions: impl IntoIterator<Item = &'t Expression<'a>>) -> Interpolation {
        expressions.into_iter().fold(Interpolation::default(), |found, part| found.union(self.of(part)))
    }

    pub fn deeper(&self, follow: impl FnOnce() -> Interpolation) -> Interpolation {
        if self.depth.get() == MAX_DEPTH {
            self.is_too_deep.set(true);
            return Interpolation::default();
        }
        self.depth.set(self.depth.get() + 1);
        let found = follow();
        self.depth.set(self.depth.get() - 1);
        found
    }

    fn of_template(&self, template: &'t TemplateLiteral<'a>) -> Interpolation {
        let found = self.of_any(&template.expressions);
        let has_text = template.quasis.iter().any(|text| !text.value.raw.is_empty());
        if has_text || template.expressions.len() > 1 { found.concatenated() } else { found }
    }

    fn is_raw(&self, tagged: &TaggedTemplateExpression<'a>) -> bool {
        matches!(&tagged.tag, Expression::StaticMemberExpression(tag)
            if tag.property.name == "raw" && self.tree.is_global(&tag.object, "String"))
    }

    fn of_variable(&self, symbol: SymbolId) -> Interpolation {
        if let Some(known) = self.parameters.borrow().get(&symbol) {
            return known.clone();
        }
        // What a variable holds depends on the arguments of the calls under way, if there are any.
        let is_general = self.parameters.borrow().is_empty();
        if is_general && let Some(known) = self.known.borrow().get(&symbol) {
            return known.clone();
        }
        if self.under_way.borrow().contains(&symbol) || !self.charge_uses(symbol) {
            return Interpolation::default();
        }
        self.under_way.borrow_mut().push(symbol);
        let found = self.deeper(|| match self.tree.writes(symbol) {
            Some(writes) => self.of_writes(&writes),
            None => self.of_parameter(symbol),
        });
        self.under_way.borrow_mut().pop();
        // Inside of other variables it may lack what they hold.
        if is_general && self.under_way.borrow().is_empty() {
            self.known.borrow_mut().insert(symbol, found.clone());
        }
        found
    }

    /// What is interpolated in a variable with these writes.
    pub fn of_writes(&self, writes: &[Write<'a, 't>]) -> Interpolation {
        let mut found = Interpolation::default();
        for write in writes {
            found = match write {
                Write::Set(value) => {
                    let part = self.of(value);
                    // Probably what was there before is escaped: `text = escaped(text)`.
                    if writes.len() > 1 && part.names.is_empty() && matches!(value, Expression::CallExpression(_)) {
                        return Interpolation::default();
                    }
                    found.union(part)
                }
                Write::Append(value) => found.union(self.of(value).concatenated()),
            };
        }
        found
    }

    /// The value of a property that is only set in the object literal of a variable.
    pub fn property(&self, object: &Expression<'a>, name: &str) -> Option<&'t Expression<'a>> {
        let Expression::Identifier(identifier) = object.without_parentheses() else { return None };
        let symbol = self.tree.symbol(identifier).filter(|symbol| self.charge_uses(*symbol))?;
        let Some([Write::Set(Expression::ObjectExpression(literal))]) = self.tree.writes(symbol).as_deref() else {
            return None;
        };
        let nodes = self.tree.semantic.nodes();
        let is_set = self.tree.scoping().get_resolved_references(symbol).any(|reference| {
            let member = nodes.parent_id(reference.node_id());
            matches!(nodes.kind(member), AstKind::StaticMemberExpression(member) if member.property.name == name)
                && self.tree.is_target(member)
        });
        let mut properties = literal.properties.iter().filter_map(|property| property.as_property());
        properties.rfind(|property| property.key.is_specific_static_name(name)).map(|it| &it.value).filter(|_| !is_set)
    }

    /// What is interpolated in the elements of an array.
    pub fn of_elements(&self, array: &'t Expression<'a>) -> Interpolation {
        self.tree.deeper(|| self.follow_elements(array)).unwrap_or_default()
    }

    fn follow_elements(&self, array: &'t Expression<'a>) -> Interpolation {
        match array.without_parentheses() {
            Expression::ArrayExpression(list) => {
                list.elements.iter().fold(Interpolation::default(), |found, element| match element {
                    ArrayExpressionElement::SpreadElement(spread) => found.union(self.of_elements(&spread.argument)),
                    other => {
                        other.as_expression().map(|part| self.of(part)).into_iter().fold(found, Interpolation::union)
                    }
                })
            }
            Expression::Identifier(name) => match self.tree.symbol(name) {
                Some(symbol) => self.deeper(|| self.of_array_variable(symbol)),
                None => Interpolation::default(),
            },
            Expression::CallExpression(call) => self.deeper(|| self.of_array_call(call)),
            _ => Interpolation::default(),
        }
    }

    fn of_array_variable(&self, symbol: SymbolId) -> Interpolation {
        if self.under_way.borrow().contains(&symbol) || !self.charge_uses(symbol) {
            return Interpolation::default();
        }
        self.under_way.borrow_mut().push(symbol);
        let writes = self.tree.writes(symbol).unwrap_or_default();
        let set = writes.iter().fold(Interpolation::default(), |found, write| match write {
            Write::Set(value) => found.union(self.of_elements(value)),
            Write::Append(_) => found,
        });
        let nodes = self.tree.semantic.nodes();
        let added = self.tree.scoping().get_resolved_references(symbol).filter_map(|reference| {
            let member = nodes.parent_id(reference.node_id());
            match (nodes.kind(member), nodes.parent_kind(member)) {
                (AstKind::StaticMemberExpression(method), AstKind::CallExpression(call))
                    if matches!(method.property.name.as_str(), "push" | "unshift")
                        && method.span == oxc_span::GetSpan::span(&call.callee) =>
                {
                    Some(self.of_any(call.arguments.iter().filter_map(|argument| argument.as_expression())))
                }
                (AstKind::ComputedMemberExpression(element), AstKind::AssignmentExpression(assignment))
                    if element.span == oxc_span::GetSpan::span(&assignment.left) =>
                {
                    Some(self.of(&assignment.right))
                }
                _ => None,
            }
        });
        let found = added.fold(set, Interpolation::union);
        self.under_way.borrow_mut().pop();
        found
    }
}
