//! Scripts that only put values together: other values take the same path through them.

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, CallExpression, Expression, IdentifierReference, PropertyKind};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator};

use super::built_in::is_built_in;
use super::members;
use super::tree::Tree;

/// Methods that work alike on any string or list, or fail on each.
const METHODS: [&str; 8] = ["concat", "join", "push", "toLowerCase", "toUpperCase", "trim", "trimEnd", "trimStart"];

/// Globals whose functions may be called. No script that replaces one only combines values.
const CALLED: [&str; 3] = ["JSON", "String", "console"];

/// Whether a script only joins values as strings, and writes them into objects and lists.
///
/// It refers to no function of the language but those that it calls by their own names: another may be called by any.
pub(super) fn only_combines(tree: &Tree<'_, '_>) -> bool {
    tree.semantic.nodes().iter().all(|node| combines(tree, node.id(), node.kind()))
}

fn combines<'a>(tree: &Tree<'_, 'a>, id: NodeId, kind: AstKind<'a>) -> bool {
    match kind {
        AstKind::Program(_)
        | AstKind::Directive(_)
        | AstKind::EmptyStatement(_)
        | AstKind::BlockStatement(_)
        | AstKind::ExpressionStatement(_)
        | AstKind::ReturnStatement(_)
        | AstKind::VariableDeclaration(_)
        | AstKind::VariableDeclarator(_)
        | AstKind::Function(_)
        | AstKind::ArrowFunctionExpression(_)
        | AstKind::FunctionBody(_)
        | AstKind::FormalParameters(_)
        | AstKind::FormalParameter(_)
        | AstKind::IdentifierName(_)
        | AstKind::Argument(_)
        | AstKind::ParenthesizedExpression(_)
        | AstKind::ArrayExpression(_)
        | AstKind::ObjectExpression(_)
        | AstKind::TemplateLiteral(_)
        | AstKind::TemplateElement(_)
        | AstKind::StringLiteral(_)
        | AstKind::NumericLiteral(_)
        | AstKind::BooleanLiteral(_)
        | AstKind::NullLiteral(_) => true,
        AstKind::BindingIdentifier(name) => !CALLED.contains(&name.name.as_str()),
        AstKind::IdentifierReference(name) => is_plain_name(tree, id, name),
        AstKind::ObjectProperty(property) => !property.computed && property.kind == PropertyKind::Init,
        AstKind::StaticMemberExpression(member) => {
            let name = member.property.name.as_str();
            name != "constructor" && (!members::is_built_in(name) || is_called(tree, id, member.span))
        }
        AstKind::BinaryExpression(binary) => binary.operator == BinaryOperator::Addition,
        AstKind::AssignmentExpression(assignment) => {
            matches!(assignment.operator, AssignmentOperator::Assign | AssignmentOperator::Addition)
                && matches!(
                    assignment.left,
                    AssignmentTarget::AssignmentTargetIdentifier(_) | AssignmentTarget::StaticMemberExpression(_)
                )
        }
        AstKind::CallExpression(call) => is_plain_call(tree, call),
        _ => false,
    }
}

/// Whether a name is that of a variable, or of a function of the language where it is called.
fn is_plain_name<'a>(tree: &Tree<'_, 'a>, id: NodeId, name: &IdentifierReference<'a>) -> bool {
    if tree.symbol(name).is_some() {
        return true;
    }
    match name.name.as_str() {
        "undefined" => true,
        "arguments" => false,
        "String" => is_called(tree, id, name.span),
        "JSON" | "console" => matches!(
            tree.semantic.nodes().parent_kind(id),
            AstKind::StaticMemberExpression(member)
                if is_called(tree, tree.semantic.nodes().parent_id(id), member.span)
        ),
        other => !is_built_in(other),
    }
}

/// Whether an expression is what a call calls.
fn is_called(tree: &Tree<'_, '_>, id: NodeId, span: Span) -> bool {
    matches!(
        tree.semantic.nodes().parent_kind(id),
        AstKind::CallExpression(call) if call.callee.span() == span
    )
}

fn is_plain_call<'a>(tree: &Tree<'_, 'a>, call: &CallExpression<'a>) -> bool {
    match &call.callee {
        Expression::Identifier(name) => tree.symbol(name).is_some() || name.name == "String",
        Expression::StaticMemberExpression(member) => match member.property.name.as_str() {
            "stringify" => tree.is_global(&member.object, "JSON"),
            // A number takes the base.
            "toString" => call.arguments.is_empty(),
            method => METHODS.contains(&method) || tree.is_global(&member.object, "console"),
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::script::syntax::{ScriptKind, Syntax, analyze};

    fn only_combines(text: &str) -> bool {
        let Syntax::Script(script) = analyze(ScriptKind::Script, text) else { panic!("{text}") };
        Arc::unwrap_or_clone(script).only_combines
    }

    #[test]
    fn scripts_that_put_values_together() {
        for text in [
            "Json = JSON.stringify({ Name: Title, Parties: [{ Name: Who.trim(), 'EmailAddress': Mail }] }, null, 2);",
            "'use strict'; var doc = {}; doc.Name = `Case of ${Title}`; doc.Parties = []; doc.Parties.push({ Name: Who }); \
             console.log(doc); Json = JSON.stringify(doc);",
            "const party = (name) => ({ Name: name }); function text(value) { return 'Case ' + String(value); } \
             Json = JSON.stringify({ Name: text(Title), Parties: [party(Who)] });",
        ] {
            assert!(only_combines(text), "{text}");
        }
    }

    #[test]
    fn scripts_that_take_another_path_or_make_other_values() {
        for text in [
            "Json = Title ? 'a' : 'b'",
            "Json = Title || 'b'",
            "if (Title) Json = Title",
            "for (const letter of Title) Json = letter",
            "Json = '' + Title.length",
            "Json = Title.replace('a', 'b')",
            "Json = JSON.stringify(JSON.parse(Title))",
            "Json = JSON.stringify({ Days: Number(Days) })",
            "Json = JSON.stringify({ Days: Days * 2 })",
            "Json = JSON.stringify({ Days: +Days })",
            "Json = { a: 'b' }[Title]",
            "Json = JSON.stringify({ [Title]: 1 })",
            "Json = new Date(Title).toISOString()",
            "Json = BigInt(Title).toString()",
            "var [first] = Title; Json = first",
            "Json = eval(Title)",
            "var JSON = Other; Json = JSON.stringify(Title)",
            "Json = tag`a${Title}`",
            "const days = Number; Json = JSON.stringify({ Days: days(Title) })",
            "const { parse } = JSON; Json = JSON.stringify(parse(Title))",
            "var parse = JSON.parse; Json = JSON.stringify(parse(Title))",
            "function f(g, x) { return g(x); } Json = JSON.stringify({ Days: f(Number, Title) })",
            "var o = { trim: parseInt }; Json = JSON.stringify(o.trim(Title))",
            "var h = {}; h.concat = Number; Json = JSON.stringify(h.concat(Title))",
            "String = Number; Json = JSON.stringify(String(Title))",
            "var String = Number; Json = JSON.stringify(String(Title))",
            "var days = (0).constructor; Json = JSON.stringify(days(Title))",
            "var o = { trim: [].indexOf }; Json = JSON.stringify(o.trim(Title))",
            "Json = JSON.stringify(doc, Number)",
            "Json = JSON.stringify({ toJSON: Number })",
            "Json = (255).toString(Base)",
            "Json = JSON.stringify({ get Name() { return Title; } })",
        ] {
            assert!(!only_combines(text), "{text}");
        }
    }
}
