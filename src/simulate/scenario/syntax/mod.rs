//! The syntaxes of scenario files, all parsed into one tree of values.

mod budget;
mod json;
mod kind;
mod parse;
mod toml;
mod tree;
mod yaml;

pub use budget::MAX_KEY_BYTES;
pub use kind::ScenarioSyntax;
pub(super) use parse::parse;
pub(super) use tree::{Key, Member, Scalar, Shape, Style, Value};
