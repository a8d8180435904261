//! Reading files: regular ones only, and never more than a limit. No other module opens a file to read.

use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::common::limits::MAX_FILE_BYTES;
use crate::files::lookups::Lookups;
use crate::files::paths::canonicalize;

/// Bytes of a part of a file that is searched.
const PART: usize = 1 << 20;
/// Bytes of a part that the next one repeats, so that nothing shorter is missed between them.
const OVERLAP: usize = 256;

/// Why a file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    Missing,
    /// Outside of these folders, to which reading is limited.
    Outside(&'static str),
    /// The reason, in words.
    Other(String),
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing => f.write_str("no such file"),
            Self::Outside(folders) => write!(f, "outside of {folders}; use `--allow-outside` to read it"),
            Self::Other(reason) => f.write_str(reason),
        }
    }
}

/// Why a path cannot be used, in words.
pub fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file or folder".to_owned(),
        _ => error.to_string(),
    }
}

/// Files that are not saved yet, or were read before, by their absolute paths. They count as existing, and their texts in
/// place of those on the disk.
#[derive(Debug, Clone, Default)]
pub struct Unsaved {
    texts: Arc<BTreeMap<PathBuf, Option<Arc<str>>>>,
    lookups: Lookups,
}

impl Unsaved {
    /// Files with their texts.
    pub fn texts(files: impl IntoIterator<Item = (PathBuf, Arc<str>)>) -> Self {
        Self::new(files.into_iter().map(|(path, text)| (path, Some(text))))
    }

    /// Files that only count as existing.
    pub fn names(paths: impl IntoIterator<Item = PathBuf>) -> Self {
        Self::new(paths.into_iter().map(|path| (path, None)))
    }

    fn new(files: impl Iterator<Item = (PathBuf, Option<Arc<str>>)>) -> Self {
        Self { texts: Arc::new(files.collect()), lookups: Lookups::default() }
    }

    /// Remembers which files are looked for, saved or not.
    #[must_use]
    pub fn remembering(mut self, lookups: &Lookups) -> Self {
        self.lookups = lookups.clone();
        self
    }

    pub const fn lookups(&self) -> &Lookups {
        &self.lookups
    }

    pub fn contains(&self, path: &Path) -> bool {
        self.texts.contains_key(path)
    }

    /// Sorted.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.texts.keys().map(PathBuf::as_path)
    }

    /// The text of a file, if it is not saved.
    pub fn text(&self, path: &Path) -> Option<&Arc<str>> {
        self.texts.get(path)?.as_ref()
    }

    /// The text of a file: the unsaved one, or as [`read_regular`] reads it.
    pub fn read(&self, path: &Path) -> Result<String, ReadError> {
        self.lookups.add_file(path);
        self.text(path).map_or_else(|| read_regular(path), |text| Ok(text.to_string()))
    }
}

/// Reads a regular text file, also through a link. Pipes and devices are refused, because reading
/// one may never end.
pub fn read_regular(path: &Path) -> Result<String, ReadError> {
    let bytes = read_up_to(path, MAX_FILE_BYTES)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(too_large(MAX_FILE_BYTES));
    }
    String::from_utf8(bytes)
        .map_err(|error| ReadError::Other(format!("invalid UTF-8 at byte {}", error.utf8_error().valid_up_to())))
}

/// Reads a regular file, also through a link, up to one byte over the limit, so that no file can exhaust
/// memory.
pub fn read_up_to(path: &Path, limit: u64) -> Result<Vec<u8>, ReadError> {
    let (file, length) = open(path)?;
    let mut bytes = Vec::with_capacity(usize::try_from(length.min(limit)).unwrap_or(0) + 1);
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| ReadError::Other(error.to_string()))?;
    Ok(bytes)
}

/// Whether a test holds for any part of a regular file, up to a limit; parts overlap by some bytes. A file that
/// cannot be read has none.
pub fn any_part(path: &Path, limit: u64, mut test: impl FnMut(&[u8]) -> bool) -> bool {
    let Ok((file, _)) = open(path) else { return false };
    let mut file = file.take(limit);
    let mut part: Vec<u8> = Vec::with_capacity(PART + OVERLAP);
    loop {
        let kept = part.len().saturating_sub(OVERLAP);
        part.drain(..kept);
        match file.by_ref().take(PART as u64).read_to_end(&mut part) {
            Ok(0) | Err(_) => return false,
            Ok(_) if test(&part) => return true,
            Ok(_) => {}
        }
    }
}

