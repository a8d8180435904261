//! The globals whose values a script only inserts into strings, objects and lists, wherever it names them.

use oxc_ast::AstKind;
use oxc_ast::ast::{AssignmentTarget, PropertyKind};
use oxc_semantic::NodeId;
use oxc_span::{GetSpan, Span};
use oxc_syntax::operator::{AssignmentOperator, BinaryOperator, LogicalOperator};

use super::script::{Script, SetOutOfSight};
use super::tree::{JSON, Tree};
use crate::collections::HashMap;

/// Steps that are followed from one use.
const MAX_STEPS: usize = 100;

/// Sorted. What becomes of the strings and objects is not followed.
pub(super) fn collect(tree: &Tree<'_, '_>, script: &Script) -> Box<[Box<str>]> {
    if script.may_read_any || script.set_out_of_sight != SetOutOfSight::None {
        return Box::default();
    }
    let mut found: HashMap<&str, bool> = HashMap::default();
    for node in tree.semantic.nodes().iter() {
        if let AstKind::IdentifierReference(name) = node.kind()
            && tree.symbol(name).is_none()
        {
            let is_read = tree.reference(name).is_some_and(|reference| reference.is_read() && !reference.is_write());
            let is_inserted = found.entry(name.name.as_str()).or_insert(true);
            *is_inserted = *is_inserted && is_read && is_inserted_at(tree, node.id());
        }
    }
    let is_in_sight = |name: &str| {
        let mut uses = script.globals.iter().filter(|global| global.name == name);
        !script.global_members.iter().any(|member| member == name) && !uses.any(|global| global.is_in_with)
    };
    let inserted = found.into_iter().filter(|(name, is_inserted)| *is_inserted && is_in_sight(name));
    let mut inserted: Vec<Box<str>> = inserted.map(|(name, _)| name.into()).collect();
    inserted.sort_unstable();
    inserted.into()
}

/// The regular expressions of a script, in their order.
pub(super) fn patterns(tree: &Tree<'_, '_>) -> Box<[Box<str>]> {
    let literals = tree.semantic.nodes().iter().filter_map(|node| match node.kind() {
        AstKind::RegExpLiteral(literal) => Some(literal.regex.pattern.text.as_str().into()),
        _ => None,
    });
    literals.collect()
}

/// Whether the value of a use is only inserted.
fn is_inserted_at(tree: &Tree<'_, '_>, node: NodeId) -> bool {
    let nodes = tree.semantic.nodes();
    let mut own = nodes.kind(node).span();
    let mut around = nodes.ancestor_kinds(node).take(MAX_STEPS);
    let mut is_assigned = false;
    while let Some(kind) = around.next() {
        match next(kind, own) {
            Next::Around => {}
            Next::Assigned => is_assigned = true,
            // The value of an assignment that is the body of an arrow function is what that returns.
            Next::Statement => {
                let is_body = matches!(around.next(), Some(AstKind::FunctionBody(_)));
                let function = around.next().filter(|_| is_body);
                return is_assigned
                    && !matches!(function, Some(AstKind::ArrowFunctionExpression(arrow)) if arrow.expression);
            }
            Next::Ends(is_inserted) => return is_inserted,
        }
        own = kind.span();
    }
    false
}

enum Next {
    /// It is, or is a part of, the value of the expression around it.
    Around,
    /// As `Around`, and the expression assigns it to a property, to `Json`, or to the end of a string.
    Assigned,
    /// A statement of that expression alone.
    Statement,
    /// Whether it is inserted there.
    Ends(bool),
}

fn next(around: AstKind<'_>, own: Span) -> Next {
    match around {
        AstKind::ParenthesizedExpression(_) | AstKind::TemplateLiteral(_) => Next::Around,
        AstKind::BinaryExpression(binary) if binary.operator == BinaryOperator::Addition => Next::Around,
        AstKind::LogicalExpression(logical) if logical.operator != LogicalOperator::And => Next::Around,
        AstKind::ConditionalExpression(either) if either.test.span() != own => Next::Around,
        AstKind::ObjectProperty(property) => {
            Next::Ends(!property.computed && property.kind == PropertyKind::Init && property.value.span() == own)
        }
        AstKind::ArrayExpression(_) => Next::Ends(true),
        AstKind::AssignmentExpression(assignment) if assignment.right.span() == own => {
            match (&assignment.left, assignment.operator) {
                (AssignmentTarget::StaticMemberExpression(_), AssignmentOperator::Assign)
                | (AssignmentTarget::AssignmentTargetIdentifier(_), AssignmentOperator::Addition) => Next::Assigned,
                (AssignmentTarget::AssignmentTargetIdentifier(name), AssignmentOperator::Assign)
                    if name.name == JSON =>
                {
                    Next::Assigned
                }
                _ => Next::Ends(false),
            }
        }
        AstKind::ExpressionStatement(_) => Next::Statement,
        _ => Next::Ends(false),
    }
}

#[cfg(test)]
mod tests {
    use crate::script::syntax::{ScriptKind, analyze};

    fn inserted(text: &str) -> Vec<String> {
        let syntax = analyze(ScriptKind::Script, text);
        syntax.script().unwrap().inserted.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn values_that_are_only_inserted() {
        for text in [
            "Json = JSON.stringify({ Name: Title, Parties: [] })",
            "var o = {}; o.Name = Title || 'Document'; Json = JSON.stringify(o)",
            "var text = 'Case: '; text += Title + '\\r\\n'; Json = text",
            "Json = `a ${Title}`",
            "const o = { Title }; Json = JSON.stringify([Title, o])",
            "Json = Other === 'x' ? Title : (Title + '!')",
            "var o = {}; o.a = o.b = Title; function f() { o.c = Title } f(); Json = JSON.stringify(o)",
        ] {
            assert!(inserted(text).contains(&"Title".to_owned()), "{text}");
        }
    }

    #[test]
    fn values_that_are_used_in_another_way_somewhere() {
        for text in [
            "Json = JSON.stringify({ Name: Title, Long: Title.length > 30 })",
            "Json = Title ? 'a' : 'b'",
            "Json = Title && 'b'",
            "if (Title === 'x') Json = 'y'",
            "Json = JSON.stringify({ [Title]: 1 })",
            "Json = `${Title.trim()}`",
            "Json = tag`a${Title}`",
            "var title = Title; Json = title",
            "Json = f(Title); function f(x) { return x; }",
            "Title = 'x'; Json = Title",
            "Title += 'x'; Json = Title",
            "Json = Title - 1",
            "Json = { a: 'b' }[Title]",
            "with (Other) { Json = Title }",
            "Json = Title; eval('1')",
            "Json = Title + this.Title",
            "Json = typeof Title + Title",
            "var o = {}; Json = '' + (o.a = Title).length",
            "var o = {}, f = () => o.a = Title; Json = '' + f().length",
            "var o = { get a() { return Title } }; Json = '' + o.a.length",
            "function f(a = Title) { return a } Json = f()",
        ] {
            assert!(!inserted(text).contains(&"Title".to_owned()), "{text}");
        }
    }
}
