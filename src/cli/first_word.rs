//! Recognizes a mistyped command: the first argument is not a path, but similar to the name of a command.

use std::ffi::OsStr;
use std::path::Path;

use super::world::Failure;
use crate::read::is_present;
use crate::suggest::nearest;

/// The names of commands in other linters.
const OTHER_NAMES: [(&str, &str); 2] = [("lint", "check"), ("run", "simulate")];

/// # Errors
/// A word that is like the name of a command, with that name.
pub(super) fn check<'n>(
    word: &OsStr,
    current: &Path,
    names: impl Iterator<Item = &'n str> + Clone,
) -> Result<(), Failure> {
    // Every path with a folder or an extension is meant as a path, even if it does not exist.
    let Some(word) = word.to_str().filter(|word| !word.contains(['/', '\\', '.']) && !word.starts_with('-')) else {
        return Ok(());
    };
    if names.clone().any(|name| name == word) || is_present(&current.join(word)) {
        return Ok(());
    }
    let other_name = OTHER_NAMES.iter().find(|(other, _)| *other == word).map(|(_, name)| *name);
    match other_name.or_else(|| nearest(word, names)) {
        Some(name) => Err(Failure::Message(format!("unknown command or path `{word}`; did you mean `wflint {name}`?"))),
        None => Ok(()),
    }
}
