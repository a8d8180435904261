//! Writing files: each is replaced as a whole, by a temporary file beside it that is then renamed.

use std::collections::BTreeSet;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

use crate::common::limits::MAX_FILE_BYTES;
use crate::files::paths::canonicalize;
use crate::files::read::{follow_links, read_up_to};

/// Held while a temporary file exists: a signal waits for its end, so it leaves none.
static WRITING: Mutex<()> = Mutex::new(());

fn begin() -> MutexGuard<'static, ()> {
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for the file that is being written, and lets no other begin: the process must exit.
pub fn stop() {
    std::mem::forget(begin());
}

/// Writes a file completely or not at all. Links are followed, and the permissions of a file that is replaced are kept.
/// A special file, such as a pipe, is written to directly.
///
/// # Errors
/// When the file cannot be written, or [`check_replaceable`] refuses it; an old file is then unchanged.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_with(path, |file| file.write_all(bytes))
}

/// As [`replace`], for contents that are too large to be made before.
pub fn replace_with(path: &Path, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if is_special(path) {
        return fill(&mut OpenOptions::new().write(true).open(path)?, contents);
    }
    check_replaceable(path)?;
    let path = resolve(path);
    if path.is_symlink() {
        return Err(io::Error::other("its links lead in a circle"));
    }
    let _guard = begin();
    let mut file = temporary_beside(&path)?;
    fill(&mut file, contents)?;
    if let Ok(old) = std::fs::metadata(&path) {
        system::keep_permissions(file.as_file(), &old)?;
    }
    file.persist(&path).map(drop).map_err(|error| error.error)
}

/// As [`replace_with`], unless the file has changed since it was read: `is_read` gets its bytes, `None` if it is missing.
/// No other run of this program can change it in between.
pub fn replace_unchanged(
    path: &Path,
    is_read: impl FnOnce(Option<&[u8]>) -> bool,
    contents: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let _lock = lock_beside([path]);
    let now = if path.exists() {
        Some(read_up_to(path, MAX_FILE_BYTES).map_err(|error| io::Error::other(error.to_string()))?)
    } else {
        None
    };
    if !is_special(path) && !is_read(now.as_deref()) {
        return Err(io::Error::other(CHANGED));
    }
    replace_with(path, contents)
}

/// Why a file is not replaced that is no longer as it was read.
pub const CHANGED: &str = "the file changed meanwhile, run again";

/// Locks the folders of files against other runs of this program, until the result is dropped. A folder that cannot be
/// locked, as on some network drives, is left out.
pub fn lock_beside<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Vec<File> {
    // In one order, so that no two runs wait for each other.
    let folders: BTreeSet<PathBuf> = paths.into_iter().map(|path| folder_of(&resolve(path)).to_path_buf()).collect();
    folders.iter().filter_map(|folder| system::lock(folder)).collect()
}

fn fill(file: &mut dyn Write, contents: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    contents(&mut out)?;
    out.flush()
}

/// Creates a file, and the folders around it.
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    std::fs::create_dir_all(folder_of(path))?;
    let _guard = begin();
    let mut file = temporary_beside(path)?;
    file.write_all(bytes)?;
    file.persist_noclobber(path).map(drop).map_err(|error| error.error)
}

/// Adds to the end of a file, which is created if it does not exist.
pub fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().append(true).create(true).open(path)?.write_all(bytes)
}

/// Checks that a file may be replaced, if it exists: a read-only one may not, nor one with several hard links, as the
/// other names would keep the old contents.
pub fn check_replaceable(path: &Path) -> io::Result<()> {
    match writable(path)?.as_ref().map_or(1, system::hard_links) {
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
    if system::is_read_only(&metadata) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    Ok(Some(metadata))
}

/// Checks that [`replace`] can write a file, except for hard links, which have their own error.
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
    let _guard = begin();
    temporary_beside(&path).map(drop)
}

/// Creates a temporary file in the folder of another; the caller has begun to write.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".wflint-");
    if !path.exists() {
        system::default_mode(&mut builder);
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
    canonicalize(&path).unwrap_or(path)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(unix)]
mod system {
    use std::fs::{File, Metadata, Permissions};
    use std::io;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::path::Path;

    /// Locks a folder itself, so that no file is left. Waits for others.
    pub fn lock(folder: &Path) -> Option<File> {
        let file = File::open(folder).ok()?;
        file.lock().is_ok().then_some(file)
    }

    pub fn hard_links(metadata: &Metadata) -> u64 {
        metadata.nlink()
    }

    pub fn keep_permissions(file: &File, old: &Metadata) -> io::Result<()> {
        file.set_permissions(old.permissions())
    }

    pub fn is_read_only(metadata: &Metadata) -> bool {
        metadata.permissions().readonly()
    }

    /// A new file gets the mode that the user's mask leaves.
    pub fn default_mode(builder: &mut tempfile::Builder<'_, '_>) {
        builder.permissions(Permissions::from_mode(0o666));
    }
}

#[cfg(not(unix))]
mod system {
    use std::fs::{File, Metadata};
    use std::io;
    use std::path::Path;

    /// Creates a file that no one else can open, and which disappears with its handle, however the process ends. Waits
    /// for others, at most some seconds.
    #[cfg(windows)]
    pub fn lock(folder: &Path) -> Option<File> {
        use std::fs::OpenOptions;
        use std::os::windows::fs::OpenOptionsExt;
        use std::time::Duration;
        const DELETE_ON_CLOSE: u32 = 0x0400_0000;
        let mut options = OpenOptions::new();
        options.write(true).create(true).share_mode(0).custom_flags(DELETE_ON_CLOSE);
        (0..500).find_map(|_| {
            let file = options.open(folder.join(".wflint-lock")).ok();
            if file.is_none() {
                std::thread::sleep(Duration::from_millis(10));
            }
            file
        })
    }

    #[cfg(not(windows))]
    pub fn lock(_: &Path) -> Option<File> {
        None
    }

    pub const fn hard_links(_: &Metadata) -> u64 {
        1
    }

    #[cfg(windows)]
    pub fn keep_permissions(file: &File, old: &Metadata) -> io::Result<()> {
        file.set_permissions(old.permissions())
    }

    #[cfg(windows)]
    pub fn is_read_only(metadata: &Metadata) -> bool {
        metadata.permissions().readonly()
    }

    /// WebAssembly's files have no permissions.
    #[cfg(not(windows))]
    pub const fn keep_permissions(_: &File, _: &Metadata) -> io::Result<()> {
        Ok(())
    }

    #[cfg(not(windows))]
    pub const fn is_read_only(_: &Metadata) -> bool {
        false
    }

    pub fn default_mode(_: &mut tempfile::Builder<'_, '_>) {}
}
