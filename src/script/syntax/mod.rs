//! What the text of a script shows without running it: whether it parses, the names that it uses, and
//! what it assigns to `Json`.
//!
//! The results are plain data; positions are byte ranges of the script.

mod assignment;
mod assignments;
mod built_in;
mod condition;
mod definite_use;
mod interpolated;
mod interpolation;
mod json;
mod names;
mod parse;
mod parsed;
mod position;
mod reaching;
mod script;
mod scripts;
mod tree;
mod value;
mod value_kind;

pub use assignment::{Assigned, Assignment, Json};
pub use built_in::{built_in_names, is_built_in};
pub use interpolated::InterpolatedName;
pub use parsed::{MAX_PARSED_BYTES, ScriptKind, Syntax, SyntaxError};
pub use position::{line_and_column, line_starts, offset, position};
pub use script::{Declaration, DefiniteUse, DynamicCode, Global, Script, StringLiteral};
pub use scripts::{Scripts, analyze};
pub use value_kind::ValueKind;

#[cfg(test)]
mod tests;
