//! Files: `read` and `write` are the only modules that open them, within limits and without leaving anything half-written;
//! `boundary` is what may be read at all, `paths` compares and shortens names, `inside` hides where files are, `lookups` notes what was missing, and
//! `toml_file` is a TOML file with places for its errors; `tables` takes no array for a table.

pub mod boundary;
pub mod inside;
pub mod lookups;
pub mod paths;
pub mod read;
mod tables;
pub mod toml_file;
pub mod write;
