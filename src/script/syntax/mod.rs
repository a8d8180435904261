//! What the text of a script shows without running it: whether it parses, the names that it uses, and
//! what it assigns to `Json`.
//!
//! The results are plain data; positions are byte ranges of the script.

mod built_ins;
mod global_object;
mod input_hints;
mod input_keys;
mod json;
mod leaked_values;
mod names;
mod parse;
mod position;
mod reaching;
mod script;
mod scripts;
mod selections;
mod sites;
mod tree;
mod value;
mod value_sources;

pub use built_ins::{built_in_names, is_built_in};
pub use input_hints::{Comparison, InputHints, Matching, ReadAs};
pub use input_keys::{InputKey, Shape};
pub use leaked_values::Leaked;
pub use names::{NameUse, NameUses, is_identifier, name_uses};
pub use position::{line_and_column, line_starts, offset, position};
pub use script::{Assigned, Assignment, Declaration, DynamicCode, Global, JoinedName, Json, Script, StringLiteral};
pub use scripts::{ParsedScripts, ScriptKind, Scripts, Syntax, SyntaxError, SyntaxErrorKind, Unread, analyze};
pub use sites::{Property, Site, SiteKind, TopLevelReturn};
pub use tree::ValueKind;
pub use value_sources::Input;

#[cfg(test)]
mod tests;
