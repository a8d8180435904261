//! Parses scripts on a stack that is large enough for them.
//!
//! The parser recurses with the nesting of a script, and how deep that is shows only while it parses:
//! not every nesting has brackets (`a=>a=>a`, `a+a+a`). So the stack is in proportion to the length of
//! the longest script.

use std::panic::{AssertUnwindSafe, catch_unwind};

use oxc_allocator::Allocator;
use oxc_parser::{ParseOptions, Parser};
use oxc_semantic::SemanticBuilder;
use oxc_span::SourceType;

use super::parsed::{MAX_PARSED_BYTES, ScriptKind, Syntax, SyntaxError};
use super::position::line_starts;
use super::script::Script;
use super::tree::Tree;
use super::{condition, definite_use, json, names};
use crate::script::stack::with_stack;
use crate::text::character_length;

/// Bytes of stack for any script. This and the next are address space; memory is only what is used.
const MIN_STACK: usize = 1 << 20;

/// Bytes of stack in addition for each byte of a script, measured on the deepest nestings: every byte
/// or two may be one more level. Without optimization frames are larger.
const STACK_PER_BYTE: usize = if cfg!(debug_assertions) { 24 << 10 } else { 4 << 10 };

pub(super) fn analyze(scripts: &[(ScriptKind, &str)]) -> Vec<Syntax> {
    let longest = scripts.iter().map(|(_, script)| script.len()).filter(|length| *length <= MAX_PARSED_BYTES).max();
    let unknown = || vec![Syntax::Unknown; scripts.len()];
    let Some(longest) = longest else { return unknown() };
    let work = || scripts.iter().map(|(kind, script)| one(*kind, script)).collect();
    with_stack(MIN_STACK + STACK_PER_BYTE * longest, work).unwrap_or_else(unknown)
}

fn one(kind: ScriptKind, script: &str) -> Syntax {
    if script.len() > MAX_PARSED_BYTES {
        return Syntax::Unknown;
    }
    // A panic of the parser costs the findings in this script, not the whole lint.
    catch_unwind(AssertUnwindSafe(|| parse(kind, script))).unwrap_or(Syntax::Unknown)
}

fn parse(kind: ScriptKind, script: &str) -> Syntax {
    let allocator = Allocator::default();
    let options = ParseOptions {
        parse_regular_expression: true,
        allow_return_outside_function: kind == ScriptKind::FunctionBody,
        ..ParseOptions::default()
    };
    let parsed = Parser::new(&allocator, script, SourceType::cjs()).with_options(options).parse();
    if parsed.is_flow_language {
        return Syntax::Unknown;
    }
    let error = |message: &str, position: Option<(usize, usize)>| {
        let (start, length) = position.unwrap_or_default();
        let range = visible(script, start, start + length);
        let message = message.trim_end_matches('.').to_owned();
        Syntax::Error(SyntaxError { message, range, line_starts: line_starts(script) })
    };
    if let Some(found) = parsed.errors.first() {
        let position = found.labels.iter().flatten().next().map(|label| (label.offset(), label.len()));
        return error(&found.message, position);
    }
    let built = SemanticBuilder::new().with_check_syntax_error(true).build(&parsed.program);
    if let Some(found) = built.errors.first() {
        // Of two positions, as of a duplicate declaration, the second is the wrong one.
        let position = found.labels.iter().flatten().last().map(|label| (label.offset(), label.len()));
        return error(&found.message, position);
    }
    let tree = Tree::new(&built.semantic);
    let mut found =
        Script { is_empty: parsed.program.is_empty(), line_starts: line_starts(script), ..Script::default() };
    names::collect(&tree, script, &mut found);
    if kind == ScriptKind::Script {
        found.json = json::analyze(&tree, &parsed.program, &found);
        found.definite_uses = definite_use::collect(&tree);
        found.has_condition = condition::has_condition(&tree);
    }
    Syntax::Script(Box::new(found))
}

/// Extends a range to whole characters, and to at least one character if the script has any.
fn visible(script: &str, start: usize, end: usize) -> std::ops::Range<usize> {
    let mut start = floor(script, start);
    if start == script.len() {
        start = script.trim_end().char_indices().next_back().map_or(0, |(last, _)| last);
    }
    let length = character_length(script, start);
    let end = floor(script, end);
    start..end.max(start + length)
}

/// The last character boundary at or before a byte.
fn floor(script: &str, at: usize) -> usize {
    (0..=at.min(script.len())).rev().find(|&at| script.is_char_boundary(at)).unwrap_or(0)
}
