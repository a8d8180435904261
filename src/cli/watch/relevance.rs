//! Decides which changes can affect the result of a run.

use std::collections::BTreeSet;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use notify::Event;
use notify::event::{AccessKind, AccessMode, EventKind};

use super::patterns::{Patterns, existing};
use crate::config::FILE_NAME;
use crate::project::{exclude_file_of, walked_folders};
use crate::read::FileKey;

/// Hidden files that a walk reads.
const IGNORE_FILES: [&str; 2] = [".gitignore", ".ignore"];

#[derive(Debug)]
pub struct Relevance {
    /// Folders in which every file counts.
    whole: BTreeSet<PathBuf>,
    /// The paths of the command line, and the files that a run reads or looks for, such as the `info/exclude` of git.
    exact: BTreeSet<PathBuf>,
    patterns: Patterns,
    roots: Vec<PathBuf>,
    /// Files that the run writes.
    outputs: Vec<PathBuf>,
    /// The files of standard output and standard error, if they are redirected to files.
    streams: Vec<FileKey>,
}

impl Relevance {
    pub fn new(roots: &[PathBuf], read: &[PathBuf], patterns: Patterns, outputs: &[PathBuf]) -> Self {
        let mut relevance = Self {
            whole: BTreeSet::new(),
            exact: roots.iter().chain(read).cloned().collect(),
            patterns,
            roots: roots.to_vec(),
            outputs: outputs.to_vec(),
            streams: streams(),
        };
        relevance.update();
        relevance
    }

    /// The folders of a walk as git sees them, and those of the files that are read.
    fn walked(&self) -> BTreeSet<PathBuf> {
        let mut folders = BTreeSet::new();
        for root in &self.roots {
            if root.is_dir() {
                folders.extend(walked_folders(root));
            } else {
                folders.extend(root.parent().map(Path::to_path_buf));
            }
        }
        folders
    }

    /// Walks again.
    pub fn update(&mut self) {
        self.whole = self.walked();
        let above = self.roots.iter().flat_map(|root| root.ancestors().skip(1));
        let excludes = self.whole.iter().map(PathBuf::as_path).chain(above).filter_map(exclude_file_of);
        self.exact.extend(excludes.collect::<Vec<_>>());
    }

    /// The folders to watch. Their parents are included: configurations, and the folders themselves, may be created
    /// there.
    pub fn folders(&self) -> BTreeSet<PathBuf> {
        let mut folders = self.whole.clone();
        // Of a folder that does not exist, the one in which it may be created.
        let of_files: BTreeSet<&Path> = self.exact.iter().filter_map(|path| path.parent()).collect();
        folders.extend(of_files.into_iter().filter_map(existing).map(Path::to_path_buf));
        folders.extend(self.patterns.folders());
        let above = self.roots.iter().flat_map(|root| root.ancestors().skip(1));
        folders.extend(above.filter(|folder| folder.is_dir()).map(Path::to_path_buf));
        folders
    }

    /// Whether every file of a folder counts.
    pub fn is_whole(&self, folder: &Path) -> bool {
        self.whole.contains(folder)
    }

    /// Whether an event changes a file that the run reads. Reading a file does not change it.
    pub fn is_change(&self, event: &notify::Result<Event>) -> bool {
        // An error says that events may be lost.
        let Ok(event) = event else { return true };
        match event.kind {
            EventKind::Access(AccessKind::Close(AccessMode::Write)) => {}
            EventKind::Access(_) => return false,
            _ => {}
        }
        event.need_rescan() || event.paths.iter().any(|path| self.counts(path))
    }

    fn counts(&self, path: &Path) -> bool {
        if self.is_own(path) {
            return false;
        }
        if self.is_read(path) || self.patterns.counts(path) || self.roots.iter().any(|root| root.starts_with(path)) {
            return true;
        }
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if name == FILE_NAME || IGNORE_FILES.contains(&name) {
            return true;
        }
        let is_in_whole = path.parent().is_some_and(|folder| self.whole.contains(folder)) || self.whole.contains(path);
        is_in_whole && !name.starts_with('.')
    }

    /// Whether a path is that of a file that is read, or a folder around one.
    fn is_read(&self, path: &Path) -> bool {
        // Paths in a folder follow it in order.
        let mut from = self.exact.range::<Path, _>((Bound::Included(path), Bound::Unbounded));
        from.next().is_some_and(|file| file.starts_with(path))
    }

    fn is_own(&self, path: &Path) -> bool {
        self.outputs.iter().any(|output| FileKey::of(output).is_of(path))
            || self.streams.iter().any(|stream| stream.is_of(path))
    }
}

/// The files that the shell has opened for the output.
#[cfg(unix)]
fn streams() -> Vec<FileKey> {
    let streams = ["/dev/fd/1", "/dev/fd/2"].into_iter().map(Path::new);
    streams.filter(|stream| crate::read::is_regular(stream)).map(FileKey::of).collect()
}

#[cfg(not(unix))]
const fn streams() -> Vec<FileKey> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use notify::event::{CreateKind, ModifyKind};

    use super::*;

    fn event(kind: EventKind, path: &Path) -> Event {
        Event::new(kind).add_path(path.to_path_buf())
    }

    #[test]
    fn changes_of_what_is_read_count_and_others_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("services");
        std::fs::create_dir_all(root.join("sign")).unwrap();
        std::fs::create_dir_all(root.join("target")).unwrap();
        std::fs::write(root.join(".gitignore"), "target/\n").unwrap();
        let outputs = [root.join("sign/report.json")];
        let read = [folder.path().join("catalogs/own.toml")];
        let relevance = Relevance::new(std::slice::from_ref(&root), &read, Patterns::new(&[]), &outputs);
        let is_change = |kind, path: &str| relevance.is_change(&Ok(event(kind, &folder.path().join(path))));
        let written = EventKind::Modify(ModifyKind::Any);
        for path in [
            "services/a.json",
            "services/sign/a.json",
            "services/.gitignore",
            "wflint.toml",
            "catalogs/own.toml",
            "catalogs",
            "services",
            "services/sign",
        ] {
            assert!(is_change(written, path), "{path}");
        }
        for path in ["other.json", "catalogs/else.toml", "services/target/a.json", "services/sign/.a.json.swp"] {
            assert!(!is_change(written, path), "{path}");
        }
        assert!(!is_change(written, "services/sign/report.json"), "its own output");
        assert!(is_change(EventKind::Create(CreateKind::Folder), "services/new"));
        assert!(
            !is_change(EventKind::Access(AccessKind::Open(AccessMode::Any)), "services/a.json"),
            "to read changes nothing"
        );
        assert!(!relevance.folders().contains(&root.join("target")), "ignored folders may hold very much");
    }
}
