//! PowerShell modules of plug-ins: what their functions take and return, as methods of a catalog. Nothing is run.

mod decode;
mod exports;
mod help;
mod import;
mod note;
mod outputs;
mod parameters;
mod syntax;
mod types;
mod wildcard;

pub use decode::{DecodeError, decode};
pub use import::{Imported, Module, import};
pub use note::Note;
