//! The result of parsing a script.

use std::ops::Range;

use super::position::position;
use super::script::Script;

/// Longer scripts are not parsed: the parser takes time and stack in proportion to the script. The sandbox, which has
/// limits of its own, runs longer ones.
pub const MAX_PARSED_BYTES: usize = 64 << 10;

/// The goal symbol of ECMAScript's grammar that a script is parsed as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScriptKind {
    /// A script in sloppy mode: that of a Code activity.
    Script,
    /// The body of a function: `onLoad`, `onChange` and `onSubmit` of a form field.
    FunctionBody,
}

/// What is known of a script.
#[derive(Debug, Clone, PartialEq)]
pub enum Syntax {
    /// It parses.
    Script(Box<Script>),
    Error(SyntaxError),
    /// It is too long to be parsed.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// What was found, or expected.
    pub message: String,
    /// Empty only in an empty script.
    pub range: Range<usize>,
    /// The offsets at which the lines of the script start.
    pub line_starts: Vec<usize>,
}

impl Syntax {
    /// The position in the script, for a message: ` (line 3, column 5 of the script)`. Empty for a
    /// script of one line, whose excerpt shows the position.
    pub fn position(&self, script: &str, offset: usize) -> String {
        match self {
            Self::Script(found) => position(script, &found.line_starts, offset),
            Self::Error(error) => position(script, &error.line_starts, offset),
            Self::Unknown => String::new(),
        }
    }

    /// The analysis of a script that parses.
    pub fn script(&self) -> Option<&Script> {
        match self {
            Self::Script(script) => Some(script),
            _ => None,
        }
    }
}
