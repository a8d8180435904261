//! Walks through folders as git sees them: without ignored and hidden entries, and without following links.

use crate::files::paths::canonicalize;
use std::ffi::{OsStr, OsString};
use std::fs::FileType;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::ignore_files::{IgnoreFile, Rules, global, ignores};

/// Maximum number of folders that a thread reads before another one can take some of them.
const MAX_FOLDERS_OF_THREAD: usize = 8;

/// What a walk has found, without the walked folder itself.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// Those that were wanted, by path.
    pub entries: Vec<Entry>,
    /// What could not be read, in words.
    pub unreadable: Vec<String>,
}

#[derive(Debug)]
pub(super) struct Entry {
    pub path: PathBuf,
    /// Not that of what a link leads to.
    pub file_type: FileType,
}

/// Which of the entries are wanted.
pub(super) type EntryFilter<'w> = &'w (dyn Fn(&Path, FileType) -> bool + Sync);

/// Walks through a folder to a depth; 1 is that of the files of the folder itself. On a pool of threads, the folders of
/// each depth are shared among them.
///
/// # Errors
/// The first ignore file above the folder that cannot be read, with the reason.
pub(super) fn walk(folder: &Path, max_depth: Option<usize>, wanted: EntryFilter<'_>) -> Result<Walked, String> {
    let walk = Walk::new(folder, wanted)?;
    let mut found = Walked::default();
    let mut folders = vec![Folder { path: folder.to_path_buf(), around: None }];
    for _ in 0..max_depth.unwrap_or(usize::MAX) {
        if folders.is_empty() {
            break;
        }
        let read: Vec<Contents> = if rayon::current_thread_index().is_some() {
            folders.par_iter().with_max_len(MAX_FOLDERS_OF_THREAD).map(|folder| walk.read(folder)).collect()
        } else {
            folders.iter().map(|folder| walk.read(folder)).collect()
        };
        folders.clear();
        for contents in read {
            found.entries.extend(contents.wanted);
            found.unreadable.extend(contents.unreadable);
            folders.extend(contents.folders);
        }
    }
    // Those of each depth are sorted, and a stable sort makes use of that.
    found.entries.sort_by(|a, b| a.path.cmp(&b.path));
    found.unreadable.sort_unstable();
    Ok(found)
}

struct Walk<'w> {
    wanted: EntryFilter<'w>,
    /// Of the folders above the walked one, the nearest first.
    above: Vec<Rules>,
    /// The walked folder, and where it is if its path contains links: rules above it are for that path.
    folder: &'w Path,
    resolved: Option<PathBuf>,
    /// For all repositories: their own rules have it, but not those of folders outside.
    global: Rules,
}

/// A folder that is to be read, with the rules of those around it.
struct Folder {
    path: PathBuf,
    around: Option<Arc<Around>>,
}

/// The rules of a folder that has some, and of those around it.
struct Around {
    rules: Rules,
    around: Option<Arc<Self>>,
}

/// What a folder contains.
#[derive(Default)]
struct Contents {
    wanted: Vec<Entry>,
    folders: Vec<Folder>,
    unreadable: Vec<String>,
}

impl<'w> Walk<'w> {
    fn new(folder: &'w Path, wanted: EntryFilter<'w>) -> Result<Self, String> {
        let resolved = canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
        Ok(Self {
            wanted,
            above: resolved.ancestors().skip(1).map(Rules::of).collect::<Result<_, _>>()?,
            folder,
            resolved: Some(resolved).filter(|resolved| resolved != folder),
            global: global(folder)?,
        })
    }

    fn read(&self, folder: &Folder) -> Contents {
        let mut contents = Contents::default();
        let because = |reason: &std::io::Error| format!("{}: {reason}", folder.path.display());
        let mut entries: Vec<(OsString, FileType)> = Vec::new();
        match std::fs::read_dir(&folder.path) {
            Ok(listed) => {
                for entry in listed {
                    match entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?))) {
                        Ok(entry) => entries.push(entry),
                        Err(error) => contents.unreadable.push(because(&error)),
                    }
                }
            }
            Err(error) => contents.unreadable.push(because(&error)),
        }
        entries.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
        let around = match rules_of(folder, &entries) {
            Ok(around) => around,
            // Without its rules, the folder is left out.
            Err(reason) => {
                contents.unreadable.push(reason);
                return contents;
            }
        };
        for (name, file_type) in entries {
            let path = folder.path.join(&name);
            if IgnoreFile::named(&name).is_some() || !self.is_visible(&path, &name, file_type, around.as_deref()) {
                continue;
            }
            if file_type.is_dir() {
                contents.folders.push(Folder { path: path.clone(), around: around.clone() });
            }
            if (self.wanted)(&path, file_type) {
                contents.wanted.push(Entry { path, file_type });
            }
        }
        contents
    }

    /// Whether an entry is neither ignored nor hidden.
    fn is_visible(&self, path: &Path, name: &OsStr, file_type: FileType, around: Option<&Around>) -> bool {
        let is_folder = file_type.is_dir();
        let resolved =
            self.resolved.as_ref().and_then(|resolved| Some(resolved.join(path.strip_prefix(self.folder).ok()?)));
        let inside = std::iter::successors(around, |around| around.around.as_deref());
        let inside = inside.map(|around| (&around.rules, path));
        let above = self.above.iter().map(|rules| (rules, resolved.as_deref().unwrap_or(path)));
        let is_ignored = ignores(inside.chain(above).chain([(&self.global, path)]), is_folder);
        !is_ignored.unwrap_or_else(|| name.as_encoded_bytes().starts_with(b"."))
    }
}

/// The rules in a folder and around it.
fn rules_of(folder: &Folder, entries: &[(OsString, FileType)]) -> Result<Option<Arc<Around>>, String> {
    let mut rules: Option<Rules> = None;
    for file in entries.iter().filter_map(|(name, _)| IgnoreFile::named(name)) {
        rules.get_or_insert_default().add(file, &folder.path)?;
    }
    Ok(match rules {
        Some(rules) => Some(Arc::new(Around { rules, around: folder.around.clone() })),
        None => folder.around.clone(),
    })
}
