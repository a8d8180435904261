//! Writing files completely or not at all.

use std::io::{self, Write};
use std::path::Path;

/// Writes a file completely or not at all: to a temporary file beside it that is then renamed. A
/// special file, such as a pipe, is written to directly. Links are followed and permissions kept.
///
/// # Errors
/// When the file cannot be written; an old file is then unchanged.
pub fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let is_special = std::fs::metadata(path).is_ok_and(|metadata| !metadata.is_file());
    if is_special {
        return std::fs::OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(bytes)?;
    set_permissions(&file, &path)?;
    file.persist(&path).map_err(|error| error.error)?;
    Ok(())
}

/// Checks that [`write_whole`] can write a file.
///
/// # Errors
/// Why it cannot.
pub fn can_write(path: &Path) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        // A special file is not replaced, so its folder does not matter.
        Ok(metadata) if !metadata.is_file() => return Ok(()),
        Ok(_) | Err(_) => {}
    }
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "the folder does not exist"));
    }
    tempfile::NamedTempFile::new_in(folder).map(drop)
}

/// Copies the permissions of the file that is replaced; a new file gets the default ones.
#[cfg(unix)]
fn set_permissions(file: &tempfile::NamedTempFile, path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let default = std::fs::Permissions::from_mode(0o644);
    let permissions = std::fs::metadata(path).map_or(default, |metadata| metadata.permissions());
    file.as_file().set_permissions(permissions)
}

#[cfg(not(unix))]
fn set_permissions(_: &tempfile::NamedTempFile, _: &Path) -> io::Result<()> {
    Ok(())
}
