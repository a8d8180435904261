//! The change of a file, and writing it.

use std::path::PathBuf;
use std::sync::Arc;

use super::replacement::Replacement;
use crate::diagnostic::FileId;
use crate::read::read_up_to;
use crate::text::list;
use crate::write::{Writer, check_replaceable};

/// A file that fixes change.
#[derive(Debug, Clone)]
pub struct Change {
    pub file: FileId,
    pub path: PathBuf,
    /// As reports show it.
    pub name: String,
    pub before: Arc<str>,
    pub after: Arc<str>,
    pub replacements: Vec<Replacement>,
    /// How many findings the change fixes.
    pub fixes: usize,
}

/// Writes the changed files of a fix in place of those that were linted: all of them, or none. Returns what
/// of the old files could not be kept.
///
/// # Errors
/// When one cannot be written, or no longer has the contents that were linted.
pub fn write(changes: &[&Change]) -> Result<Vec<String>, String> {
    let writer = Writer::begin();
    let mut notes = Vec::new();
    // Nearly every reason to refuse a file is found before anything is written.
    for change in changes {
        check(change)?;
    }
    for (index, change) in changes.iter().enumerate() {
        let mut reason = match write_file(&writer, change) {
            Ok(lost) if lost.is_empty() => continue,
            Ok(lost) => {
                notes.push(format!("cannot keep the {} of {}", list(&lost, "and"), change.name));
                continue;
            }
            Err(reason) => reason,
        };
        for written in changes.iter().take(index) {
            if let Err(error) = writer.replace(&written.path, written.before.as_bytes()) {
                reason = format!("{reason}; cannot restore {}: {error}", written.name);
            }
        }
        return Err(reason);
    }
    Ok(notes)
}

fn write_file(writer: &Writer, change: &Change) -> Result<Vec<String>, String> {
    if check(change)? == State::Fixed {
        return Ok(Vec::new());
    }
    writer.replace(&change.path, change.after.as_bytes()).map_err(|error| failed(change, &error))
}

fn failed(change: &Change, error: &std::io::Error) -> String {
    format!("cannot write {}: {error}", change.name)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    AsLinted,
    /// The file has two names, by a link, and was fixed under the other one.
    Fixed,
}

/// Whether a file can be written and has the contents that were linted.
fn check(change: &Change) -> Result<State, String> {
    let name = &change.name;
    let failed = |error: std::io::Error| failed(change, &error);
    std::fs::metadata(&change.path).map_err(failed)?;
    check_replaceable(&change.path).map_err(failed)?;
    let limit = change.before.len().max(change.after.len()) as u64;
    let now = read_up_to(&change.path, limit).map_err(|error| format!("cannot write {name}: {error}"))?;
    if now == change.after.as_bytes() {
        return Ok(State::Fixed);
    }
    if now != change.before.as_bytes() {
        return Err(format!("cannot write {name}: the file changed meanwhile"));
    }
    Ok(State::AsLinted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_that_changed_meanwhile_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let (before, after) = ("{}".into(), "[]".into());
        let (name, replacements) = ("a.json".to_owned(), Vec::new());
        let change = Change { file: FileId(0), path: path.clone(), name, before, after, replacements, fixes: 1 };
        std::fs::write(&path, "{ }").unwrap();
        assert!(write(&[&change]).unwrap_err().contains("a.json: the file changed"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{ }");
        std::fs::write(&path, "{}").unwrap();
        assert_eq!(
            (write(&[&change]), write(&[&change])),
            (Ok(Vec::new()), Ok(Vec::new())),
            "the second time nothing is to be done"
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "[]");
        std::fs::remove_file(&path).unwrap();
        assert!(write(&[&change]).is_err());
    }

    #[test]
    fn files_of_a_fix_are_written_together_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let change = |name: &str| Change {
            file: FileId(0),
            path: folder.path().join(name),
            name: name.to_owned(),
            before: "{}".into(),
            after: "[]".into(),
            replacements: Vec::new(),
            fixes: 1,
        };
        let (first, second) = (change("a.json"), change("b.json"));
        std::fs::write(&first.path, "{}").unwrap();
        std::fs::write(&second.path, "{ }").unwrap();
        assert!(write(&[&first, &second]).unwrap_err().starts_with("cannot write b.json"));
        assert_eq!(std::fs::read_to_string(&first.path).unwrap(), "{}");
        std::fs::write(&second.path, "{}").unwrap();
        assert_eq!(write(&[&first, &second]), Ok(Vec::new()));
        assert_eq!(std::fs::read_to_string(&first.path).unwrap(), "[]");
        assert_eq!(std::fs::read_to_string(&second.path).unwrap(), "[]");
    }
}
