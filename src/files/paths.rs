//! Paths, and how reports show them.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::path::{Component, Path, PathBuf, Prefix};

use crate::common::collections::HashMap;

/// The path relative to a folder, with `/`; the whole path when it is on another drive.
pub fn relative_name(path: &Path, folder: &Path) -> String {
    if let Some(name) = name_below(path, folder) {
        return name.to_owned();
    }
    let shared = path.components().zip(folder.components()).take_while(|(a, b)| is_same(a, b)).count();
    if let (0, Some(Component::Prefix(drive))) = (shared, path.components().next()) {
        let drive = drive.as_os_str().to_string_lossy().replace('\\', "/");
        let inside = path.components().skip(1).filter(|component| *component != Component::RootDir);
        let inside = inside.map(|component| component.as_os_str().to_string_lossy().into_owned());
        return std::iter::once(drive).chain(inside).collect::<Vec<_>>().join("/");
    }
    let up = folder.components().skip(shared).map(|_| Cow::Borrowed(".."));
    let down = path.components().skip(shared).map(|component| component.as_os_str().to_string_lossy());
    let mut name = String::new();
    for part in up.chain(down) {
        if !name.is_empty() {
            name.push('/');
        }
        name.push_str(&part);
    }
    // Each file of a run keeps its name.
    name.shrink_to_fit();
    name
}

/// The name of a path below a folder, if it begins with the bytes of the folder's, as most do: comparing their parts is
/// slower. Windows has further separators, and drives without case.
fn name_below<'p>(path: &'p Path, folder: &Path) -> Option<&'p str> {
    let inside = path.to_str()?.strip_prefix(folder.to_str()?)?.strip_prefix('/')?;
    let is_clean = inside.split('/').all(|part| !matches!(part, "" | "."));
    (cfg!(unix) && folder.has_root() && is_clean).then_some(inside)
}

/// Whether two parts of paths are equal. The letter of a drive has no case.
fn is_same(a: &Component<'_>, b: &Component<'_>) -> bool {
    match (a, b) {
        (Component::Prefix(a), Component::Prefix(b)) => a.as_os_str().eq_ignore_ascii_case(b.as_os_str()),
        _ => a == b,
    }
}

/// The absolute path without `.` and `..`, and its name relative to the current folder, which itself is `.`.
pub fn clean_path(path: &Path, current: &Path) -> (PathBuf, String) {
    let path = clean(&current.join(path));
    let name = relative_name(&path, current);
    (path, if name.is_empty() { ".".to_owned() } else { name })
}

/// As many of the last parts of each as it takes to tell them apart, joined; at least so many of each. Those that are
/// taken belong to others. Equal ones may be left.
pub fn shortest_ends(all: &[Vec<String>], mut lengths: Vec<usize>, taken: &BTreeSet<String>) -> Vec<String> {
    let end =
        |parts: &[String], length: usize| parts.get(parts.len().saturating_sub(length)..).unwrap_or(parts).join("/");
    loop {
        let ends: Vec<String> = all.iter().zip(&lengths).map(|(parts, length)| end(parts, *length)).collect();
        let mut seen: HashMap<&str, usize> = HashMap::default();
        for end in ends.iter().chain(taken) {
            *seen.entry(end).or_default() += 1;
        }
        let mut grows = false;
        for ((end, length), parts) in ends.iter().zip(&mut lengths).zip(all) {
            if seen.get(end.as_str()).is_some_and(|number| *number > 1) && *length < parts.len() {
                *length += 1;
                grows = true;
            }
        }
        if !grows {
            return ends;
        }
    }
}

/// The absolute path of what exists, without links.
#[cfg(not(target_family = "wasm"))]
pub fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    std::fs::canonicalize(path)
}

/// The absolute path of what exists: the host of a WebAssembly module has no links.
#[cfg(target_family = "wasm")]
pub fn canonicalize(path: &Path) -> io::Result<PathBuf> {
    let path = clean(&std::env::current_dir()?.join(path));
    std::fs::symlink_metadata(&path).map(|_| path)
}

/// Removes `.` and `..` lexically: links are not resolved. `\\?\C:` of Windows becomes `C:`.
pub fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if !cleaned.pop() {
                    cleaned.push(component);
                }
            }
            Component::Prefix(prefix) => match prefix.kind() {
                Prefix::VerbatimDisk(letter) => cleaned.push(format!("{}:", char::from(letter))),
                _ => cleaned.push(component),
            },
            other => cleaned.push(other),
        }
    }
    cleaned
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_relative_to_the_current_folder() {
        let name = |path| relative_name(Path::new(path), Path::new("/home/me"));
        assert_eq!(name("/home/me/a/b.json"), "a/b.json");
        assert_eq!(name("/home/you/b.json"), "../you/b.json");
        assert_eq!(name("/home/meadow/b.json"), "../meadow/b.json");
        assert_eq!(name("/home/me//a/./b.json/"), "a/b.json");
        assert_eq!(name("/home/me"), "");
        assert_eq!(name("/home/me/../you/b.json"), "../you/b.json");
        assert_eq!(relative_name(Path::new("/a/b.json"), Path::new("/")), "a/b.json");
        assert_eq!(relative_name(Path::new("/a/b.json"), Path::new("/a/")), "b.json");
        assert_eq!(relative_name(Path::new("a/b.json"), Path::new("a")), "b.json");
        assert_eq!(clean(Path::new("/a/./b/../c")), Path::new("/a/c"));
    }

    #[cfg(windows)]
    #[test]
    fn drives_of_windows_are_understood() {
        let name = |path| relative_name(&clean(Path::new(path)), Path::new("C:\\me"));
        assert_eq!(name("C:\\me\\a\\b.json"), "a/b.json");
        assert_eq!(name("c:/me/a\\b.json"), "a/b.json");
        assert_eq!(name("\\\\?\\C:\\me\\b.json"), "b.json");
        assert_eq!(name("D:\\a\\b.json"), "D:/a/b.json");
        assert_eq!(name("\\\\server\\share\\b.json"), "//server/share/b.json");
    }
}
