//! What ended a rule, as a problem at its place in the file.

use serde::Deserialize;

use super::interface::{NodeRef, RuleProblem};
use super::job::Base;
use super::modules::{Refused, file_of};
use crate::common::limits::{MAX_RULE_MEMORY, RULE_STEPS};

/// How code of a rule ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    /// It threw, or a check of ours did.
    Threw,
    /// The module could not be compiled.
    Syntax,
    OutOfSteps,
    OutOfMemory,
}

/// What was thrown, as `describe` of the prelude tells it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Thrown {
    pub message: String,
    pub stack: String,
    /// Whether a check of ours threw it.
    pub is_ours: bool,
    pub help: Option<String>,
    /// What the check is about, to be found in the file.
    pub key: Option<String>,
    /// The file that has `key`, if it is not that of the rule.
    #[serde(skip)]
    pub file: Option<String>,
}

impl Thrown {
    pub fn refused(Refused { file, name, reason }: Refused) -> Self {
        let message = format!("invalid import \"{name}\": {reason}");
        Self { message, is_ours: true, key: Some(name), file: Some(file), ..Self::default() }
    }
}

/// What a rule was doing.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Doing {
    /// `` visitor `Approval` ``.
    pub what: Option<String>,
    pub at: Option<NodeRef>,
}

/// The end of a rule.
#[derive(Debug)]
pub(super) struct Failure {
    pub ended: Ended,
    pub thrown: Thrown,
    pub doing: Doing,
}

impl Failure {
    /// The problem of a rule with an index.
    pub fn problem(self, rule: usize, files: &Base) -> RuleProblem {
        let Self { ended, thrown, doing } = self;
        let what = doing.what.as_deref().unwrap_or("rule");
        let message = match ended {
            Ended::OutOfSteps => format!("{what} exceeded the limit of {} million steps", RULE_STEPS / 1_000_000),
            Ended::OutOfMemory => format!("{what} exceeded the memory limit of {} MiB", MAX_RULE_MEMORY >> 20),
            Ended::Syntax => {
                format!("invalid JavaScript: {}", thrown.message.trim_start_matches("SyntaxError: "))
            }
            Ended::Threw if thrown.is_ours => thrown.message.clone(),
            Ended::Threw if thrown.message == "RangeError: Maximum call stack size exceeded" => {
                format!("{what} exceeded the stack limit, calls are nested too deeply")
            }
            Ended::Threw => format!("{what} threw {}", thrown.message),
        };
        let rule = files.rules.get(rule).map(|(file, text)| (file.as_str(), text.as_str()));
        let other = thrown.file.as_deref().and_then(|file| Some((file, files.modules.get(file)?.as_str())));
        let (file, text) = other.or(rule).unwrap_or_default();
        let by_key = || Some((file.to_owned(), thrown.key.as_deref().and_then(|key| key_position(text, key))?));
        let by_stack = || stack_position(&thrown.stack, ended, files);
        let export = || Some((file.to_owned(), key_position(text, "export")?));
        let place = if thrown.is_ours && doing.at.is_none() {
            by_key().or_else(by_stack).or_else(export)
        } else {
            by_stack().or_else(by_key).or_else(|| export().filter(|_| ended == Ended::Syntax))
        };
        let (file, position) = place.map_or_else(|| (file.to_owned(), None), |(file, at)| (file, Some(at)));
        let (line, column) = position.unzip();
        let is_frozen = ["not extensible", "is read-only"].iter().any(|words| thrown.message.contains(words));
        let frozen =
            || "documents and built-in objects are frozen: propose changes by `fix`, and keep state in variables";
        let help = thrown.help.or_else(|| is_frozen.then(frozen).map(str::to_owned));
        RuleProblem { file, line, column, message, help, at: doing.at }
    }
}

/// The file, and the line and column in it, of the innermost frame of a rule or a module.
fn stack_position(stack: &str, ended: Ended, files: &Base) -> Option<(String, (u32, u32))> {
    let frames: Vec<&str> = stack.lines().map(str::trim).collect();
    let is_interrupted = ended == Ended::OutOfSteps;
    // The engine records the position of a call, but not of the instruction that was interrupted: the innermost frame is
    // exact only when it is of a built-in function.
    let skipped = usize::from(is_interrupted && frames.first().is_some_and(|frame| !frame.ends_with("(native)")));
    let find = |skipped| frames.iter().skip(skipped).find_map(|frame| frame_position(frame, files));
    find(skipped).or_else(|| find(0))
}

