//! Writing files completely or not at all.

use std::fs::Metadata;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

use crate::read::follow_links;

/// Held while a temporary file exists, and until all files of one change are written.
static WRITING: Mutex<()> = Mutex::new(());

/// The right to write files. A signal waits for its end, so it leaves neither a temporary file nor a part
/// of a change.
pub struct Writer {
    _guard: MutexGuard<'static, ()>,
}

impl Writer {
    /// Waits for other writers.
    pub fn begin() -> Self {
        Self { _guard: WRITING.lock().unwrap_or_else(PoisonError::into_inner) }
    }

    /// Writes a regular file completely or not at all: to a temporary file beside it that is then renamed.
    /// Links are followed; mode, owner and extended attributes of a file that is replaced are kept. Returns
    /// what could not be kept, in words.
    ///
    /// # Errors
    /// When the file cannot be written, or [`check_replaceable`] refuses it; an old file is then unchanged.
    pub fn replace(&self, path: &Path, bytes: &[u8]) -> io::Result<Vec<String>> {
        Staged::new(path, |file| file.write_all(bytes))?.persist()
    }
}

/// A file with its new contents, under a temporary name.
struct Staged {
    file: NamedTempFile,
    path: PathBuf,
    /// Attributes of the old file that could not be kept.
    lost: Vec<String>,
}

impl Staged {
    /// Everything of [`Writer::replace`] but the renaming; the caller is a [`Writer`].
    fn new(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<Self> {
        check_replaceable(path)?;
        let path = resolve(path);
        if path.is_symlink() {
            return Err(io::Error::other("its links lead in a circle"));
        }
        let mut file = temporary_beside(&path)?;
        write(&mut file)?;
        let lost = match std::fs::metadata(&path) {
            Ok(old) => attributes::keep(&file, &path, &old)?,
            Err(_) => Vec::new(),
        };
        Ok(Self { file, path, lost })
    }

    fn persist(self) -> io::Result<Vec<String>> {
        self.file.persist(&self.path).map_err(|error| error.error)?;
        Ok(self.lost)
    }
}

/// Files that are written together: all of them, or none.
///
/// Pipes and devices are written first, because that cannot be undone. Then all other contents are written under
/// temporary names, and finally these files are renamed.
#[derive(Default)]
pub struct Batch {
    files: Vec<BatchFile>,
}

struct BatchFile {
    path: PathBuf,
    /// In errors.
    name: String,
    contents: Contents,
    is_appended: bool,
}

/// Writes the contents of a file.
type Make = Box<dyn Fn(&mut dyn Write) -> io::Result<()>>;

enum Contents {
    Bytes(Vec<u8>),
    /// Made while they are written, because they are very large.
    Made(Make),
}

impl Contents {
    fn write(&self, file: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Bytes(bytes) => file.write_all(bytes),
            Self::Made(write) => {
                let mut out = BufWriter::new(file);
                write(&mut out)?;
                out.flush()
            }
        }
    }
}

impl Batch {
    /// Adds a file with its whole contents.
    pub fn replace(&mut self, path: PathBuf, name: String, bytes: Vec<u8>) {
        self.files.push(BatchFile { path, name, contents: Contents::Bytes(bytes), is_appended: false });
    }

    /// Adds a file whose whole contents are made while it is written.
    pub fn replace_by(
        &mut self,
        path: PathBuf,
        name: String,
        write: impl Fn(&mut dyn Write) -> io::Result<()> + 'static,
    ) {
        self.files.push(BatchFile { path, name, contents: Contents::Made(Box::new(write)), is_appended: false });
    }

    /// Adds what comes to the end of a file, which is created if it does not exist.
    pub fn append(&mut self, path: PathBuf, name: String, bytes: Vec<u8>) {
        self.files.push(BatchFile { path, name, contents: Contents::Bytes(bytes), is_appended: true });
    }

