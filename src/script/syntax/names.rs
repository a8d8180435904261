//! The names and strings of a script, and every use of the names that it does not declare: what a renaming replaces.

use std::ops::Range;

use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, Expression, IdentifierReference};
use oxc_semantic::{NodeId, Semantic};
use oxc_span::{GetSpan, Span};
use oxc_syntax::identifier::is_identifier_name;
use oxc_syntax::keyword::is_reserved_keyword;
use oxc_syntax::operator::UnaryOperator;

use super::built_ins::is_built_in;
use super::global_object::{GLOBAL_OBJECT, GlobalUse, assigned_keys, destructured_keys, static_name};
use super::parse::read_tree;
use super::script::{Declaration, DynamicCode, Global, Script, SetOutOfSight, StringLiteral};
use super::tree::{Tree, ValueKind, range};
use crate::common::collections::HashSet;
use crate::model::SELECT;

const EVAL: &str = "eval";

pub(super) fn collect(tree: &Tree<'_, '_>, source: &str, script: &mut Script) {
    let mut names = NameCollector { tree, source, script, with_body: None, has_escaped: false };
    for node in tree.semantic.nodes().iter() {
        names.node(node.id(), node.kind());
    }
    if names.has_escaped && script.set_out_of_sight == SetOutOfSight::None {
        script.set_out_of_sight = properties(tree);
    }
    let scoping = tree.scoping();
    for symbol in scoping.iter_bindings_in(scoping.root_scope_id()) {
        let is_read = scoping.get_resolved_references(symbol).any(|reference| reference.is_read());
        script.declarations.push(Declaration { name: scoping.symbol_name(symbol).into(), is_read });
    }
    script.globals.sort_by_key(|global| global.range.start);
    keep_first_uses(&mut script.globals);
    script.declarations.sort_unstable();
    script.dynamic.sort_by_key(|dynamic| dynamic.range.start);
}

/// Keeps the first use of each name of each kind: a script may use one name very often.
fn keep_first_uses(globals: &mut Vec<Global>) {
    let mut known = HashSet::default();
    let mut are_first = Vec::with_capacity(globals.len());
    for Global { name, is_read, is_written, is_tested, is_declared, is_in_with, .. } in &*globals {
        let kind = [is_read, is_written, is_tested, is_declared, is_in_with].map(|flag| *flag);
        are_first.push(known.insert((name.as_str(), kind)));
    }
    let mut are_first = are_first.into_iter();
    globals.retain(|_| are_first.next().unwrap_or_default());
    globals.shrink_to_fit();
}

/// The properties that an object may get, if some object of the script is the global one.
fn properties(tree: &Tree<'_, '_>) -> SetOutOfSight {
    let mut names = HashSet::default();
    for node in tree.semantic.nodes().iter() {
        match node.kind() {
            AstKind::StaticMemberExpression(member) => _ = names.insert(member.property.name.to_string()),
            AstKind::ObjectProperty(property) => names.extend(static_name(&property.key)),
            AstKind::StringLiteral(literal) => _ = names.insert(literal.value.to_string()),
            AstKind::ComputedMemberExpression(member)
                if member.static_property_name().is_none() && tree.is_target(node.id()) =>
            {
                return SetOutOfSight::Any;
            }
            _ => {}
        }
    }
    SetOutOfSight::Listed(Box::new(names))
}

