//! The change of a file, and writing it.

use std::path::PathBuf;
use std::sync::Arc;

use crate::diagnostic::FileId;
use crate::write::write_whole;

/// A file that fixes change.
#[derive(Debug, Clone)]
pub struct Change {
    pub file: FileId,
    pub path: PathBuf,
    /// As reports show it.
    pub name: String,
    pub before: Arc<str>,
    pub after: Arc<str>,
    /// How many findings the change fixes.
    pub fixes: usize,
}

/// Writes a changed file in place of the one that was linted.
///
/// # Errors
/// When it cannot be written, or no longer has the contents that were linted.
pub fn write(change: &Change) -> Result<(), String> {
    let name = &change.name;
    let failed = |error: std::io::Error| format!("cannot write fixes to {name}: {error}");
    let metadata = std::fs::metadata(&change.path).map_err(failed)?;
    if !metadata.is_file() {
        return Err(format!("cannot write fixes to {name}: not a regular file"));
    }
    if metadata.permissions().readonly() {
        return Err(format!("cannot write fixes to {name}: the file is read-only"));
    }
    let now = std::fs::read(&change.path).map_err(failed)?;
    if now == change.after.as_bytes() {
        return Ok(()); // The file has two names, by a link, and was fixed under the other one.
    }
    if now != change.before.as_bytes() {
        return Err(format!("cannot write fixes to {name}: the file changed while it was linted"));
    }
    write_whole(&change.path, change.after.as_bytes()).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_that_changed_meanwhile_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let (before, after) = ("{}".into(), "[]".into());
        let change = Change { file: FileId(0), path: path.clone(), name: "a.json".to_owned(), before, after, fixes: 1 };
        std::fs::write(&path, "{ }").unwrap();
        assert!(write(&change).unwrap_err().contains("a.json: the file changed"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{ }");
        std::fs::write(&path, "{}").unwrap();
        assert_eq!((write(&change), write(&change)), (Ok(()), Ok(())), "the second time nothing is to be done");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "[]");
        std::fs::remove_file(&path).unwrap();
        assert!(write(&change).is_err());
    }
}
