//! What git prints with `-z`: paths as they are, each followed by a zero byte.

use std::path::{Path, PathBuf};

use super::object::ObjectId;

pub(super) enum TreeEntry {
    File(PathBuf, ObjectId),
    Submodule(PathBuf, ObjectId),
}

/// The regular files and submodules of `git ls-tree -r -z`: `MODE TYPE HASH<tab>PATH`.
pub(super) fn tree_entries(output: &[u8]) -> impl Iterator<Item = TreeEntry> {
    output.split(|&byte| byte == 0).filter_map(|line| {
        let tab = line.iter().position(|&byte| byte == b'\t')?;
        let (head, path) = (std::str::from_utf8(line.get(..tab)?).ok()?, path_of(line.get(tab + 1..)?));
        let mut words = head.split(' ');
        let (mode, _, id) = (words.next()?, words.next()?, ObjectId::parse(words.next()?)?);
        match mode {
            "100644" | "100755" | "100664" => Some(TreeEntry::File(path, id)),
            "160000" => Some(TreeEntry::Submodule(path, id)),
            // A link, which a walk does not follow.
            _ => None,
        }
    })
}

/// The old and new paths of `git diff-index --name-status -z` with renames alone: `R100`, old, new.
pub(super) fn renames(output: &[u8]) -> Vec<(PathBuf, PathBuf)> {
    let mut words = output.split(|&byte| byte == 0);
    let mut renames = Vec::new();
    while let (Some(status), Some(old), Some(new)) = (words.next(), words.next(), words.next()) {
        if status.starts_with(b"R") {
            renames.push((path_of(old), path_of(new)));
        }
    }
    renames
}

#[cfg(unix)]
pub(super) fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
pub(super) fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(unix)]
pub(super) fn bytes_of(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes().to_vec()
}

#[cfg(not(unix))]
pub(super) fn bytes_of(path: &Path) -> Vec<u8> {
    path.to_string_lossy().replace('\\', "/").into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_of_a_tree_are_read() {
        let hash = "0123456789012345678901234567890123456789";
        let output = format!(
            "100644 blob {hash}\ta\tb \n.json\0120000 blob {hash}\tlink.json\0160000 commit {hash}\tsub\0100755 blob x\tc\0"
        );
        let entries: Vec<String> = tree_entries(output.as_bytes())
            .map(|entry| match entry {
                TreeEntry::File(path, id) => format!("{} {}", path.display(), id.as_str().len()),
                TreeEntry::Submodule(path, _) => format!("submodule {}", path.display()),
            })
            .collect();
        assert_eq!(entries, ["a\tb \n.json 40", "submodule sub"]);
    }

    #[test]
    fn renames_are_read_in_threes() {
        let found = renames(b"R100\0a.json\0b/a.json\0R051\0c\0d\0");
        assert_eq!(found, [("a.json".into(), "b/a.json".into()), ("c".into(), "d".into())]);
        assert!(renames(b"").is_empty());
    }
}
