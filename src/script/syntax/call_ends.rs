//! Where the arguments of the calls in a script end.

use oxc_allocator::Vec as ArenaVec;
use oxc_ast::AstKind;
use oxc_ast::ast::{Argument, Expression};
use oxc_span::GetSpan;

use super::parse::read_tree;

/// A call with arguments. Offsets are in bytes of the script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallEnd {
    /// The last name of what is called.
    pub callee: usize,
    /// The end of the last argument.
    pub arguments: usize,
}

/// The calls, by the end of their arguments; `None` if the script does not parse.
pub fn call_ends(script: &str) -> Option<Vec<CallEnd>> {
    read_tree(script, |semantic| {
        let calls = semantic.nodes().iter().filter_map(|node| match node.kind() {
            AstKind::CallExpression(call) => call_end(&call.callee, &call.arguments),
            AstKind::NewExpression(new) => call_end(&new.callee, &new.arguments),
            _ => None,
        });
        let mut calls: Vec<CallEnd> = calls.collect();
        calls.sort_unstable_by_key(|call| call.arguments);
        calls
    })
}

fn call_end<'a>(callee: &Expression<'a>, arguments: &ArenaVec<'a, Argument<'a>>) -> Option<CallEnd> {
    let callee = match callee.without_parentheses() {
        Expression::StaticMemberExpression(member) => member.property.span,
        Expression::ComputedMemberExpression(member) => member.expression.span(),
        other => other.span(),
    };
    Some(CallEnd { callee: callee.start as usize, arguments: arguments.last()?.span().end as usize })
}
