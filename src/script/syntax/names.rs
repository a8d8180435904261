//! Collects the names and strings of a script.

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, CallExpression, Expression, IdentifierReference, StaticMemberExpression};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::UnaryOperator;

use super::script::{Declaration, DynamicCode, Global, Script, StringLiteral};
use super::tree::{Tree, range};
use super::value_kind::ValueKind;

pub(super) fn collect(tree: &Tree<'_, '_>, source: &str, script: &mut Script) {
    let mut names = NameCollector { tree, source, script };
    for node in tree.semantic.nodes().iter() {
        names.node(node.id(), node.kind());
    }
    let scoping = tree.scoping();
    for symbol in scoping.iter_bindings_in(scoping.root_scope_id()) {
        let is_read = scoping.get_resolved_references(symbol).any(|reference| reference.is_read());
        script.declarations.push(Declaration { name: scoping.symbol_name(symbol).to_owned(), is_read });
    }
    script.globals.sort_by_key(|global| global.range.start);
    script.declarations.sort_unstable();
    script.dynamic.sort_by_key(|dynamic| dynamic.range.start);
}

struct NameCollector<'c, 't, 'a> {
    tree: &'c Tree<'t, 'a>,
    source: &'c str,
    script: &'c mut Script,
}

impl<'t, 'a: 't> NameCollector<'_, 't, 'a> {
    fn node(&mut self, id: NodeId, kind: AstKind<'a>) {
        match kind {
            AstKind::IdentifierReference(name) => self.name(id, name),
            AstKind::StringLiteral(literal) => self.string(id, literal.value.as_str(), literal.span),
            AstKind::TemplateLiteral(literal) => {
                if let ([text], []) = (literal.quasis.as_slice(), literal.expressions.as_slice())
                    && let Some(value) = text.value.cooked
                {
                    self.string(id, value.as_str(), literal.span);
                }
            }
            AstKind::CallExpression(call) => self.call(&call.callee, call.arguments.first()),
            AstKind::NewExpression(new) => self.call(&new.callee, new.arguments.first()),
            AstKind::WithStatement(_) => self.script.is_obscure = true,
            AstKind::ThisExpression(_) => self.global_object(id),
            AstKind::StaticMemberExpression(member) if self.tree.is_global_object(&member.object) => {
                self.script.global_members.push(member.property.name.to_string());
            }
            _ => {}
        }
    }

    fn name(&mut self, id: NodeId, name: &IdentifierReference<'a>) {
        let Some(reference) = self.tree.reference(name).filter(|reference| reference.symbol_id().is_none()) else {
            return;
        };
        let parent = self.tree.semantic.nodes().parent_kind(id);
        let is_tested = matches!(parent, AstKind::UnaryExpression(unary) if unary.operator == UnaryOperator::Typeof);
        if name.name == "eval" && !is_tested {
            self.script.is_obscure = true;
            self.dynamic("eval", name.span);
        }
        if matches!(name.name.as_str(), "globalThis" | "window" | "self" | "global") {
            self.global_object(id);
        }
        self.script.globals.push(Global {
            name: name.name.to_string(),
            range: range(name.span),
            is_read: reference.is_read(),
            is_written: reference.is_write(),
            is_tested,
        });
    }

    /// A use of the global object. Its named members are known; anything else may use every global.
    fn global_object(&mut self, id: NodeId) {
        let nodes = self.tree.semantic.nodes();
        let own = nodes.kind(id).span();
        match nodes.parent_kind(id) {
            AstKind::StaticMemberExpression(member) if member.object.span() == own => {}
            AstKind::ComputedMemberExpression(member) if member.object.span() == own => {
                match member.static_property_name() {
                    Some(name) => self.script.global_members.push(name.to_string()),
                    None => self.script.is_obscure = true,
                }
            }
            AstKind::UnaryExpression(_) => {}
            _ => self.script.is_obscure = true,
        }
    }

    fn call(&mut self, callee: &Expression<'a>, first: Option<&Argument<'a>>) {
        let callee = last_of_sequence(callee);
        if let Expression::StaticMemberExpression(member) = callee
            && member.property.name == "parse"
            && self.tree.is_global(&member.object, "JSON")
        {
            let name = first.and_then(Argument::as_expression).and_then(|first| self.tree.global(first));
            self.script.read_as_json.extend(name.map(str::to_owned));
        }
        let (name, span) = match callee {
            Expression::Identifier(identifier) => (self.tree.global(callee), identifier.span),
            Expression::StaticMemberExpression(member) => (self.member_of_global(member), member.property.span),
            _ => return,
        };
        let is_string =
            || first.and_then(Argument::as_expression).is_some_and(|first| self.tree.kind(first) == ValueKind::String);
        match name {
            Some("Function") => {
                self.script.is_obscure = true;
                self.dynamic("Function", span);
            }
            Some("eval") if !matches!(callee, Expression::Identifier(_)) => {
                self.script.is_obscure = true;
                self.dynamic("eval", span);
            }
            Some(name @ ("setTimeout" | "setInterval" | "setImmediate" | "execScript")) if is_string() => {
                self.script.is_obscure = true;
                self.dynamic(name, span);
            }
            _ => {}
        }
    }

    fn member_of_global<'m>(&self, member: &'m StaticMemberExpression<'a>) -> Option<&'m str> {
        self.tree.is_global_object(&member.object).then(|| member.property.name.as_str())
    }

    fn dynamic(&mut self, name: &str, span: Span) {
        self.script.dynamic.push(DynamicCode { name: name.to_owned(), range: range(span) });
    }

    fn call_around(&self, argument: NodeId) -> Option<&'a CallExpression<'a>> {
        let mut around = self.tree.semantic.nodes().ancestor_kinds(argument);
        match around.next()? {
            AstKind::CallExpression(call) => Some(call),
            AstKind::Argument(_) => match around.next()? {
                AstKind::CallExpression(call) => Some(call),
                _ => None,
            },
            _ => None,
        }
    }

    fn string(&mut self, id: NodeId, value: &str, span: Span) {
        let argument_of =
            self.call_around(id).filter(|call| call.arguments.first().is_some_and(|first| first.span() == span));
        let argument_of = argument_of.and_then(|call| call.callee.get_identifier_reference());
        let argument_of = argument_of.map(|name| name.name.to_string());
        let quoted = range(span);
        let inside = quoted.start + 1..quoted.end.saturating_sub(1);
        if self.source.get(inside.clone()).is_some() {
            self.script.strings.push(StringLiteral { value: value.to_owned(), range: inside, argument_of });
        }
    }
}

/// `(0, eval)` is `eval`.
fn last_of_sequence<'e, 'a>(expression: &'e Expression<'a>) -> &'e Expression<'a> {
    match expression.without_parentheses() {
        Expression::SequenceExpression(sequence) => {
            sequence.expressions.last().map_or(expression, |last| last.without_parentheses())
        }
        other => other,
    }
}
