//! Parses scripts on a stack that is large enough for them.
//!
//! The parser recurses with the nesting of a script, and how deep that is shows only while it parses. So the
//! stack is in proportion to an upper bound: the bytes of a short script, of a long one some of its tokens.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};

use oxc_allocator::Allocator;
use oxc_ast::AstKind;
use oxc_ast::ast::{Expression, Program, Statement, VariableDeclarationKind};
use oxc_parser::{ParseOptions, Parser, ParserReturn};
use oxc_semantic::{NodeId, Semantic, SemanticBuilder};
use oxc_span::{GetSpan, SourceType, Span};

use crate::common::limits::MAX_SCRIPT_BYTES;
use crate::script::with_stack;

/// Bytes of stack for any script. This and the next are address space; memory is only what is used.
const MIN_STACK: usize = 1 << 20;

/// Bytes of stack in addition for each byte that may be one more level, measured on the deepest nestings. Without
/// optimization frames are larger.
const STACK_PER_LEVEL: usize = if cfg!(debug_assertions) { 24 << 10 } else { 4 << 10 };

/// Bytes of a script that may be nested in any way.
pub(super) const MAX_FREE_BYTES: usize = 64 << 10;

/// Tokens of a longer script that may be open at one place, each of which counts as two bytes of a short one.
const MAX_OPEN: usize = MAX_FREE_BYTES / 2;

/// Tokens of a longer script: its tree takes some 200 bytes for each.
const MAX_TOKENS: usize = 256 << 10;

/// Larger scripts are parsed one at a time, so that their trees are not in memory together.
const MAX_SMALL: usize = 16 << 10;
static LARGE: Mutex<()> = Mutex::new(());

/// What a function finds in the tree of a script; `None` if the script does not parse.
pub(super) fn read_tree<T: Send>(script: &str, read: impl FnOnce(&Semantic<'_>) -> T + Send) -> Option<T> {
    let levels = levels(script)?;
    let read = || {
        let allocator = Allocator::default();
        let parsed = parse_text(&allocator, script);
        let is_read = parsed.errors.is_empty() && !parsed.is_flow_language;
        is_read.then(|| read(&SemanticBuilder::new().build(&parsed.program).semantic))
    };
    with_parser_stack(levels, || guarded(script, read).flatten()).flatten()
}

/// Runs the parser, and what recurses like it, on a stack for so many levels; `None` when there is none.
pub(super) fn with_parser_stack<T: Send>(levels: usize, work: impl FnOnce() -> T + Send) -> Option<T> {
    with_stack(MIN_STACK + STACK_PER_LEVEL * levels, work)
}

/// A panic of the parser costs the findings in this script, not the whole lint.
pub(super) fn guarded<T>(script: &str, work: impl FnOnce() -> T) -> Option<T> {
    let _guard = (script.len() > MAX_SMALL).then(|| LARGE.lock().unwrap_or_else(PoisonError::into_inner));
    catch_unwind(AssertUnwindSafe(work)).ok()
}

/// How deep the parser may recurse, in bytes of a script; `None` if that, or the tree, may take too much memory.
pub(super) fn levels(script: &str) -> Option<usize> {
    if script.len() <= MAX_FREE_BYTES {
        return Some(script.len());
    }
    if script.len() > MAX_SCRIPT_BYTES {
        return None;
    }
    // What is open across a line that ends with `;` is in brackets; or the end of that line is in a template or comment.
    let opening = script.bytes().filter(|byte| b"([{`/".contains(byte)).count() - 2 * script.matches("//").count();
    let opening = opening + script.matches("<!--").count() + script.matches("-->").count();
    let (mut all, mut longest, mut statement) = (0, 0, 0);
    for line in script.split_inclusive('\n') {
        statement += tokens(line);
        longest = longest.max(statement);
        if code(line).ends_with(';') {
            all += std::mem::take(&mut statement);
        }
    }
    let open = opening + longest;
    (open <= MAX_OPEN && all + statement <= MAX_TOKENS).then_some(2 * open)
}

/// A line without its comment, unless it goes on in the next line.
fn code(line: &str) -> &str {
    let line = line.trim_ascii_end();
    let before = line.split_once("//").filter(|_| !line.ends_with('\\'));
    before.map_or(line, |(before, _)| before.trim_ascii_end())
}

/// An upper bound of the tokens that nest: each punctuator has one byte at least, and each keyword is a word.
fn tokens(text: &str) -> usize {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let mut before = b' ';
    let begins_token = |byte: u8| {
        let is_continued = is_word(byte) && is_word(before);
        before = byte;
        !byte.is_ascii_whitespace() && !is_continued
    };
    text.bytes().map(begins_token).filter(|begins| *begins).count()
}

/// Parses a sloppy script, which may return.
pub(super) fn parse_text<'a>(allocator: &'a Allocator, script: &'a str) -> ParserReturn<'a> {
    let options =
        ParseOptions { parse_regular_expression: true, allow_return_outside_function: true, ..ParseOptions::default() };
    Parser::new(allocator, script, SourceType::cjs()).with_options(options).parse()
}

/// The offset of the first `await` outside of functions, if the script is valid as the body of an asynchronous function.
pub(super) fn find_top_level_await(script: &str) -> Option<usize> {
    const BEFORE: &str = "(async function () {\n";
    const AFTER: &str = "\n})";
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
