//! Paths, and how reports show them.

use std::path::{Component, Path, PathBuf};

/// The path relative to a folder, with `/`.
pub fn relative_name(path: &Path, folder: &Path) -> String {
    let shared = path.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    let up = folder.components().skip(shared).map(|_| "..".to_owned());
    let down = path.components().skip(shared).map(|component| component.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// The absolute path without `.` and `..`, and its name relative to the current folder.
pub fn clean_path(path: &Path, current: &Path) -> (PathBuf, String) {
    let path = clean(&current.join(path));
    let name = relative_name(&path, current);
    (path, name)
}

/// Removes `.` and `..` lexically: links are not resolved.
pub(super) fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if !cleaned.pop() {
                    cleaned.push(component);
                }
            }
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
        assert_eq!(clean(Path::new("/a/./b/../c")), Path::new("/a/c"));
    }
}
