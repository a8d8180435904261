//! Walks through folders as git sees them: without ignored and hidden entries, and without following links.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};

use ignore::gitignore::Gitignore;
use walkdir::{DirEntry, WalkDir};

use super::ignore_files::{IgnoreFile, Rules, ignores, may_be_global};

/// The entries of a walk, the folder itself first, each folder sorted by name; or what could not be read, in words.
pub(super) struct Walk {
    entries: walkdir::IntoIter,
    /// Of the folders around the current entry, the outermost first, with the depth of their entries.
    rules: Vec<(usize, Rules)>,
    /// Of the folders above the walked one, the nearest first.
    above: Vec<Rules>,
    /// The walked folder, and where it is if its path contains links: rules above it are for that path.
    folder: PathBuf,
    resolved: Option<PathBuf>,
    /// For all repositories.
    global: Option<Gitignore>,
}

impl Walk {
    /// A walk to a depth; 1 is that of the files of the folder itself.
    ///
    /// # Errors
    /// The first ignore file above the folder that cannot be read, with the reason.
    pub fn new(folder: &Path, max_depth: Option<usize>) -> Result<Self, String> {
        let resolved = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
        let above = resolved.ancestors().skip(1).map(Rules::of).collect::<Result<_, _>>()?;
        let entries = WalkDir::new(folder).max_depth(max_depth.unwrap_or(usize::MAX)).sort_by(ignore_files_first);
        Ok(Self {
            entries: entries.into_iter(),
            rules: Vec::new(),
            above,
            folder: folder.to_path_buf(),
            resolved: Some(resolved).filter(|resolved| resolved != folder),
            global: may_be_global().then(|| Gitignore::global().0),
        })
    }

    /// Adds the rules of an ignore file to those of its folder.
    fn add_rules(&mut self, file: IgnoreFile, entry: &DirEntry) -> Result<(), String> {
        let Some(folder) = entry.path().parent() else { return Ok(()) };
        if self.rules.last().is_none_or(|(depth, _)| *depth != entry.depth()) {
            self.rules.push((entry.depth(), Rules::default()));
        }
        self.rules.last_mut().map_or(Ok(()), |(_, rules)| rules.add(file, folder))
    }

    fn is_wanted(&self, entry: &DirEntry) -> bool {
        let (path, is_folder) = (entry.path(), entry.file_type().is_dir());
        let resolved =
            self.resolved.as_ref().and_then(|resolved| Some(resolved.join(path.strip_prefix(&self.folder).ok()?)));
        let inside = self.rules.iter().rev().map(|(_, rules)| (rules, path));
        let above = self.above.iter().map(|rules| (rules, resolved.as_deref().unwrap_or(path)));
        let is_ignored = ignores(inside.chain(above), is_folder).or_else(|| {
            let found = self.global.as_ref()?.matched(path, is_folder);
            (!found.is_none()).then(|| found.is_ignore())
        });
        !is_ignored.unwrap_or_else(|| entry.file_name().as_encoded_bytes().starts_with(b"."))
    }
}

impl Iterator for Walk {
    type Item = Result<DirEntry, String>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let entry = match self.entries.next()? {
                Ok(entry) if entry.depth() == 0 => return Some(Ok(entry)),
                Ok(entry) => entry,
                Err(error) => return Some(Err(in_words(&error))),
            };
            while self.rules.pop_if(|(depth, _)| *depth > entry.depth()).is_some() {}
            let file = IgnoreFile::named(entry.file_name());
            let added = file.map_or(Ok(()), |file| self.add_rules(file, &entry));
            if file.is_none() && self.is_wanted(&entry) {
                return Some(Ok(entry));
            }
            if entry.file_type().is_dir() {
                self.entries.skip_current_dir();
            }
            if let Err(reason) = added {
                // Without its rules, the folder is left out.
                self.entries.skip_current_dir();
                return Some(Err(reason));
            }
        }
    }
}

/// Sorts by name, ignore files before what they are about.
fn ignore_files_first(a: &DirEntry, b: &DirEntry) -> Ordering {
    let is_other = |entry: &DirEntry| IgnoreFile::named(entry.file_name()).is_none();
    is_other(a).cmp(&is_other(b)).then_with(|| a.file_name().cmp(b.file_name()))
}

fn in_words(error: &walkdir::Error) -> String {
    match (error.path(), error.io_error()) {
        (Some(path), Some(reason)) => format!("{}: {reason}", path.display()),
        _ => error.to_string(),
    }
}
