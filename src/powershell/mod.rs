//! PowerShell modules of plug-ins: what their functions take and return, as methods of a catalog. Nothing is run.
//!
//! `import` reads a module with `syntax`, keeps what it `exports`, and makes a method of each function from its `help`,
//! `parameters` (with `types`) and `outputs`.

mod encoding;
mod exports;
mod help;
mod import;
mod notes;
mod outputs;
mod parameters;
mod syntax;
mod types;

pub use encoding::decode;
pub use import::{Imported, Module, enums, import};
pub use notes::Note;
pub use types::Enums;
