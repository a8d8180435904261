//! Parses scripts on a stack that is large enough for them.
//!
//! The parser recurses with the nesting of a script, and how deep that is shows only while it parses. So the
//! stack is in proportion to an upper bound: the length of a short script, otherwise what its tokens show.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use oxc_allocator::Allocator;
use oxc_semantic::{Semantic, SemanticBuilder};

use super::clues::Clues;
use super::parse_text::parse_text;
use super::parsed::{ScriptKind, Syntax, SyntaxError, SyntaxErrorKind, Unread};
use super::position::line_starts;
use super::reason::reason;
use super::script::{Global, Script};
use super::tokens::has_more_tokens;
use super::tree::Tree;
use super::{
    clues, combining, comparisons, condition, inserted, json, names, nesting, passed, returns, sites, throwing,
    top_level_await,
};
use crate::script::stack::with_stack;
use crate::text::character_length;

/// Bytes of stack for any script. This and the next are address space; memory is only what is used.
const MIN_STACK: usize = 1 << 20;

/// Bytes of stack in addition for each byte that may be one more level, measured on the deepest nestings. Without
/// optimization frames are larger.
const STACK_PER_LEVEL: usize = if cfg!(debug_assertions) { 24 << 10 } else { 4 << 10 };

/// How deep the analyses of any script may recurse, on the stack that every script has.
const MIN_LEVELS: usize = 50;

/// Bytes of a script that may be nested in any way.
pub(super) const MAX_FREE_BYTES: usize = 64 << 10;

/// Bytes of punctuators and keywords that may be open at one place of a longer script. Names do not count among them,
/// so each stands for two bytes of a script.
const MAX_OPEN: usize = MAX_FREE_BYTES / 2;

/// Tokens of any script that is parsed: its tree takes some 200 bytes for each.
const MIN_TOKENS: usize = 256 << 10;
/// Bytes of a script for each further token, so that the memory of a run is in proportion to its documents.
const BYTES_PER_TOKEN: usize = 16;

/// Larger scripts are parsed one at a time, so that their trees are not in memory together.
const MAX_SMALL: usize = 16 << 10;
static LARGE: Mutex<()> = Mutex::new(());

pub(super) fn analyze(scripts: &[(ScriptKind, &str)]) -> Vec<Syntax> {
    let levels: Vec<Result<usize, Unread>> = scripts.iter().map(|(_, script)| levels(script)).collect();
    let max_levels = levels.iter().flatten().max().unwrap_or(&0);
    let work = || {
        let one = |(levels, (kind, script)): (&Result<usize, Unread>, &(ScriptKind, &str))| match levels {
            Ok(levels) => one(*kind, script, *levels),
            Err(unread) => Syntax::Unread(*unread),
        };
        levels.iter().zip(scripts).map(one).collect()
    };
    with_stack(MIN_STACK + STACK_PER_LEVEL * max_levels, work)
        .unwrap_or_else(|| vec![Syntax::Unread(Unread::Failed); scripts.len()])
}

