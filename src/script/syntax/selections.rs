//! What a script of a form does with the fields that it selects, as in `Z('#Name')` (docs/platform-methods.md, Form scripts).

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, AssignmentTarget, BindingPatternKind, CallExpression, Expression};
use oxc_semantic::{NodeId, SymbolId};
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{LogicalOperator, UnaryOperator};

use super::tree::Tree;
use crate::model::{SELECT, VIEW_METHODS};

/// The method that returns the value of a field, or sets it to its argument.
const VALUE: &str = "val";
/// How many fields are selected.
const LENGTH: &str = "length";
/// Methods that select other elements, as in jQuery.
const SEARCHES: [&str; 6] = ["children", "closest", "find", "parent", "parents", "siblings"];

impl<'t, 'a: 't> Tree<'t, 'a> {
    /// Whether a script only reads or shows what an expression selects: it asks for its value or number, tests it, hides or
    /// shows it. Any other use may change it.
    pub fn is_only_read(&self, id: NodeId) -> bool {
        self.deeper(|| self.only_reads(id)).unwrap_or(false)
    }

    fn only_reads(&self, id: NodeId) -> bool {
        let nodes = self.semantic.nodes();
        let (own, parent) = (nodes.kind(id).span(), nodes.parent_id(id));
        match nodes.kind(parent) {
            AstKind::ParenthesizedExpression(_) => self.is_only_read(parent),
            AstKind::ExpressionStatement(_) => true,
            AstKind::StaticMemberExpression(member) => self.member_only_reads(parent, member.property.name.as_str()),
            AstKind::UnaryExpression(unary) => unary.operator != UnaryOperator::Delete,
            AstKind::BinaryExpression(_) => true,
            AstKind::LogicalExpression(logical) => {
                let is_tested = logical.operator == LogicalOperator::And && logical.left.span() == own;
                is_tested || self.is_only_read(parent)
            }
            AstKind::ConditionalExpression(conditional) => conditional.test.span() == own || self.is_only_read(parent),
            AstKind::IfStatement(tested) => tested.test.span() == own,
            AstKind::WhileStatement(tested) => tested.test.span() == own,
            AstKind::DoWhileStatement(tested) => tested.test.span() == own,
            AstKind::VariableDeclarator(declarator) => match &declarator.id.kind {
                BindingPatternKind::BindingIdentifier(name) => {
                    name.symbol_id.get().is_some_and(|symbol| self.reads_of_symbol_only_read(symbol))
                }
                _ => false,
            },
            AstKind::AssignmentExpression(assignment) if assignment.right.span() == own => match &assignment.left {
                AssignmentTarget::AssignmentTargetIdentifier(name) => {
                    self.symbol(name).is_some_and(|symbol| self.reads_of_symbol_only_read(symbol))
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// A property of what is selected, by its expression.
    fn member_only_reads(&self, member: NodeId, name: &str) -> bool {
        let nodes = self.semantic.nodes();
        let call = nodes.parent_id(member);
        match nodes.kind(call) {
            AstKind::CallExpression(called) if called.callee.span() == nodes.kind(member).span() => match name {
                VALUE => called.arguments.is_empty(),
                // They return what is selected, or other elements.
                _ => (VIEW_METHODS.contains(&name) || SEARCHES.contains(&name)) && self.is_only_read(call),
            },
            _ => name == LENGTH && !self.is_target(member),
        }
    }

    fn reads_of_symbol_only_read(&self, symbol: SymbolId) -> bool {
        let mut references = self.scoping().get_resolved_references(symbol);
        references.all(|reference| !reference.is_read() || self.is_only_read(reference.node_id()))
    }

    /// Whether `this`, the field of the script, is only read: `Z(this).val()`, `this.value`.
    pub fn is_own_field_only_read(&self, id: NodeId, span: Span) -> bool {
        let nodes = self.semantic.nodes();
        let member = nodes.parent_id(id);
        match (self.call_of_first_argument(id, span), nodes.kind(member)) {
            (Some((call, callee)), _) => self.is_global(callee, SELECT) && self.is_only_read(call),
            (None, AstKind::StaticMemberExpression(_)) => {
                !self.is_target(member) && !matches!(nodes.parent_kind(member), AstKind::CallExpression(_))
            }
            _ => false,
        }
    }

    /// Whether a call selects fields that the script does not name, and may change them: `Z('*').val('x')`, `Z(selector)`,
    /// `Z('#Section').find('select')`.
    pub fn may_change_unnamed_fields(&self, id: NodeId, call: &CallExpression<'a>) -> bool {
        let argument = call.arguments.first().and_then(Argument::as_expression);
        let selects_unnamed = match call.callee.without_parentheses() {
            Expression::StaticMemberExpression(member) => {
                // `find` of an array takes a function.
                let is_function = argument.is_some_and(Expression::is_function);
                SEARCHES.contains(&member.property.name.as_str()) && !is_function
            }
            callee => self.is_global(callee, SELECT) && !argument.is_some_and(names_fields),
        };
        selects_unnamed && !self.is_only_read(id)
    }

    /// The call of which a string is the first argument.
    pub fn call_of_first_argument(&self, argument: NodeId, span: Span) -> Option<(NodeId, &'t Expression<'a>)> {
        let nodes = self.semantic.nodes();
        let mut around = nodes.parent_id(argument);
        if let AstKind::Argument(_) = nodes.kind(around) {
            around = nodes.parent_id(around);
        }
        let AstKind::CallExpression(call) = nodes.kind(around) else { return None };
        let is_first = call.arguments.first().is_some_and(|first| first.span() == span);
        is_first.then_some((around, &call.callee))
    }
}

/// Whether a selector names all fields that it selects: `this`, `'#Name'`, `'#Name, #Other'`.
fn names_fields(selector: &Expression<'_>) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    let is_name =
        |part: &str| part.trim().strip_prefix('#').is_some_and(|name| !name.is_empty() && name.chars().all(is_part));
    match selector.without_parentheses() {
        Expression::ThisExpression(_) => true,
        Expression::StringLiteral(text) => text.value.split(',').all(is_name),
        Expression::TemplateLiteral(text) => match (text.quasis.as_slice(), text.expressions.as_slice()) {
            ([text], []) => text.value.cooked.is_some_and(|text| text.split(',').all(is_name)),
            _ => false,
        },
        _ => false,
    }
}