    /// Writes the files.
    ///
    /// # Errors
    /// The first that cannot be written, with its name.
    pub fn write(self) -> Result<(), String> {
        let (special, regular): (Vec<_>, Vec<_>) = self.files.into_iter().partition(|file| is_special(&file.path));
        for file in &special {
            write_special(&file.path, |special| file.contents.write(special)).map_err(|error| file.failed(&error))?;
        }
        let (appended, replaced): (Vec<_>, Vec<_>) = regular.into_iter().partition(|file| file.is_appended);
        let _writer = Writer::begin();
        let mut staged = Vec::new();
        for file in &replaced {
            let ready =
                Staged::new(&file.path, |staged| file.contents.write(staged)).map_err(|error| file.failed(&error))?;
            staged.push((file, ready));
        }
        for file in &appended {
            append(&file.path, &file.contents).map_err(|error| file.failed(&error))?;
        }
        for (file, ready) in staged {
            ready.persist().map_err(|error| file.failed(&error))?;
        }
        Ok(())
    }
}

impl BatchFile {
    fn failed(&self, error: &io::Error) -> String {
        format!("cannot write {}: {error}", self.name)
    }
}

/// Waits for the writer that is at work, and lets no other begin: the process must exit.
pub fn stop() {
    std::mem::forget(Writer::begin());
}

/// Writes a file completely or not at all, as [`Writer::replace`] does; a special file, such as a pipe, is
/// written to directly.
///
/// # Errors
/// When the file cannot be written; an old file is then unchanged.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_special(path) {
        return write_special(path, |file| file.write_all(bytes));
    }
    Writer::begin().replace(path, bytes).map(drop)
}

/// Creates files, with the folders around them: all, or none.
///
/// # Errors
/// The first that cannot be created, or exists; nothing is then left of the others.
pub fn create_all<'f>(files: impl IntoIterator<Item = (&'f Path, &'f [u8])>) -> Result<(), (PathBuf, io::Error)> {
    let _writer = Writer::begin();
    let mut created = Created::default();
    for (path, bytes) in files {
        created.create(path, bytes).map_err(|error| (path.to_path_buf(), error))?;
    }
    created.is_complete = true;
    Ok(())
}

/// Files and folders that are removed again unless all could be created.
#[derive(Default)]
struct Created {
    files: Vec<PathBuf>,
    /// Outer ones first.
    folders: Vec<PathBuf>,
    is_complete: bool,
}

impl Created {
    fn create(&mut self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let missing: Vec<&Path> = folder_of(path).ancestors().take_while(|folder| !folder.exists()).collect();
        for folder in missing.into_iter().rev().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir(folder)?;
            self.folders.push(folder.to_path_buf());
        }
        let mut file = temporary_beside(path)?;
        file.write_all(bytes)?;
        file.persist_noclobber(path).map_err(|error| error.error)?;
        self.files.push(path.to_path_buf());
        Ok(())
    }
}

impl Drop for Created {
    fn drop(&mut self) {
        if self.is_complete {
            return;
        }
        for file in &self.files {
            let _ = std::fs::remove_file(file);
        }
        for folder in self.folders.iter().rev() {
            // Fails for one into which somebody else has written.
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// Adds to the end of a file, all or nothing; the caller is a [`Writer`].
fn append(path: &Path, contents: &Contents) -> io::Result<()> {
    let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path)?;
    let length = file.metadata()?.len();
    contents.write(&mut file).inspect_err(|_| {
        let _ = file.set_len(length);
    })
}

fn write_special(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    write(&mut std::fs::OpenOptions::new().write(true).open(path)?)
}

/// Checks that a file may be replaced, if it exists: a read-only one may not, nor one with several hard links, as the
/// other names would keep the old contents.
///
/// # Errors
/// Why it may not.
pub fn check_replaceable(path: &Path) -> io::Result<()> {
    match writable(path)?.as_ref().map_or(1, attributes::hard_links) {
        0 | 1 => Ok(()),
        names => Err(io::Error::other(format!("the file has {names} hard links, which this would separate"))),
    }
}

/// The metadata of a regular file that is not read-only; `None` if the file is missing.
fn writable(path: &Path) -> io::Result<Option<Metadata>> {
    let Ok(metadata) = std::fs::metadata(path) else { return Ok(None) };
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Err(io::Error::other("not a regular file"));
    }
    if metadata.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    Ok(Some(metadata))
}

/// Checks that [`write_whole`] can write a file, except for hard links, which have their own error.
///
/// # Errors
/// Why it cannot.
pub fn can_write(path: &Path) -> io::Result<()> {
    if is_special(path) {
        // It is not replaced, so its folder does not matter.
        return Ok(());
    }
    writable(path)?;
    let path = resolve(path);
    if !folder_of(&path).is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "the folder does not exist"));
    }
    let _writer = Writer::begin();
    temporary_beside(&path).map(drop)
}