/// Checks a file that a library reads: that it is a regular one, of at most this size, or missing.
pub fn check_readable(path: &Path, limit: u64) -> Result<(), ReadError> {
    let Ok(metadata) = std::fs::metadata(path) else { return Ok(()) };
    refuse_irregular(&metadata)?;
    if metadata.len() > limit { Err(too_large(limit)) } else { Ok(()) }
}

/// Whether something is at a path, even if it cannot be read, such as a broken link.
pub fn is_present(path: &Path) -> bool {
    match std::fs::symlink_metadata(path) {
        Ok(_) => true,
        Err(error) => error.kind() == io::ErrorKind::PermissionDenied,
    }
}

/// Whether a path leads to a regular file, also through a link.
pub fn is_regular(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file())
}

/// The identity of a file: links to it, symbolic or hard, have the same key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FileKey {
    /// Without links; of a file that does not exist yet, with those of its folder resolved.
    path: PathBuf,
    /// Device and inode, where there are such.
    node: Option<(u64, u64)>,
}

impl FileKey {
    pub fn of(path: &Path) -> Self {
        Self { path: resolve(path), node: node(path) }
    }

    /// Whether a path leads to this file.
    pub fn is_of(&self, path: &Path) -> bool {
        match self.node {
            Some(_) => node(path) == self.node,
            None => resolve(path) == self.path,
        }
    }

    /// The path without links.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The path to which a link leads, also if nothing is there; the last one of too many links to links.
pub fn follow_links(path: &Path) -> PathBuf {
    link_targets(path).last().unwrap_or_else(|| path.to_path_buf())
}

/// The paths to which a link leads, one after the other.
pub fn link_targets(path: &Path) -> impl Iterator<Item = PathBuf> {
    /// As many as Linux follows.
    const MAX_LINKS: usize = 40;
    let target = |path: &Path| {
        let target = std::fs::read_link(path).ok()?;
        Some(path.parent().map_or(target.clone(), |folder| folder.join(&target)))
    };
    std::iter::successors(target(path), move |path| target(path)).take(MAX_LINKS)
}

fn resolve(path: &Path) -> PathBuf {
    let path = &follow_links(path);
    let whole = canonicalize(path);
    whole.ok().or_else(|| in_resolved_folder(path)).unwrap_or_else(|| path.clone())
}

/// A path with the links in its folder resolved, but not one that it is itself.
pub fn in_resolved_folder(path: &Path) -> Option<PathBuf> {
    Some(canonicalize(path.parent()?).ok()?.join(path.file_name()?))
}

#[cfg(unix)]
fn node(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

#[cfg(not(unix))]
const fn node(_: &Path) -> Option<(u64, u64)> {
    None
}

/// Opens a regular file; with its length. Pipes, devices and folders are refused before they are opened: opening a pipe
/// would block, and opening some devices has effects.
fn open(path: &Path) -> Result<(File, u64), ReadError> {
    refuse_irregular(&std::fs::metadata(path).map_err(|error| unreadable(path, &error))?)?;
    let mut options = File::options();
    options.read(true);
    do_not_wait(&mut options);
    let file = options.open(path).map_err(|error| unreadable(path, &error))?;
    // Another may have taken its place.
    let metadata = file.metadata().map_err(|error| unreadable(path, &error))?;
    refuse_irregular(&metadata)?;
    Ok((file, metadata.len()))
}

fn unreadable(path: &Path, error: &io::Error) -> ReadError {
    match error.kind() {
        io::ErrorKind::NotFound if is_link(path) => ReadError::Other("broken link".to_owned()),
        io::ErrorKind::NotFound => ReadError::Missing,
        _ => ReadError::Other(error.to_string()),
    }
}

/// Opening a pipe then does not wait for a writer; it changes nothing for a regular file.
#[cfg(unix)]
fn do_not_wait(options: &mut std::fs::OpenOptions) {
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK);
}

#[cfg(not(unix))]
fn do_not_wait(_: &mut std::fs::OpenOptions) {}

fn is_link(path: &Path) -> bool {
    std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink())
}

fn too_large(limit: u64) -> ReadError {
    ReadError::Other(format!("larger than {} MiB", limit >> 20))
}

fn refuse_irregular(metadata: &Metadata) -> Result<(), ReadError> {
    let found = if metadata.is_file() {
        return Ok(());
    } else if metadata.is_dir() {
        "a folder"
    } else {
        "a pipe or device"
    };
    Err(ReadError::Other(format!("expected a regular file, found {found}")))
}
