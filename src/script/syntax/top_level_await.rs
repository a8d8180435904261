//! Finds an `await` outside of functions, which would be valid if the platform ran scripts as the body of an
//! asynchronous function.

use oxc_allocator::Allocator;
use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, Program, Statement, VariableDeclarationKind};
use oxc_semantic::{NodeId, Semantic, SemanticBuilder};
use oxc_span::{GetSpan, Span};

use super::parse_text::parse_text;

const BEFORE: &str = "(async function () {\n";
const AFTER: &str = "\n})";

/// The offset of the first one, if the script is valid with it.
pub(super) fn find(script: &str) -> Option<usize> {
    if !script.contains("await") {
        return None;
    }
    let text = format!("{BEFORE}{script}{AFTER}");
    let allocator = Allocator::default();
    let parsed = parse_text(&allocator, &text);
    let function = function(&parsed.program).filter(|function| function.end as usize == text.len() - 1)?;
    if !parsed.errors.is_empty() {
        return None;
    }
    let built = SemanticBuilder::new().with_check_syntax_error(true).build(&parsed.program);
    if !built.errors.is_empty() {
        return None;
    }
    let nodes = built.semantic.nodes();
    let awaits =
        nodes.iter().filter(|node| is_await(node.kind()) && is_directly_in(&built.semantic, node.id(), function));
    let start = awaits.map(|node| node.kind().span().start as usize).min()?;
    let word = text.get(start..)?.find("await")?;
    (start + word).checked_sub(BEFORE.len())
}

/// The function that is all of a program.
fn function(program: &Program<'_>) -> Option<Span> {
    let ([], [Statement::ExpressionStatement(statement)]) = (program.directives.as_slice(), program.body.as_slice())
    else {
        return None;
    };
    match statement.expression.without_parentheses() {
        Expression::FunctionExpression(function) => Some(function.span),
        _ => None,
    }
}

/// Whether a node awaits something.
pub(super) fn is_await(kind: AstKind<'_>) -> bool {
    match kind {
        AstKind::AwaitExpression(_) => true,
        AstKind::ForOfStatement(each) => each.r#await,
        AstKind::VariableDeclaration(declaration) => declaration.kind == VariableDeclarationKind::AwaitUsing,
        _ => false,
    }
}

fn is_directly_in(semantic: &Semantic<'_>, node: NodeId, function: Span) -> bool {
    let mut around = semantic.nodes().ancestor_kinds(node);
    around
        .find(|kind| matches!(kind, AstKind::Function(_) | AstKind::ArrowFunctionExpression(_)))
        .is_some_and(|inner| inner.span() == function)
}