/// What a function finds in the tree of a script; `None` if the script does not parse.
pub(super) fn read_tree<T: Send>(script: &str, read: impl FnOnce(&Semantic<'_>) -> T + Send) -> Option<T> {
    let levels = levels(script).ok()?;
    let work = || {
        let _guard = (script.len() > MAX_SMALL).then(|| LARGE.lock().unwrap_or_else(PoisonError::into_inner));
        let read = || {
            let allocator = Allocator::default();
            let parsed = parse_text(&allocator, script);
            let is_read = parsed.errors.is_empty() && !parsed.is_flow_language;
            is_read.then(|| read(&SemanticBuilder::new().build(&parsed.program).semantic))
        };
        catch_unwind(AssertUnwindSafe(read)).ok().flatten()
    };
    with_stack(MIN_STACK + STACK_PER_LEVEL * levels, work).flatten()
}

/// How deep the parser may recurse, in bytes of a script.
fn levels(script: &str) -> Result<usize, Unread> {
    if script.len() <= MAX_FREE_BYTES {
        return Ok(script.len());
    }
    let open = nesting::bound(script, MAX_OPEN).filter(|open| *open <= MAX_OPEN).ok_or(Unread::TooDeep)?;
    let max_tokens = MIN_TOKENS + script.len() / BYTES_PER_TOKEN;
    if has_more_tokens(script, max_tokens) { Err(Unread::TooLarge) } else { Ok(2 * open) }
}

fn one(kind: ScriptKind, script: &str, levels: usize) -> Syntax {
    let _guard = (script.len() > MAX_SMALL).then(|| LARGE.lock().unwrap_or_else(PoisonError::into_inner));
    // A panic of the parser costs the findings in this script, not the whole lint.
    catch_unwind(AssertUnwindSafe(|| parse(kind, script, levels))).unwrap_or(Syntax::Unread(Unread::Failed))
}

fn parse(kind: ScriptKind, script: &str, levels: usize) -> Syntax {
    let allocator = Allocator::default();
    let parsed = parse_text(&allocator, script);
    let failed = |message: &str, label: Option<(usize, usize)>| {
        let awaited = if kind == ScriptKind::Script { top_level_await::find(script) } else { None };
        awaited.map_or_else(|| invalid(script, message, label), |at| awaits(script, at))
    };
    if let Some(found) = parsed.errors.first() {
        let position = found.labels.iter().flatten().next().map(|label| (label.offset(), label.len()));
        return failed(&found.message, position);
    }
    if parsed.is_flow_language {
        return Syntax::Unread(Unread::Failed);
    }
    let built = SemanticBuilder::new().with_check_syntax_error(true).build(&parsed.program);
    if let Some(found) = built.errors.iter().find(|error| !is_legal(kind, &error.message)) {
        // Of two positions, as of a duplicate declaration, the second is the wrong one.
        let position = found.labels.iter().flatten().last().map(|label| (label.offset(), label.len()));
        return failed(&found.message, position);
    }
    let tree = Tree::new(&built.semantic, levels + MIN_LEVELS);
    let mut found = Script { is_empty: parsed.program.is_empty(), ..Script::default() };
    // Nearly all of very many scripts have one line.
    let starts = line_starts(script);
    if starts.len() > 1 {
        found.line_starts = starts;
    }
    names::collect(&tree, script, &mut found);
    if kind == ScriptKind::Script {
        // `await (x)` is also the call of a function `await`.
        let is_called = |global: &Global| global.name == "await" && !global.is_tested && !global.is_written;
        let may_await = || tree.semantic.nodes().iter().any(|node| top_level_await::is_await(node.kind()));
        if (found.globals.iter().any(is_called) || script.contains("await") && may_await())
            && let Some(at) = top_level_await::find(script)
        {
            return awaits(script, at);
        }
        found.returns = returns::collect(&tree).into();
        found.is_strict = parsed.program.has_use_strict_directive();
        found.json = json::analyze(&tree, &parsed.program, &found);
        found.sites = sites::collect(&tree, &found.json.assignments);
        found.comparisons = Some(comparisons::collect(&tree)).filter(|found| !found.all.is_empty()).map(Box::new);
        found.clues = Some(clues::collect(&tree)).filter(|clues| *clues != Clues::NONE).map(Box::new);
        if !found.may_read_any {
            found.partly_passed = passed::collect(&tree, &found.global_members);
        }
        found.has_condition = condition::has_condition(&tree);
        found.only_combines = combining::only_combines(&tree);
        found.inserted = inserted::collect(&tree, &found);
        if !found.inserted.is_empty() {
            found.patterns = inserted::patterns(&tree);
        }
        found.always_throws = throwing::always_throws(&tree, &parsed.program);
    }
    found.shrink();
    Syntax::Script(Arc::new(found))
}

/// Whether what the parser, which knows only whole scripts, reports is valid in the body of a function.
fn is_legal(kind: ScriptKind, message: &str) -> bool {
    kind == ScriptKind::FunctionBody && message == "Unexpected new.target expression"
}

fn invalid(script: &str, message: &str, position: Option<(usize, usize)>) -> Syntax {
    let (start, length) = position.unwrap_or_default();
    Syntax::Error(Box::new(SyntaxError {
        kind: SyntaxErrorKind::Invalid,
        message: reason(message, script.get(start..).unwrap_or_default(), length),
        range: visible(script, start, start + length),
        line_starts: line_starts(script),
    }))
}

fn awaits(script: &str, at: usize) -> Syntax {
    Syntax::Error(Box::new(SyntaxError {
        kind: SyntaxErrorKind::TopLevelAwait,
        message: "top-level `await`".to_owned(),
        range: visible(script, at, at + "await".len()),
        line_starts: line_starts(script),
    }))
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
