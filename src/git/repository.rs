//! A work tree, its revisions and their files, as git prints them.

use crate::files::paths::canonicalize;
use std::path::{Path, PathBuf};

use super::command::{Blobs, Git, GitError, ObjectId};

/// The work tree of a git repository.
#[derive(Debug, Clone)]
pub struct Repository {
    /// Without links.
    root: PathBuf,
}

/// The files of a revision.
#[derive(Debug, Default)]
pub struct Tree {
    /// Regular files that are wanted, by path below the root.
    pub files: Vec<(PathBuf, ObjectId)>,
    /// Submodules, with their commits.
    pub submodules: Vec<(PathBuf, ObjectId)>,
}

impl Repository {
    /// The repository of a folder.
    pub fn of(folder: &Path) -> Result<Self, String> {
        let output = Git::new(folder).run(&["rev-parse", "--show-toplevel"]).map_err(|error| error.to_string())?;
        let line = output.strip_suffix(b"\n").unwrap_or(&output);
        let root = path_of(line);
        let root = canonicalize(&root).map_err(|error| format!("cannot read {}: {error}", root.display()))?;
        Ok(Self { root })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The commit of a revision; of one that ends in `...`, its merge base with `HEAD`.
    pub fn commit(&self, revision: &str) -> Result<ObjectId, String> {
        let (name, is_base) = revision.strip_suffix("...").map_or((revision, false), |name| (name, true));
        if name.trim().is_empty() || name.starts_with('-') {
            return Err(format!("invalid revision `{revision}`"));
        }
        let unknown = || format!("unknown revision `{name}`{}", self.hint());
        let commit = self.object(&["rev-parse", "--verify", "--quiet", &format!("{name}^{{commit}}")], unknown)?;
        if !is_base {
            return Ok(commit);
        }
        let unrelated = || format!("no merge base of `{name}` and `HEAD`{}", self.hint());
        self.merge_base(&commit, unrelated)
    }

    /// The first merge base of a commit and `HEAD`: `A...B` is both, without what their merge bases (`^C`) have.
    fn merge_base(&self, commit: &ObjectId, failed: impl Fn() -> String) -> Result<ObjectId, String> {
        let output = match self.git().run(&["rev-parse", &format!("{}...HEAD", commit.as_str())]) {
            Ok(output) => output,
            Err(GitError::Failed(_)) => return Err(failed()),
            Err(error) => return Err(error.to_string()),
        };
        let lines = String::from_utf8_lossy(&output);
        lines.lines().find_map(|line| ObjectId::parse(line.strip_prefix('^')?)).ok_or_else(failed)
    }

    /// The object that a command prints.
    fn object(&self, args: &[&str], failed: impl Fn() -> String) -> Result<ObjectId, String> {
        let output = match self.git().run(args) {
            Ok(output) => output,
            Err(GitError::Failed(_)) => return Err(failed()),
            Err(error) => return Err(error.to_string()),
        };
        let line = String::from_utf8_lossy(&output);
        ObjectId::parse(line.lines().next().unwrap_or_default()).ok_or_else(failed)
    }

    /// A hint for a missing commit.
    fn hint(&self) -> &'static str {
        let is_shallow = self.git().run(&["rev-parse", "--is-shallow-repository"]);
        if is_shallow.is_ok_and(|output| output.starts_with(b"true")) {
            "; the clone is shallow, fetch all commits first"
        } else {
            ""
        }
    }

    /// The path of a folder below the root; `None` for one outside.
    pub fn below(&self, folder: &Path) -> Option<PathBuf> {
        let folder = canonicalize(folder).ok()?;
        folder.strip_prefix(&self.root).ok().map(Path::to_path_buf)
    }

    /// Whether a string names a commit.
    pub fn knows(&self, revision: &str) -> bool {
        !revision.ends_with("...") && self.commit(revision).is_ok()
    }

    /// The files of a commit that are wanted by their paths below the root.
    pub fn tree(&self, commit: &ObjectId, is_wanted: impl Fn(&Path) -> bool) -> Result<Tree, String> {
        let output = self.git().run(&["ls-tree", "-r", "-z", "--full-tree", commit.as_str()]);
        let output = output.map_err(|error| error.to_string())?;
        let mut tree = Tree::default();
        for entry in tree_entries(&output) {
            match entry {
                TreeEntry::File(path, id) if is_wanted(&path) => tree.files.push((path, id)),
                TreeEntry::Submodule(path, id) => tree.submodules.push((path, id)),
                TreeEntry::File(..) => {}
            }
        }
        Ok(tree)
    }

    /// The files that were renamed since a commit, as `git diff -M` finds them: old and new path below the root. The
    /// index is compared, since files of the work tree would pass filters that the repository may configure.
    pub(super) fn renames(&self, commit: &ObjectId) -> Result<Vec<(PathBuf, PathBuf)>, String> {
        let args = [
            "diff-index",
            "--cached",
            "-M",
            "--diff-filter=R",
            "--name-status",
            "-z",
            "--no-ext-diff",
            "--no-textconv",
            "--ignore-submodules=all",
            commit.as_str(),
            "--",
        ];
        let output = self.git().run(&args).map_err(|error| error.to_string())?;
        Ok(renames(&output))
    }

