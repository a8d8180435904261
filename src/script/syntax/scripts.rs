//! Parses the scripts of a service, and collects the facts about each.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use oxc_allocator::Allocator;
use oxc_semantic::SemanticBuilder;

use super::parse::{find_top_level_await, guarded, is_await, levels, parse_text, with_parser_stack};
use super::position::{line_starts, position};
use super::script::{Global, Script};
use super::tree::{Tree, range};
use super::{input_hints, json, leaked_values, names, sites};
use crate::common::collections::HashMap;
use crate::script::pattern::lower_first;
use crate::text::{character_length, truncate};

/// How deep the analyses of any script may recurse, on the stack that every script has.
const MIN_LEVELS: usize = 50;

/// Longer messages of the parser are cut, in characters.
const MAX_MESSAGE: usize = 120;

/// The goal symbol of ECMAScript's grammar that a script is parsed as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScriptKind {
    /// A script in sloppy mode: that of a Code activity.
    Script,
    /// The body of a function: `onLoad`, `onChange` and `onSubmit` of a form field.
    FunctionBody,
}

/// The result of parsing a script.
#[derive(Debug, Clone, PartialEq)]
pub enum Syntax {
    /// It parses.
    Script(Arc<Script>),
    Error(Box<SyntaxError>),
    Unread(Unread),
}

/// Why a script could not be parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    /// Its nesting or its tree may take more memory than a script may.
    TooLarge,
    /// Its service has more scripts than are parsed.
    TooMany,
    /// The parser failed, or could not be started.
    Failed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SyntaxErrorKind {
    Invalid,
    /// An `await` that is valid only if the platform runs a script as an asynchronous function.
    TopLevelAwait,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    pub kind: SyntaxErrorKind,
    /// What was found, or expected.
    pub message: String,
    /// Empty only in an empty script.
    pub range: Range<usize>,
    /// The offsets at which the lines of the script start.
    pub line_starts: Vec<usize>,
}

impl Syntax {
    /// The position in the script, for a message: ` (script line 3, column 5)`. Empty for a
    /// script of one line, whose excerpt shows the position.
    pub fn position(&self, script: &str, offset: usize) -> String {
        match self {
            Self::Script(found) => position(script, &found.line_starts, offset),
            Self::Error(error) => position(script, &error.line_starts, offset),
            Self::Unread(_) => String::new(),
        }
    }

    /// The analysis of a script that parses.
    pub fn script(&self) -> Option<&Arc<Script>> {
        match self {
            Self::Script(script) => Some(script),
            _ => None,
        }
    }
}

/// Scripts of a service that are parsed: what is known of one takes some 1000 bytes and more.
const MAX_SCRIPTS: usize = 32 << 10;

/// The parsed scripts of a service; equal scripts are parsed once.
#[derive(Debug, Default)]
pub struct Scripts<'d> {
    by_text: HashMap<(ScriptKind, &'d str), Arc<Syntax>>,
}

impl<'d> Scripts<'d> {
    /// Whether the parser has failed, which it may not do another time.
    pub fn has_failed(&self) -> bool {
        self.by_text.values().any(|syntax| **syntax == Syntax::Unread(Unread::Failed))
    }

    /// Parses scripts that were not parsed before.
    pub fn new(scripts: impl IntoIterator<Item = (ScriptKind, &'d str)>, parsed: Option<&ParsedScripts>) -> Self {
        let mut distinct: Vec<(ScriptKind, &str)> = scripts.into_iter().collect();
        distinct.sort_unstable();
        distinct.dedup();
        distinct.truncate(MAX_SCRIPTS);
        let mut by_text: HashMap<(ScriptKind, &str), Arc<Syntax>> = HashMap::default();
        if let Some(parsed) = parsed {
            let kept = parsed.lock();
            by_text.extend(distinct.iter().filter_map(|&script| Some((script, kept.get(script)?))));
        }
        distinct.retain(|script| !by_text.contains_key(script));
        let new: Vec<Arc<Syntax>> = parse_all(&distinct).into_iter().map(Arc::new).collect();
        if let Some(parsed) = parsed {
            let mut kept = parsed.lock();
            distinct.iter().zip(&new).for_each(|(&script, syntax)| kept.insert(script, syntax));
        }
        by_text.extend(distinct.into_iter().zip(new));
        Self { by_text }
    }

    /// The result of parsing a script of the service.
    pub fn get(&self, kind: ScriptKind, script: &'d str) -> &Syntax {
        self.by_text.get(&(kind, script)).map_or(&Syntax::Unread(Unread::TooMany), |syntax| syntax)
    }
}

/// Scripts that were parsed for a service, for other ones and the next lint: what is known of a script depends on its
/// text alone.
#[derive(Debug, Default)]
pub struct ParsedScripts(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    by_text: [HashMap<Box<str>, Arc<Syntax>>; 2],
    /// The length of all texts.
    bytes: usize,
}

/// Bytes of scripts that are kept; an editor brings ever new ones.
const MAX_KEPT: usize = 1 << 20;

impl ParsedScripts {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    fn get(&self, (kind, script): (ScriptKind, &str)) -> Option<Arc<Syntax>> {
        self.by_text.get(kind as usize)?.get(script).cloned()
    }

