//! The keys that the reader of configurations knows, from the errors that it gives for another one: for tests that
//! hold other lists of keys to it.

use crate::config::file::ConfigFile;

/// The keys at the top.
pub fn known_keys() -> Vec<String> {
    expected("unknown-key = 1\n").unwrap()
}

/// The keys of a table; `None` for another kind of value, and for a table of free names.
pub fn known_keys_of_table(key: &str) -> Option<Vec<String>> {
    expected(&format!("[{key}]\nunknown-key = 1\n"))
}

/// The keys of an entry of an array of tables; `None` for another kind of value.
pub fn known_keys_of_entries(key: &str) -> Option<Vec<String>> {
    expected(&format!("[[{key}]]\nunknown-key = 1\n"))
}

/// The names that are expected in place of the unknown key.
pub fn expected(text: &str) -> Option<Vec<String>> {
    let error = toml::from_str::<ConfigFile>(text).unwrap_err();
    let (_, names) = error.message().strip_prefix("unknown field `unknown-key`")?.split_once("expected ")?;
    Some(names.split('`').skip(1).step_by(2).map(str::to_owned).collect())
}
