//! Undoes changes of files if a report of the same run cannot be written.

use std::path::PathBuf;

use crate::fix::Change;
use crate::read::read_up_to;
use crate::write::Writer;

/// The changes that a run has made, in their order.
#[derive(Debug, Default)]
pub(super) struct Undo {
    changes: Vec<Changed>,
    notes: Vec<String>,
}

#[derive(Debug)]
struct Changed {
    path: PathBuf,
    name: String,
    /// `None` if the run created the file.
    before: Option<String>,
    after: String,
}

impl Undo {
    pub fn add(&mut self, path: PathBuf, name: String, before: Option<String>, after: String) {
        self.changes.push(Changed { path, name, before, after });
    }

    pub fn add_fixes(&mut self, changes: &[Change]) {
        for change in changes {
            let (path, name) = (change.path.clone(), change.name.clone());
            self.add(path, name, Some(change.before.to_string()), change.after.to_string());
        }
    }

    /// Adds a line about a change, to be printed when it is certain that the change stays.
    pub fn note(&mut self, line: String) {
        self.notes.push(line);
    }

    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Undoes the changes, the last one first. Returns the reason, and what could not be undone.
    pub fn run(self, mut reason: String) -> String {
        let writer = Writer::begin();
        for change in self.changes.iter().rev() {
            if let Err(error) = change.take_back(&writer) {
                reason = format!("{reason}; cannot undo the changes of {}: {error}", change.name);
            }
        }
        reason
    }
}

impl Changed {
    fn take_back(&self, writer: &Writer) -> Result<(), String> {
        let now = read_up_to(&self.path, self.after.len() as u64).map_err(|error| error.to_string())?;
        if now != self.after.as_bytes() {
            return Err("the file changed meanwhile".to_owned());
        }
        let done = match &self.before {
            Some(before) => writer.replace(&self.path, before.as_bytes()).map(drop),
            None => std::fs::remove_file(&self.path),
        };
        done.map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_taken_back_from_the_last_to_the_first() {
        let folder = tempfile::tempdir().unwrap();
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        std::fs::write(&old, "3").unwrap();
        std::fs::write(&new, "x").unwrap();
        let mut undo = Undo::default();
        let text = |text: &str| text.to_owned();
        undo.add(old.clone(), text("old"), Some(text("1")), text("2"));
        undo.add(old.clone(), text("old"), Some(text("2")), text("3"));
        undo.add(new.clone(), text("new"), None, text("x"));
        undo.add(new.clone(), text("other"), None, text("y"));
        assert_eq!(undo.run(text("why")), "why; cannot undo the changes of other: the file changed meanwhile");
        assert_eq!(std::fs::read_to_string(&old).unwrap(), "1");
        assert!(!new.exists());
    }
}
