//! The keys that are read.

use crate::document::KeyCode;

/// A key of the schemas that is read, made by `key!("name")`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Key {
    pub name: &'static str,
    pub code: KeyCode,
}

/// The [`Key`] with a name. Its code is known when the program is compiled, which fails if no schema has the key.
macro_rules! key {
    ($name:expr) => {
        const { $crate::model::members::Key { name: $name, code: $crate::document::KeyCode::known($name) } }
    };
}
pub(super) use key;