    fn insert(&mut self, (kind, script): (ScriptKind, &str), syntax: &Arc<Syntax>) {
        // Another time there may be a thread for the parser.
        if **syntax == Syntax::Unread(Unread::Failed) || script.len() > MAX_KEPT {
            return;
        }
        self.bytes += script.len();
        if self.bytes > MAX_KEPT {
            *self = Self { bytes: script.len(), ..Self::default() };
        }
        if let Some(kept) = self.by_text.get_mut(kind as usize) {
            kept.insert(script.into(), Arc::clone(syntax));
        }
    }
}

/// Analyzes one script.
pub fn analyze(kind: ScriptKind, script: &str) -> Syntax {
    parse_all(&[(kind, script)]).pop().unwrap_or(Syntax::Unread(Unread::Failed))
}

fn parse_all(scripts: &[(ScriptKind, &str)]) -> Vec<Syntax> {
    let levels: Vec<Option<usize>> = scripts.iter().map(|(_, script)| levels(script)).collect();
    let max_levels = levels.iter().flatten().max().unwrap_or(&0);
    let work = || {
        let one = |(levels, (kind, script)): (&Option<usize>, &(ScriptKind, &str))| match levels {
            Some(levels) => guarded(script, || parse(*kind, script, *levels)).unwrap_or(Syntax::Unread(Unread::Failed)),
            None => Syntax::Unread(Unread::TooLarge),
        };
        levels.iter().zip(scripts).map(one).collect()
    };
    with_parser_stack(*max_levels, work).unwrap_or_else(|| vec![Syntax::Unread(Unread::Failed); scripts.len()])
}

fn parse(kind: ScriptKind, script: &str, levels: usize) -> Syntax {
    let allocator = Allocator::default();
    let parsed = parse_text(&allocator, script);
    let failed = |message: &str, label: Option<(usize, usize)>| {
        let awaited = if kind == ScriptKind::Script { find_top_level_await(script) } else { None };
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
    if kind == ScriptKind::FunctionBody {
        found.inert.extend(parsed.program.comments.iter().map(|comment| range(comment.span)));
        found.inert.sort_by_key(|part| part.start);
    }
    if kind == ScriptKind::Script {
        // `await (x)` is also the call of a function `await`.
        let is_called = |global: &Global| global.name == "await" && !global.is_tested && !global.is_written;
        let may_await = || tree.semantic.nodes().iter().any(|node| is_await(node.kind()));
        if (found.globals.iter().any(is_called) || script.contains("await") && may_await())
            && let Some(at) = find_top_level_await(script)
        {
            return awaits(script, at);
        }
        found.returns = sites::returns(&tree).into();
        found.is_strict = parsed.program.has_use_strict_directive();
        found.json = json::analyze(&tree, &parsed.program, &found);
        found.sites = sites::collect(&tree, found.json.assignments.iter().map(|assigned| assigned.value.clone()));
        found.hints = input_hints::collect(&tree);
        if !found.may_read_any {
            found.partly_leaked = leaked_values::collect(&tree, &found.global_members);
        }
        found.has_condition = json::has_condition(&tree);
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
        message: one_line(message),
        range: visible(script, start, start + length),
        line_starts: line_starts(script),
    }))
}

/// A message of the parser as a part of ours.
fn one_line(message: &str) -> String {
    let words: Vec<&str> = message.split_whitespace().collect();
    let message = words.join(" ").replace("` but found `", "`, found `");
    truncate(&lower_first(message.trim_end_matches('.')), MAX_MESSAGE).to_string()
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
fn visible(script: &str, start: usize, end: usize) -> Range<usize> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_scripts_are_parsed_once() {
        let parsed = ParsedScripts::default();
        let texts = [
            (ScriptKind::Script, "a"),
            (ScriptKind::Script, "a"),
            (ScriptKind::FunctionBody, "a"),
            (ScriptKind::Script, "("),
        ];
        let scripts = Scripts::new(texts, Some(&parsed));
        assert_eq!(scripts.by_text.len(), 3);
        assert!(scripts.get(ScriptKind::Script, "a").script().is_some());
        assert!(matches!(scripts.get(ScriptKind::Script, "("), Syntax::Error(_)));
        let again = Scripts::new(texts, Some(&parsed));
        assert!(texts.iter().all(|text| Arc::ptr_eq(&scripts.by_text[text], &again.by_text[text])));
    }

    #[test]
    fn only_so_many_scripts_are_kept() {
        let parsed = ParsedScripts::default();
        let script = |letter: char| format!("//{}", letter.to_string().repeat(MAX_KEPT / 3));
        let keep = |script: &str| drop(Scripts::new([(ScriptKind::Script, script)], Some(&parsed)));
        let is_kept = |letter| parsed.lock().get((ScriptKind::Script, &script(letter))).is_some();
        "abc".chars().for_each(|letter| keep(&script(letter)));
        assert_eq!(['a', 'b', 'c'].map(is_kept), [false, false, true]);
    }

    #[test]
    fn only_so_many_scripts_are_read() {
        let texts: Vec<String> = (0..MAX_SCRIPTS + 10).map(|at| format!("x{at:06}")).collect();
        let known = Scripts::new(texts.iter().map(|script| (ScriptKind::Script, script.as_str())), None);
        let is_unread = |script: &&String| *known.get(ScriptKind::Script, script) == Syntax::Unread(Unread::TooMany);
        assert_eq!(texts.iter().filter(is_unread).count(), 10);
    }
}