    /// The last commit that changed a file; `HEAD` for one that no commit has.
    pub fn last_change(&self, file: &Path) -> Result<ObjectId, String> {
        let name = format!(":(literal){}", file.strip_prefix(&self.root).unwrap_or(file).to_string_lossy());
        let output = self.git().run(&["log", "-1", "--format=%H", "--", &name]).map_err(|error| error.to_string())?;
        match ObjectId::parse(String::from_utf8_lossy(&output).trim()) {
            Some(commit) => Ok(commit),
            None => self.commit("HEAD"),
        }
    }

    /// The files below the root that are neither tracked nor ignored, and wanted.
    pub fn untracked(&self, is_wanted: impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>, String> {
        let output = self.git().run(&["ls-files", "--others", "--exclude-standard", "-z"]);
        let output = output.map_err(|error| error.to_string())?;
        let paths = output.split(|&byte| byte == 0).filter(|path| !path.is_empty()).map(path_of);
        Ok(paths.filter(|path| is_wanted(path)).collect())
    }

    /// Those of some paths below the root that ignore files match.
    pub fn ignored(&self, paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
        if paths.is_empty() {
            return Ok(Vec::new());
        }
        let mut input = Vec::new();
        for path in paths {
            // Not a pattern, even if the name begins with a colon.
            input.extend(b"./");
            input.extend(bytes_of(path));
            input.push(0);
        }
        let output = self.git().run_with(&["check-ignore", "-z", "--stdin", "--no-index"], input);
        match output {
            Ok(output) => {
                let paths = output.split(|&byte| byte == 0).filter_map(|path| path.strip_prefix(b"./"));
                Ok(paths.map(path_of).collect())
            }
            // No path is ignored.
            Err(GitError::Failed(reason)) if reason.is_empty() => Ok(Vec::new()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Begins to read blobs.
    pub fn blobs(&self) -> Result<Blobs, String> {
        Blobs::start(&self.git())
    }

    /// The files that say which commits the names of branches and tags and `HEAD` stand for, and a folder of such files.
    pub fn references(&self) -> Result<(Vec<PathBuf>, PathBuf), String> {
        let folder = |option| self.folder(option).map_err(|error| error.to_string());
        let (own, common) = (folder("--git-dir")?, folder("--git-common-dir")?);
        let tables = common.join("reftable/tables.list");
        Ok((vec![own.join("HEAD"), common.join("packed-refs"), tables], common.join("refs")))
    }

    /// A folder of git that `git rev-parse` prints.
    fn folder(&self, option: &str) -> Result<PathBuf, GitError> {
        let folder = self.git().run(&["rev-parse", option])?;
        Ok(self.root.join(path_of(folder.strip_suffix(b"\n").unwrap_or(&folder))))
    }

    fn git(&self) -> Git {
        Git::new(&self.root)
    }
}

/// The settings of git about ignored files in a folder: `core.excludesFile`, and whether `core.ignoreCase` is set.
pub fn ignore_settings(folder: &Path) -> (Option<PathBuf>, bool) {
    let setting = |kind: &str, key: &str| {
        let output = Git::new(folder).run(&["config", kind, "--get", key]).ok()?;
        Some(path_of(output.strip_suffix(b"\n").unwrap_or(&output)))
    };
    let excludes = setting("--type=path", "core.excludesFile").filter(|path| !path.as_os_str().is_empty());
    let folds_case = setting("--type=bool", "core.ignoreCase").is_some_and(|value| value == Path::new("true"));
    (excludes.map(|path| folder.join(path)), folds_case)
}

/// Whether git changes the line ends of a file when it is added, so that those of the working tree are not committed.
pub fn converts_line_ends(file: &Path) -> bool {
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else { return false };
    let git = Git::new(folder);
    let name = format!(":(literal){}", name.to_string_lossy());
    let Ok(output) = git.run(&["ls-files", "--eol", "-z", "--cached", "--others", "--", &name]) else { return false };
    let line = String::from_utf8_lossy(&output);
    let words: Vec<&str> = line.split(['\t', '\0']).next().unwrap_or_default().split_whitespace().collect();
    let value = |prefix: &str| words.iter().find_map(|word| word.strip_prefix(prefix));
    let (index, attribute) = (value("i/").unwrap_or_default(), value("attr/").unwrap_or_default());
    // Without being told to, git leaves a file alone that was committed with CRLF.
    let is_converted_if_text = !matches!(index, "crlf" | "mixed" | "-text");
    match attribute {
        "" => {
            let setting = git.run(&["config", "--get", "core.autocrlf"]).unwrap_or_default();
            let setting = String::from_utf8_lossy(&setting).trim().to_ascii_lowercase();
            is_converted_if_text && matches!(setting.as_str(), "true" | "input" | "yes" | "on" | "1")
        }
        "-text" => false,
        "text=auto" => is_converted_if_text,
        _ => !words.is_empty(),
    }
}

enum TreeEntry {
    File(PathBuf, ObjectId),
    Submodule(PathBuf, ObjectId),
}

/// The regular files and submodules of `git ls-tree -r -z`: `MODE TYPE HASH<tab>PATH`.
fn tree_entries(output: &[u8]) -> impl Iterator<Item = TreeEntry> {
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
fn renames(output: &[u8]) -> Vec<(PathBuf, PathBuf)> {
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
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(unix)]
fn bytes_of(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    path.as_os_str().as_bytes().to_vec()
}

#[cfg(not(unix))]
fn bytes_of(path: &Path) -> Vec<u8> {
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
