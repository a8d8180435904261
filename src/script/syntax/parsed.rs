//! The result of parsing a script.

use std::ops::Range;
use std::sync::Arc;

use super::position::position;
use super::script::Script;

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
    /// Its nesting is, or may be, deeper than the stack of the parser allows.
    TooDeep,
    /// It has more tokens than are parsed.
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
