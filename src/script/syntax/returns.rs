//! The `return` statements outside of functions, which end the script.

use oxc_ast::AstKind;
use oxc_span::{GetSpan, Span};

use super::script::TopLevelReturn;
use super::tree::Tree;

pub(super) fn collect(tree: &Tree<'_, '_>) -> Vec<TopLevelReturn> {
    let nodes = tree.semantic.nodes();
    let mut functions: Option<Span> = None;
    let mut returns = Vec::new();
    // Nodes are in pre-order, so the function around a node comes before it.
    for node in nodes.iter() {
        let span = node.kind().span();
        match node.kind() {
            AstKind::Function(_) | AstKind::ArrowFunctionExpression(_) | AstKind::StaticBlock(_)
                if functions.is_none_or(|last| last.end <= span.start) =>
            {
                functions = Some(span);
            }
            AstKind::ReturnStatement(statement) if functions.is_none_or(|last| last.end <= span.start) => {
                let argument_end = statement.argument.as_ref().map(|argument| argument.span().end as usize);
                returns.push(TopLevelReturn { start: span.start as usize, argument_end, end: span.end as usize });
            }
            _ => {}
        }
    }
    returns
}
