//! The folders that the system watches: those that a run walks through, and no ignored ones, which may hold very much.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use notify::event::{EventKind, ModifyKind};
use notify::{Event, RecursiveMode, Watcher};

use super::relevance::Relevance;

#[derive(Debug, Default)]
pub struct Folders {
    watched: BTreeSet<PathBuf>,
    /// Folders that the system may still watch under another name.
    forgotten: BTreeSet<PathBuf>,
}

impl Folders {
    /// Watches the folders that exist now, and no others. Returns why one could not be watched.
    pub fn sync(&mut self, watcher: &mut impl Watcher, relevance: &mut Relevance) -> Option<String> {
        let mut reason = None;
        for folder in std::mem::take(&mut self.forgotten) {
            // The system may have forgotten it already.
            let _ = watcher.unwatch(&folder);
        }
        let mut wanted = relevance.folders();
        // Folders may be created while they are listed, unnoticed where those around them are not watched yet.
        while wanted != self.watched {
            let mut failed = BTreeSet::new();
            for gone in self.watched.difference(&wanted) {
                let _ = watcher.unwatch(gone);
            }
            for new in wanted.difference(&self.watched) {
                let Err(error) = watcher.watch(new, RecursiveMode::NonRecursive) else { continue };
                failed.insert(new.clone());
                // The folder may be gone again, or outside of what may be read.
                if relevance.is_whole(new) && new.is_dir() {
                    reason = Some(error.to_string());
                }
            }
            // The next change tries the others again.
            self.watched = wanted.difference(&failed).cloned().collect();
            relevance.update();
            let known = std::mem::replace(&mut wanted, relevance.folders());
            if wanted == known {
                break;
            }
        }
        reason
    }

    /// Forgets folders that were removed or renamed: the system does not watch another one of the same name.
    pub fn forget_changed(&mut self, event: &notify::Result<Event>) {
        let Ok(event) = event else {
            self.forgotten.append(&mut self.watched);
            return;
        };
        if matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) | EventKind::Other) {
            let is_inside = |folder: &Path| event.paths.iter().any(|path| folder.starts_with(path));
            let (forgotten, watched): (BTreeSet<PathBuf>, _) =
                std::mem::take(&mut self.watched).into_iter().partition(|folder| is_inside(folder));
            self.watched = watched;
            self.forgotten.extend(forgotten);
        }
    }
}
