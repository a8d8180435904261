//! What the text of a script says, without running it: whether it parses, the names it uses, what it
//! leaves in `Json` (ECMA-262; reference, Other activity types).
//!
//! The results are plain data with places as byte ranges of the script.

mod joined;
mod json;
mod names;
mod parse;
mod place;
mod sure;
mod tree;
mod value;

use std::ops::Range;

use crate::collections::{HashMap, HashSet};

pub use names::{built_in_names, is_built_in};
pub use place::{line_and_column, line_starts, offset, position};

/// The longest script that is looked at, in bytes. Of longer ones nothing is said.
pub const LONGEST: usize = 64 << 10;

/// How a script is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Goal {
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
    /// It does not.
    Error(SyntaxError),
    /// It is too long to be looked at.
    NotKnown,
}

impl Syntax {
    /// Where in the script, for a message: ` (line 3, column 5 of the script)`.
    pub fn position(&self, script: &str, offset: usize) -> String {
        match self {
            Self::Script(found) => position(script, &found.line_starts, offset),
            Self::Error(error) => position(script, &error.line_starts, offset),
            Self::NotKnown => String::new(),
        }
    }

    /// What a script that parses says.
    pub fn script(&self) -> Option<&Script> {
        match self {
            Self::Script(script) => Some(script),
            _ => None,
        }
    }
}

/// Why a script does not parse.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    /// What was found, or expected.
    pub message: String,
    /// Where. Empty only in an empty script.
    pub range: Range<usize>,
    /// Where the lines of the script begin.
    pub line_starts: Vec<usize>,
}

/// A script that parses.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Script {
    /// Whether it has no statement at all.
    pub is_empty: bool,
    /// The uses of names that the script does not declare, in the order of the text.
    pub globals: Vec<Global>,
    /// The names that it declares for the whole script, sorted.
    pub own: Vec<Own>,
    /// The members of the global object that it names: `this.Name`, `globalThis["Name"]`.
    pub global_members: Vec<String>,
    /// A name may mean something else, or be used where it is not seen: `with`, `eval`, or the global
    /// object as a value.
    pub is_obscure: bool,
    /// The names among the globals that are read as JSON: `JSON.parse(Name)`.
    pub read_as_json: Vec<String>,
    /// The string literals, and the templates without substitutions.
    pub texts: Vec<Text>,
    /// The places where a text becomes code.
    pub dynamic: Vec<Dynamic>,
    /// The regular expressions.
    pub patterns: Vec<Pattern>,
    /// Where its lines begin.
    pub line_starts: Vec<usize>,
    /// What happens to `Json`.
    pub json: Json,
    /// The uses of names in what runs whenever the script does, in the order of the text.
    pub sure_uses: Vec<SureUse>,
    /// Whether it asks something of a value that decides what it does.
    pub has_condition: bool,
}

impl Script {
    /// The first read of each name that nothing declares, the language does not give, and that is not
    /// among those that are known to be there.
    pub fn unknown<'s>(&'s self, known: impl IntoIterator<Item = &'s str>) -> Vec<&'s Global> {
        if self.is_obscure {
            return Vec::new();
        }
        let members = self.global_members.iter().map(String::as_str);
        // An assignment declares a name; what `typeof` asks for may be missing.
        let declared = self.globals.iter().filter(|global| global.is_written || global.is_tested);
        let mut known: HashSet<&str> = known.into_iter().chain(members).collect();
        known.extend(declared.map(|global| global.name.as_str()));
        let mut unknown = Vec::new();
        for global in self.globals.iter().filter(|global| !is_built_in(&global.name)) {
            if known.insert(&global.name) {
                unknown.push(global);
            }
        }
        unknown
    }
}

/// One use of a name that the script does not declare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Global {
    /// The name.
    pub name: String,
    /// Where.
    pub range: Range<usize>,
    /// Whether it is read.
    pub is_read: bool,
    /// Whether it is written, which declares it.
    pub is_written: bool,
    /// Whether it is the operand of `typeof`, which a name that is not there may be.
    pub is_tested: bool,
}

/// A name that a script declares for the whole of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Own {
    /// The name.
    pub name: String,
    /// Whether it is read.
    pub is_read: bool,
}

/// A literal text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// Its value.
    pub value: String,
    /// Where, without the quotes.
    pub range: Range<usize>,
    /// The name of the function that it is the first argument of.
    pub argument_of: Option<String>,
}

/// A place where a text becomes code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dynamic {
    /// `eval`, `Function`, `setTimeout`.
    pub name: String,
    /// Where the name is.
    pub range: Range<usize>,
}

/// A regular expression literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// Between the slashes.
    pub pattern: String,
    /// Behind them.
    pub flags: String,
    /// The whole literal.
    pub range: Range<usize>,
}

/// A use of a name that no condition can keep from being reached.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SureUse {
    /// Where it begins.
    pub start: usize,
    /// Whether its value is nothing but what the script says itself: `null`, a number, a text.
    pub is_constant: bool,
    /// Whether nothing before it asks what a value is.
    pub is_straight: bool,
}

/// What happens to the variable `Json`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Json {
    /// The assignments, in the order of the text; the first hundred.
    pub assignments: Vec<Assignment>,
    /// Whether it is set when the script ends.
    pub coverage: Coverage,
}

/// Whether `Json` is set when a script ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Coverage {
    /// Nothing sets it.
    #[default]
    Never,
    /// It is set on some paths, and on another it is not.
    SomePaths,
    /// It is set on every path.
    Always,
    /// Not known: a function sets it, or a part of a pattern, or code in a text may.
    NotKnown,
}

/// One assignment to `Json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The name `Json`.
    pub target: Range<usize>,
    /// What is assigned.
    pub value: Range<usize>,
    /// What is known of that.
    pub kind: Kind,
    /// The names that the script does not declare whose value becomes a part of the text, as it is; none
    /// where another text takes its place.
    pub joined: Vec<(String, Range<usize>)>,
    /// Whether it is certain that the value may still be there when the script ends.
    pub reaches_end: bool,
}

/// What is known of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// An object of some sort: which, in words.
    Object(&'static str),
    /// Neither a text nor an object: what, in words.
    Primitive(&'static str),
    /// Anything.
    Unknown,
}

impl Kind {
    /// What the value is, in words, when it is certain that it is no text.
    pub const fn not_text(self) -> Option<&'static str> {
        match self {
            Self::Object(what) | Self::Primitive(what) => Some(what),
            Self::Text | Self::Unknown => None,
        }
    }
}

/// What is known of the scripts of a service; each text is looked at once.
#[derive(Debug, Default)]
pub struct Scripts<'d> {
    by_text: HashMap<(Goal, &'d str), Syntax>,
}

impl<'d> Scripts<'d> {
    /// Looks at scripts.
    pub fn new(scripts: impl IntoIterator<Item = (Goal, &'d str)>) -> Self {
        let mut distinct: Vec<(Goal, &str)> = scripts.into_iter().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let known = parse::analyse(&distinct);
        Self { by_text: distinct.into_iter().zip(known).collect() }
    }

    /// What is known of one of them.
    pub fn get(&self, goal: Goal, script: &'d str) -> &Syntax {
        self.by_text.get(&(goal, script)).unwrap_or(&Syntax::NotKnown)
    }
}

/// What is known of one script.
pub fn analyse(goal: Goal, script: &str) -> Syntax {
    parse::analyse(&[(goal, script)]).pop().unwrap_or(Syntax::NotKnown)
}

#[cfg(test)]
mod tests;
