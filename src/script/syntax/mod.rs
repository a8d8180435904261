//! What the text of a script shows without running it: whether it parses, the names that it uses, and
//! what it assigns to `Json`.
//!
//! The results are plain data; positions are byte ranges of the script.

mod assignment;
mod assignments;
mod built_in;
mod call_ends;
mod clues;
mod combining;
mod comparisons;
mod compiling;
mod condition;
mod constant;
mod followed;
mod global_object;
mod guards;
mod hoisted;
mod input_keys;
mod inserted;
mod interpolated;
mod interpolating_calls;
mod interpolation;
mod json;
mod json_text;
mod members;
mod memory;
mod name_uses;
mod names;
mod nesting;
mod parse;
mod parse_text;
mod parsed;
mod passed;
mod pattern_sample;
mod position;
mod reaching;
mod reason;
mod returns;
mod reworded;
mod script;
mod scripts;
mod sites;
mod taken;
mod throwing;
mod tokens;
mod top_level_await;
mod tree;
mod value;
mod value_kind;

pub use assignment::{Assigned, Assignment, Json};
pub use built_in::{built_in_names, is_built_in};
pub use call_ends::{CallEnd, call_ends};
pub use clues::{Clues, Comparison, Matching, ReadAs};
pub use comparisons::{ComparisonKind, Comparisons, Operand};
pub use followed::Input;
pub use input_keys::{InputKey, Shape};
pub use interpolated::InterpolatedName;
pub use name_uses::{NameUse, NameUses, is_identifier, name_uses};
pub use parsed::{ScriptKind, Syntax, SyntaxError, SyntaxErrorKind, Unread};
pub use passed::Passed;
pub use pattern_sample::PatternSample;
pub use position::{line_and_column, line_starts, offset, position};
pub use script::{Declaration, DynamicCode, Global, Script, StringLiteral, TopLevelReturn};
pub use scripts::{ParsedScripts, Scripts, analyze};
pub use sites::{Property, Site, SiteKind};
pub use value_kind::ValueKind;

/// An upper bound of the nesting of a script; `None` if its tokens are ambiguous.
pub fn nesting_bound(script: &str) -> Option<usize> {
    nesting::bound(script, usize::MAX)
}

#[cfg(test)]
mod tests;
