//! PowerShell modules of plug-ins: what their functions take and return, as methods of a catalog. Nothing is run.
//!
//! `import` reads a module with `syntax`, keeps what it `exports`, and makes a method of each function from its `help`,
//! `parameters` and `outputs`.

mod exports;
mod help;
mod import;
mod notes;
mod outputs;
mod parameters;
mod syntax;

pub use import::{Imported, Module, decode, import};
pub use notes::Note;