/// Creates a temporary file in the folder of another; the caller is a [`Writer`].
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".wflint-");
    if !path.exists() {
        attributes::default_mode(&mut builder);
    }
    builder.tempfile_in(folder_of(path)).map_err(|error| {
        let reason = error.kind();
        io::Error::new(reason, format!("cannot create a file in its folder: {reason}"))
    })
}

fn is_special(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

fn resolve(path: &Path) -> PathBuf {
    let path = follow_links(path);
    std::fs::canonicalize(&path).unwrap_or(path)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(unix)]
mod attributes {
    use std::fs::{Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    use std::path::Path;

    use tempfile::NamedTempFile;
    use xattr::FileExt;

    /// The bits of read, write and execute, without set-user-id and the like.
    const ACCESS: u32 = 0o777;

    pub fn hard_links(metadata: &Metadata) -> u64 {
        metadata.nlink()
    }

    /// A new file gets the mode that the user's mask leaves.
    pub fn default_mode(builder: &mut tempfile::Builder<'_, '_>) {
        builder.permissions(Permissions::from_mode(0o666));
    }

    /// Gives a new file the owner, the mode and the extended attributes (with them access control lists) of
    /// the one that it replaces. Returns what it could not, in words.
    pub fn keep(file: &NamedTempFile, path: &Path, old: &Metadata) -> io::Result<Vec<String>> {
        let mut lost = Vec::new();
        let new = file.as_file().metadata()?;
        // Before the mode: a change of owner takes bits away.
        if new.gid() != old.gid() && fchown(file.as_file(), None, Some(old.gid())).is_err() {
            lost.push("group".to_owned());
        }
        if new.uid() != old.uid() && fchown(file.as_file(), Some(old.uid()), None).is_err() {
            lost.push("owner".to_owned());
        }
        let mode = old.permissions().mode();
        let mode = if lost.is_empty() { mode } else { mode & ACCESS };
        file.as_file().set_permissions(Permissions::from_mode(mode))?;
        // A file system may have none.
        for name in xattr::list(path).into_iter().flatten() {
            let Ok(Some(value)) = xattr::get(path, &name) else { continue };
            let has_it = file.as_file().get_xattr(&name).is_ok_and(|own| own.as_ref() == Some(&value));
            if !has_it && file.as_file().set_xattr(&name, &value).is_err() {
                lost.push(format!("attribute `{}`", name.to_string_lossy()));
            }
        }
        Ok(lost)
    }
}

#[cfg(not(unix))]
mod attributes {
    use std::fs::Metadata;
    use std::io;
    use std::path::Path;

    use tempfile::NamedTempFile;

    pub const fn hard_links(_: &Metadata) -> u64 {
        1
    }

    pub fn default_mode(_: &mut tempfile::Builder<'_, '_>) {}

    pub fn keep(_: &NamedTempFile, _: &Path, _: &Metadata) -> io::Result<Vec<String>> {
        Ok(Vec::new())
    }
}