/// The place in a frame: `at f (3:0:rules/a.js:2:5)`, or `at 3:0:rules/a.js:2:5` in syntax errors.
fn frame_position(frame: &str, files: &Base) -> Option<(String, (u32, u32))> {
    let (rest, column) = frame.strip_suffix(')').unwrap_or(frame).rsplit_once(':')?;
    let (rest, line) = rest.rsplit_once(':')?;
    // Before the name are `at `, and perhaps the name of a function; the path may have blanks and parentheses, too.
    let mut names = rest.match_indices(|sign: char| sign.is_ascii_digit()).filter_map(|(at, _)| rest.get(at..));
    let is_known =
        |file: &&str| files.modules.contains_key(*file) || files.rules.iter().any(|(known, _)| known == file);
    let file = names.find_map(|name| file_of(name).filter(is_known))?;
    let text = files.modules.get(file).or_else(|| Some(&files.rules.iter().find(|(known, _)| known == file)?.1))?;
    // A text starts on line 2 of what the engine evaluates; columns are bytes there.
    let line = line.parse::<u32>().ok()?.checked_sub(1)?;
    let bytes = column.parse::<usize>().ok()?.checked_sub(1)?;
    let in_line = text.split('\n').nth(usize::try_from(line.checked_sub(1)?).ok()?)?;
    let column = in_line.get(..bytes)?.chars().count() + 1;
    Some((file.to_owned(), (line, u32::try_from(column).ok()?)))
}

/// Line and column of the first place where a key may be defined: the word, before `:` or `(` if there is one.
fn key_position(text: &str, key: &str) -> Option<(u32, u32)> {
    let is_word = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == '$';
    let is_whole = |at: &usize| {
        let (before, after) = (text.get(..*at).unwrap_or_default(), text.get(at + key.len()..).unwrap_or_default());
        !before.ends_with(is_word) && !after.starts_with(is_word)
    };
    let places: Vec<usize> = text.match_indices(key).map(|(at, _)| at).filter(is_whole).collect();
    let is_defined = |at: &&usize| {
        let after = text.get(*at + key.len()..).unwrap_or_default();
        after.trim_start_matches(['"', '\'', ' ']).starts_with([':', '('])
    };
    let at = *places.iter().find(is_defined).or(places.first())?;
    let before = text.get(..at)?;
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next()?.chars().count() + 1;
    Some((u32::try_from(line).ok()?, u32::try_from(column).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_name_files_of_rules_and_modules() {
        let mut files = Base::default();
        files.rules.push(("rules/A (1).js".to_owned(), "ä = b\nthrow 1".to_owned()));
        files.modules.insert("rules/lib/b.js".to_owned(), "x".to_owned());
        let at = |frame| frame_position(frame, &files);
        assert_eq!(at("at f (3:0:rules/A (1).js:2:4)"), Some(("rules/A (1).js".to_owned(), (1, 3))));
        assert_eq!(at("at f1 (13:20:rules/A (1).js:3:1)"), Some(("rules/A (1).js".to_owned(), (2, 1))));
        assert_eq!(at("at f (3:0:rules/lib/b.js:2:1)"), Some(("rules/lib/b.js".to_owned(), (1, 1))));
        assert_eq!(at("at 3:0:rules/lib/b.js:2:2"), Some(("rules/lib/b.js".to_owned(), (1, 2))));
        for frame in
            ["at f (rules:3:1)", "at map (native)", "at f (3:0:rules/lib/b.js:9:1)", "at f (3:0:other.js:2:1)", ""]
        {
            assert_eq!(at(frame), None, "{frame}");
        }
    }

    #[test]
    fn keys_are_found_where_they_are_defined() {
        let text = "// severity\nexport default {\n  meta: { 'severity': 1 },\n  create() {},\n};\n";
        assert_eq!(key_position(text, "severity"), Some((3, 12)));
        assert_eq!(key_position(text, "create"), Some((4, 3)));
        assert_eq!(key_position(text, "export"), Some((2, 1)));
        assert_eq!(key_position(text, "sever"), None);
    }
}
