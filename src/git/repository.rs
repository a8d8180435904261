//! A work tree, its revisions and their files.

use std::path::{Path, PathBuf};

use super::blobs::Blobs;
use super::command::{Git, GitError};
use super::listing::{TreeEntry, bytes_of, path_of, renames, tree_entries};
use super::object::ObjectId;

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
    ///
    /// # Errors
    /// There is none, or git cannot be run.
    pub fn of(folder: &Path) -> Result<Self, String> {
        let output = Git::new(folder).run(&["rev-parse", "--show-toplevel"]).map_err(|error| error.to_string())?;
        let line = output.strip_suffix(b"\n").unwrap_or(&output);
        let root = path_of(line);
        let root = std::fs::canonicalize(&root).map_err(|error| format!("cannot read {}: {error}", root.display()))?;
        Ok(Self { root })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The commit of a revision; of one that ends in `...`, its merge base with `HEAD`.
    ///
    /// # Errors
    /// The revision is unknown.
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
        let folder = std::fs::canonicalize(folder).ok()?;
        folder.strip_prefix(&self.root).ok().map(Path::to_path_buf)
    }

    /// Whether a string names a commit.
    pub fn knows(&self, revision: &str) -> bool {
        !revision.ends_with("...") && self.commit(revision).is_ok()
    }

    /// The files of a commit that are wanted by their paths below the root.
    ///
    /// # Errors
    /// The commit cannot be read.
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
    ///
    /// # Errors
    /// The commit cannot be compared.
    pub fn renames(&self, commit: &ObjectId) -> Result<Vec<(PathBuf, PathBuf)>, String> {
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

    /// Those of some paths below the root that ignore files match.
    ///
    /// # Errors
    /// An ignore file cannot be read.
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
    ///
    /// # Errors
    /// git cannot be run.
    pub fn blobs(&self) -> Result<Blobs, String> {
        let folder = self.folder("--git-common-dir").map_err(|error| error.to_string())?;
        Blobs::start(&self.git(), folder)
    }

    /// The files that say which commits the names of branches and tags and `HEAD` stand for, and a folder of such files.
    ///
    /// # Errors
    /// git cannot be run.
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