struct NameCollector<'c, 't, 'a> {
    tree: &'c Tree<'t, 'a>,
    source: &'c str,
    script: &'c mut Script,
    /// The outermost `with` statement's body around this node, or the last one before it.
    with_body: Option<Span>,
    /// Whether the global object became a value.
    has_escaped: bool,
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
            AstKind::StaticMemberExpression(member) if member.property.name == EVAL => {
                self.eval_of(id, &member.object, member.property.span);
            }
            AstKind::ComputedMemberExpression(member)
                if member.static_property_name().is_some_and(|name| name == EVAL) =>
            {
                self.eval_of(id, &member.object, member.expression.span());
            }
            AstKind::VariableDeclarator(declarator) => {
                self.destructured_eval(destructured_keys(declarator), declarator.init.as_ref());
            }
            AstKind::AssignmentExpression(assignment) => {
                self.destructured_eval(assigned_keys(&assignment.left), Some(&assignment.right));
            }
            AstKind::CallExpression(call) => {
                self.script.may_change_unnamed_fields |= self.tree.may_change_unnamed_fields(id, call);
                self.call(&call.callee, call.arguments.first());
            }
            AstKind::NewExpression(new) => self.call(&new.callee, new.arguments.first()),
            AstKind::TaggedTemplateExpression(tagged) => self.call(&tagged.tag, None),
            AstKind::WithStatement(with) if self.with_body.is_none_or(|body| body.end <= with.span.start) => {
                self.with_body = Some(with.body.span());
            }
            AstKind::ThisExpression(this) => {
                self.script.may_change_own_field |= !self.tree.is_own_field_only_read(id, this.span);
                if self.tree.global_this.contains(&this.span.start) {
                    self.global_object(id);
                }
            }
            _ => {}
        }
    }

    fn name(&mut self, id: NodeId, name: &IdentifierReference<'a>) {
        let Some(reference) = self.tree.reference(name) else { return };
        if let Some(symbol) = self.tree.symbol(name) {
            if reference.is_read() && self.tree.is_alias(symbol) {
                self.global_object(id);
            }
            return;
        }
        if name.name == "arguments" && self.is_in_function(id) {
            return;
        }
        let operator = self.operator(id);
        // Deleting a name does not read it, and it may be missing.
        if operator == Some(UnaryOperator::Delete) {
            return;
        }
        let is_tested = operator == Some(UnaryOperator::Typeof);
        if name.name == EVAL && !is_tested {
            self.run_code(EVAL, name.span);
        }
        if GLOBAL_OBJECT.contains(&name.name.as_str()) {
            self.global_object(id);
        }
        let scope = self.tree.semantic.nodes().get_node(id).scope_id();
        let is_strict = self.tree.scoping().scope_flags(scope).is_strict_mode();
        self.script.globals.push(Global {
            name: name.name.to_string(),
            range: range(name.span),
            is_read: reference.is_read(),
            is_written: reference.is_write(),
            is_tested,
            is_declared: reference.is_write() && !reference.is_read() && !is_strict,
            is_in_with: self.with_body.is_some_and(|body| body.contains_inclusive(name.span)),
        });
    }

    /// Whether `arguments` at a node is that of a function.
    fn is_in_function(&self, id: NodeId) -> bool {
        self.tree.semantic.nodes().ancestor_kinds(id).any(|kind| matches!(kind, AstKind::Function(_)))
    }

    /// The operator of which a node is the operand.
    fn operator(&self, id: NodeId) -> Option<UnaryOperator> {
        let mut around = self.tree.semantic.nodes().ancestor_kinds(id);
        match around.find(|kind| !matches!(kind, AstKind::ParenthesizedExpression(_)))? {
            AstKind::UnaryExpression(unary) => Some(unary.operator),
            _ => None,
        }
    }

    fn global_object(&mut self, id: NodeId) {
        match self.tree.global_use(id) {
            GlobalUse::Members(names) => self.script.global_members.extend(names),
            GlobalUse::ReadsAny => self.script.may_read_any = true,
            GlobalUse::WritesAny => self.script.set_out_of_sight = SetOutOfSight::Any,
            GlobalUse::Escapes => {
                self.script.may_read_any = true;
                self.has_escaped = true;
            }
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
            Expression::Identifier(identifier) => {
                let compiling = || self.tree.compiles(callee).then_some("Function");
                let global = self.tree.global(callee).or_else(|| self.tree.destructured_global(identifier));
                (global.or_else(compiling), identifier.span)
            }
            Expression::StaticMemberExpression(member) => {
                (self.function_of_member(&member.object, &member.property.name, first), member.property.span)
            }
            Expression::ComputedMemberExpression(member) => {
                let Some(name) = member.static_property_name() else { return };
                (self.function_of_member(&member.object, name.as_str(), first), member.expression.span())
            }
            _ => return,
        };
        let is_string =
            || first.and_then(Argument::as_expression).is_some_and(|first| self.tree.kind(first) == ValueKind::String);
        match name {
            Some("Function") => self.run_code("Function", span),
            Some(name @ ("setTimeout" | "setInterval" | "setImmediate" | "execScript")) if is_string() => {
                self.run_code(name, span);
            }
            _ => {}
        }
    }

    /// `globalThis.eval`
    fn eval_of(&mut self, id: NodeId, object: &Expression<'a>, span: Span) {
        let is_tested = self.operator(id) == Some(UnaryOperator::Typeof);
        if !is_tested && !self.tree.is_target(id) && self.tree.is_global_object(object) {
            self.run_code(EVAL, span);
        }
    }

    /// `{ eval: run } = globalThis`
    fn destructured_eval(&mut self, keys: Vec<(String, Span)>, value: Option<&Expression<'a>>) {
        if let Some((_, span)) = keys.into_iter().find(|(name, _)| name == EVAL)
            && value.is_some_and(|value| self.tree.is_global_object(value))
        {
            self.run_code(EVAL, span);
        }
    }

    /// The global function that a call of a member calls: `this.eval`, `[].constructor.constructor`,
    /// `Reflect.construct(Function, …)`.
    fn function_of_member<'m>(
        &self,
        object: &'m Expression<'a>,
        name: &'m str,
        first: Option<&Argument<'a>>,
    ) -> Option<&'m str> {
        let is_called = match name {
            "construct" | "apply" if self.tree.is_global(object, "Reflect") => {
                first.and_then(Argument::as_expression).is_some_and(|first| self.tree.compiles(first))
            }
            "call" | "apply" | "bind" => self.tree.compiles(object),
            // The constructor of a function compiles a string.
            "constructor" => self.tree.is_function(object),
            _ => false,
        };
        if is_called { Some("Function") } else { Some(name).filter(|_| self.tree.is_global_object(object)) }
    }

    /// A string is run as code, which may use and set everything.
    fn run_code(&mut self, name: &str, span: Span) {
        self.script.may_read_any = true;
        self.script.set_out_of_sight = SetOutOfSight::Any;
        self.script.dynamic.push(DynamicCode { name: name.to_owned(), range: range(span) });
    }

    fn string(&mut self, id: NodeId, value: &str, span: Span) {
        let call = self.tree.call_of_first_argument(id, span);
        let argument_of = call.and_then(|(_, callee)| callee.get_identifier_reference()).map(|name| name.name.as_str());
        let quoted = range(span);
        let inside = quoted.start + 1..quoted.end.saturating_sub(1);
        if self.source.get(inside.clone()).is_some() {
            if argument_of == Some(SELECT) && call.is_some_and(|(call, _)| self.tree.is_only_read(call)) {
                self.script.inert.push(inside.clone());
            }
            let argument_of = argument_of.map(Box::from);
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

/// The uses of undeclared names in a script.
#[derive(Debug, Clone, Default)]
pub struct NameUses {
    /// In the order of the script.
    pub uses: Vec<NameUse>,
    /// The names that it declares in any scope.
    pub declared: HashSet<String>,
}

/// A use of a name that the script does not declare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameUse {
    pub name: String,
    /// In bytes of the script.
    pub range: Range<usize>,
    pub is_written: bool,
    /// Whether it also names the property of an object: `{ Name }` stands for `{ Name: Name }`.
    pub is_shorthand: bool,
}

/// The uses of undeclared names; `None` if the script does not parse.
pub fn name_uses(script: &str) -> Option<NameUses> {
    read_tree(script, |semantic| {
        let mut found = NameUses::default();
        let scoping = semantic.scoping();
        found.declared.extend(scoping.symbol_names().map(str::to_owned));
        for node in semantic.nodes().iter() {
            let AstKind::IdentifierReference(name) = node.kind() else { continue };
            let reference = name.reference_id.get().map(|id| scoping.get_reference(id));
            let Some(reference) = reference.filter(|reference| reference.symbol_id().is_none()) else { continue };
            found.uses.push(NameUse {
                name: name.name.to_string(),
                range: range(name.span),
                is_written: reference.is_write(),
                is_shorthand: is_shorthand(semantic, node.id()),
            });
        }
        found.uses.sort_by_key(|found| found.range.start);
        found
    })
}

/// Whether a script can use a variable with this name.
pub fn is_identifier(name: &str) -> bool {
    is_identifier_name(name) && !is_reserved_keyword(name) && !is_built_in(name)
}

fn is_shorthand(semantic: &Semantic<'_>, id: NodeId) -> bool {
    match semantic.nodes().parent_kind(id) {
        AstKind::ObjectProperty(property) => property.shorthand,
        AstKind::AssignmentTargetPropertyIdentifier(_) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::name_uses;

    #[test]
    fn uses_of_undeclared_names_are_found() {
        let script = "var a = Name; function f(Other) { return Other + `${Name}`; } Json = { Name, x: Name.Name };";
        let found = name_uses(script).unwrap();
        let uses: Vec<_> = found
            .uses
            .iter()
            .map(|it| (script.get(it.range.clone()).unwrap(), it.is_written, it.is_shorthand))
            .collect();
        assert_eq!(
            uses,
            [
                ("Name", false, false),
                ("Name", false, false),
                ("Json", true, false),
                ("Name", false, true),
                ("Name", false, false)
            ]
        );
        assert!(found.declared.contains("a") && found.declared.contains("Other") && !found.declared.contains("Name"));
        assert!(name_uses("({Name} = x)").unwrap().uses[0].is_shorthand);
        assert!(name_uses("(").is_none());
    }
}
