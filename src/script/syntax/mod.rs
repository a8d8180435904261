//! What the text of a script shows without running it: whether it parses, the names that it uses, and
//! what it assigns to `Json`.
//!
//! The results are plain data; positions are byte ranges of the script.

mod built_in;
mod call_ends;
mod clues;
mod combining;
mod comparisons;
mod condition;
mod constant;
mod followed;
mod global_object;
mod input_keys;
mod inserted;
mod json;
mod members;
mod names;
mod parse;
mod passed;
mod pattern_sample;
mod position;
mod reaching;
mod script;
mod scripts;
mod sites;
mod taken;
mod throwing;
mod tree;
mod value;

pub use built_in::{built_in_names, is_built_in};
pub use call_ends::{CallEnd, call_ends};
pub use clues::{Clues, Comparison, Matching, ReadAs};
pub use comparisons::{ComparisonKind, Comparisons, Operand};
pub use followed::Input;
pub use input_keys::{InputKey, Shape};
pub use names::{NameUse, NameUses, is_identifier, name_uses};
pub use passed::Passed;
pub use pattern_sample::PatternSample;
pub use position::{line_and_column, line_starts, offset, position};
pub use script::{Assigned, Assignment, Declaration, DynamicCode, Global, JoinedName, Json, Script, StringLiteral};
pub use scripts::{ParsedScripts, ScriptKind, Scripts, Syntax, SyntaxError, SyntaxErrorKind, Unread, analyze};
pub use sites::{Property, Site, SiteKind, TopLevelReturn};
pub use tree::ValueKind;

#[cfg(test)]
mod tests;
