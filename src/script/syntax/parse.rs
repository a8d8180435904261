//! Parses scripts where there is stack for it: the parser recurses, and how deep shows only then.

use std::panic::{AssertUnwindSafe, catch_unwind};

use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;

use super::place::line_starts;
use super::tree::Tree;
use super::{Goal, LONGEST, Script, Syntax, SyntaxError, json, names, sure};
use crate::script::stack::with_stack;

/// Bytes of stack for any script, and more for each of its bytes. Only what is used is ever memory.
const STACK: usize = 1 << 20;
const STACK_PER_BYTE: usize = if cfg!(debug_assertions) { 24 << 10 } else { 4 << 10 };

pub(super) fn analyse(scripts: &[(Goal, &str)]) -> Vec<Syntax> {
    let longest = scripts.iter().map(|(_, script)| script.len()).filter(|length| *length <= LONGEST).max();
    let nothing = || vec![Syntax::NotKnown; scripts.len()];
    let Some(longest) = longest else { return nothing() };
    let work = || scripts.iter().map(|(goal, script)| one(*goal, script)).collect();
    with_stack(STACK + STACK_PER_BYTE * longest, work).unwrap_or_else(nothing)
}

fn one(goal: Goal, script: &str) -> Syntax {
    if script.len() > LONGEST {
        return Syntax::NotKnown;
    }
    // A fault of the parser must not cost more than what it would have said.
    catch_unwind(AssertUnwindSafe(|| parse(goal, script))).unwrap_or(Syntax::NotKnown)
}

fn parse(goal: Goal, script: &str) -> Syntax {
    let allocator = Allocator::default();
    let options = ParseOptions {
        parse_regular_expression: true,
        allow_return_outside_function: goal == Goal::FunctionBody,
        ..ParseOptions::default()
    };
    let parsed = Parser::new(&allocator, script, SourceType::cjs()).with_options(options).parse();
    if parsed.is_flow_language {
        return Syntax::NotKnown;
    }
    let error = |message: &str, place: Option<(usize, usize)>| {
        let (start, length) = place.unwrap_or_default();
        let range = visible(script, start, start + length);
        let message = message.trim_end_matches('.').to_owned();
        Syntax::Error(SyntaxError { message, range, line_starts: line_starts(script) })
    };
    if let Some(found) = parsed.errors.first() {
        let place = found.labels.iter().flatten().next().map(|label| (label.offset(), label.len()));
        return error(&found.message, place);
    }
    let built = SemanticBuilder::new().with_check_syntax_error(true).build(&parsed.program);
    if let Some(found) = built.errors.first() {
        // Of two places, as of a name declared twice, the second is the one too many.
        let place = found.labels.iter().flatten().last().map(|label| (label.offset(), label.len()));
        return error(&found.message, place);
    }
    let tree = Tree::new(&built.semantic);
    let mut found =
        Script { is_empty: parsed.program.is_empty(), line_starts: line_starts(script), ..Script::default() };
    names::collect(&tree, script, &mut found);
    if goal == Goal::Script {
        found.json = json::analyse(&tree, &parsed.program, &found);
        found.sure_uses = sure::collect(&tree);
        found.has_condition = sure::has_condition(&tree);
    }
    Syntax::Script(Box::new(found))
}

/// A range of whole characters with at least one in it, if there is one.
fn visible(script: &str, start: usize, end: usize) -> std::ops::Range<usize> {
    let mut start = floor(script, start);
    if start == script.len() {
        start = script.trim_end().char_indices().next_back().map_or(0, |(last, _)| last);
    }
    let after = script.get(start..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
    let end = floor(script, end);
    start..end.max(start + after)
}

/// The nearest boundary of characters at or before a byte.
fn floor(script: &str, at: usize) -> usize {
    (0..=at.min(script.len())).rev().find(|&at| script.is_char_boundary(at)).unwrap_or(0)
}
