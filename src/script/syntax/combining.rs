//! Scripts that only put values together: all values take the same path through them.

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, CallExpression, Expression};
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator};

use super::tree::Tree;

/// Methods that work alike on any string or list, or fail on each.
const METHODS: [&str; 9] =
    ["concat", "join", "push", "toLowerCase", "toString", "toUpperCase", "trim", "trimEnd", "trimStart"];

/// Whether a script joins values, writes them into objects and lists, and does nothing else with them.
pub(super) fn only_combines(tree: &Tree<'_, '_>) -> bool {
    tree.semantic.nodes().iter().all(|node| combines(tree, node.kind()))
}

fn combines<'a>(tree: &Tree<'_, 'a>, kind: AstKind<'a>) -> bool {
    match kind {
        AstKind::Program(_)
        | AstKind::Directive(_)
        | AstKind::EmptyStatement(_)
        | AstKind::BlockStatement(_)
        | AstKind::ExpressionStatement(_)
        | AstKind::ReturnStatement(_)
        | AstKind::VariableDeclaration(_)
        | AstKind::VariableDeclarator(_)
        | AstKind::BindingIdentifier(_)
        | AstKind::Function(_)
        | AstKind::ArrowFunctionExpression(_)
        | AstKind::FunctionBody(_)
        | AstKind::FormalParameters(_)
        | AstKind::FormalParameter(_)
        | AstKind::IdentifierName(_)
        | AstKind::IdentifierReference(_)
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
        AstKind::ObjectProperty(property) => !property.computed,
        AstKind::StaticMemberExpression(member) => member.property.name != "length",
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

fn is_plain_call<'a>(tree: &Tree<'_, 'a>, call: &CallExpression<'a>) -> bool {
    match call.callee.without_parentheses() {
        Expression::Identifier(name) => tree.symbol(name).is_some() || name.name == "String",
        Expression::StaticMemberExpression(member) => {
            let method = member.property.name.as_str();
            METHODS.contains(&method)
                || (method == "stringify" && tree.is_global(&member.object, "JSON"))
                || tree.is_global(&member.object, "console")
        }
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
        ] {
            assert!(!only_combines(text), "{text}");
        }
    }
}
