//! The scripts of a service.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::parse;
use super::parsed::{ScriptKind, Syntax, Unread};
use crate::collections::HashMap;
use crate::script::pattern::ParsedPatterns;

/// Scripts of any service that are parsed: what is known of a short one takes some 1000 bytes.
const MIN_SCRIPTS: usize = 32 << 10;
/// Bytes of scripts for each further one, so that the memory of a run is in proportion to its documents.
const BYTES_PER_SCRIPT: usize = 512;

/// Bytes that may be known of the scripts of any service: a script of many short expressions takes a multiple of its text.
const MIN_KNOWN: usize = 32 << 20;
/// Bytes more for each byte of the scripts.
const KNOWN_PER_BYTE: usize = 4;

/// Bytes of scripts that are parsed before their memory is counted.
const CHUNK: usize = 64 << 10;

/// The parsed scripts of a service; equal scripts are parsed once.
#[derive(Debug, Default)]
pub struct Scripts<'d> {
    by_text: HashMap<(ScriptKind, &'d str), Arc<Syntax>>,
    /// Whether some were not parsed, because there are too many.
    pub lacks_some: bool,
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
        let bytes: usize = distinct.iter().map(|(_, script)| script.len()).sum();
        let number = distinct.len();
        distinct.truncate(MIN_SCRIPTS + bytes / BYTES_PER_SCRIPT);
        let mut scripts = Self { lacks_some: distinct.len() < number, ..Self::default() };
        let mut left = MIN_KNOWN + bytes * KNOWN_PER_BYTE;
        let mut rest = distinct.as_slice();
        while !rest.is_empty() {
            let mut size = 0;
            let is_more = |(_, script): &(ScriptKind, &str)| {
                size += script.len();
                size > CHUNK
            };
            let chunk;
            (chunk, rest) = rest.split_at(rest.iter().position(is_more).unwrap_or(rest.len()).max(1));
            if !scripts.add(chunk, parsed, &mut left) {
                scripts.lacks_some = true;
                break;
            }
        }
        scripts
    }

    /// Adds scripts, as long as there is room for what is known of them. Returns whether there was room for all.
    fn add(&mut self, scripts: &[(ScriptKind, &'d str)], parsed: Option<&ParsedScripts>, left: &mut usize) -> bool {
        let mut known: HashMap<(ScriptKind, &str), Arc<Syntax>> = HashMap::default();
        if let Some(parsed) = parsed {
            let mut parsed = parsed.lock();
            known.extend(scripts.iter().filter_map(|&script| Some((script, parsed.get(script)?))));
        }
        let distinct: Vec<(ScriptKind, &str)> =
            scripts.iter().filter(|script| !known.contains_key(*script)).copied().collect();
        let new: Vec<Arc<Syntax>> = parse::analyze(&distinct).into_iter().map(Arc::new).collect();
        if let Some(parsed) = parsed {
            let mut kept = parsed.lock();
            distinct.iter().zip(&new).for_each(|(&script, syntax)| kept.insert(script, syntax, parsed.max_bytes));
        }
        known.extend(distinct.into_iter().zip(new));
        // In their order, whichever of them were parsed before.
        for &script in scripts {
            let Some(syntax) = known.remove(&script) else { continue };
            let Some(rest) = left.checked_sub(syntax.memory()) else { return false };
            *left = rest;
            self.by_text.insert(script, syntax);
        }
        true
    }

    /// The result of parsing a script of the service.
    pub fn get(&self, kind: ScriptKind, script: &'d str) -> &Syntax {
        self.by_text.get(&(kind, script)).map_or(&Syntax::Unread(Unread::TooMany), |syntax| syntax)
    }
}

/// Scripts that were parsed for a service, for other ones and the next lint: what is known of a script depends on its
/// text alone.
#[derive(Debug)]
pub struct ParsedScripts {
    kept: Mutex<Kept>,
    max_bytes: usize,
    /// Regular expressions of forms.
    pub patterns: ParsedPatterns,
}

#[derive(Debug, Default)]
struct Kept {
    scripts: HashMap<Box<str>, Arc<Syntax>>,
    function_bodies: HashMap<Box<str>, Arc<Syntax>>,
    /// An estimate of their memory.
    bytes: usize,
}

/// Bytes up to which scripts are kept for the next lint.
const MAX_KEPT: usize = 16 << 20;
/// Bytes up to which scripts are kept during a lint.
const MAX_KEPT_IN_A_LINT: usize = 1 << 20;
/// The estimated memory of a parsed script, in addition to its text.
const BYTES_OF_SYNTAX: usize = 1 << 10;

impl Default for ParsedScripts {
    fn default() -> Self {
        Self { kept: Mutex::default(), max_bytes: MAX_KEPT, patterns: ParsedPatterns::default() }
    }
}

impl ParsedScripts {
    /// For the services of one lint.
    pub fn of_one_lint() -> Self {
        Self { max_bytes: MAX_KEPT_IN_A_LINT, ..Self::default() }
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kept {
    const fn of_kind(&mut self, kind: ScriptKind) -> &mut HashMap<Box<str>, Arc<Syntax>> {
        match kind {
            ScriptKind::Script => &mut self.scripts,
            ScriptKind::FunctionBody => &mut self.function_bodies,
        }
    }

    fn get(&mut self, (kind, script): (ScriptKind, &str)) -> Option<Arc<Syntax>> {
        self.of_kind(kind).get(script).cloned()
    }

    fn insert(&mut self, (kind, script): (ScriptKind, &str), syntax: &Arc<Syntax>, max_bytes: usize) {
        // Another time there may be a thread for the parser.
        if **syntax == Syntax::Unread(Unread::Failed) {
            return;
        }
        // An editor brings ever new scripts.
        let bytes = BYTES_OF_SYNTAX + 2 * script.len() + syntax.memory();
        if self.bytes + bytes > max_bytes {
            *self = Self::default();
        }
        if bytes <= max_bytes {
            self.bytes += bytes;
            self.of_kind(kind).insert(script.into(), Arc::clone(syntax));
        }
    }
}

/// Analyzes one script.
pub fn analyze(kind: ScriptKind, script: &str) -> Syntax {
    parse::analyze(&[(kind, script)]).pop().unwrap_or(Syntax::Unread(Unread::Failed))
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
        let script = |letter: char| format!("//{}", letter.to_string().repeat(MAX_KEPT / 6));
        let keep = |script: &str| drop(Scripts::new([(ScriptKind::Script, script)], Some(&parsed)));
        let is_kept = |letter| parsed.lock().get((ScriptKind::Script, &script(letter))).is_some();
        "abc".chars().for_each(|letter| keep(&script(letter)));
        assert_eq!(['a', 'b', 'c'].map(is_kept), [false, false, true]);
        keep(&script('d').repeat(4));
        assert!(parsed.lock().bytes <= MAX_KEPT);
    }

    #[test]
    fn only_so_much_is_known_of_the_scripts() {
        let dense = |at: usize| format!("Json = {at} + [{}]", "[],".repeat(15_000));
        let texts: Vec<String> = (0..60).map(dense).collect();
        let known = Scripts::new(texts.iter().map(|script| (ScriptKind::Script, script.as_str())), None);
        let bytes: usize = texts.iter().map(String::len).sum();
        let memory: usize = known.by_text.values().map(|syntax| syntax.memory()).sum();
        assert!((1..texts.len()).contains(&known.by_text.len()) && memory <= MIN_KNOWN + KNOWN_PER_BYTE * bytes);
    }

    #[test]
    fn more_scripts_are_read_the_longer_they_are() {
        let unread = |scripts: &[String]| {
            let known = Scripts::new(scripts.iter().map(|script| (ScriptKind::Script, script.as_str())), None);
            let lacks_some = known.lacks_some;
            let is_unread =
                |script: &&String| *known.get(ScriptKind::Script, script) == Syntax::Unread(Unread::TooMany);
            let unread = scripts.iter().filter(is_unread).count();
            assert_eq!(lacks_some, unread > 0);
            unread
        };
        let scripts = |number: usize| (0..number).map(|at| format!("x{at:06}")).collect::<Vec<_>>();
        // Seven bytes each.
        let max = (32 << 10) + (32 << 10) * 7 / 505;
        assert_eq!((unread(&scripts(max)), unread(&scripts(max + 10))), (0, 10));
        let long: Vec<String> = scripts(max + 10).into_iter().map(|script| format!("{script}//{:9}", "")).collect();
        assert_eq!(unread(&long), 0);
    }
}
