//! Folders with files, for one test each.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::run::{Output, run_cli};

/// A folder that is removed when it is dropped.
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// A folder with these files; `/` in a name creates folders.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path().join(name)
    }

    /// Writes a file, with the folders around it.
    pub fn write(&self, name: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        let path = self.file(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn read(&self, name: impl AsRef<Path>) -> String {
        std::fs::read_to_string(self.file(name)).unwrap()
    }

    /// The names of its entries, hidden ones too, sorted.
    pub fn names(&self) -> Vec<String> {
        self.names_in("")
    }

    /// The names of the entries of a folder in it, sorted.
    pub fn names_in(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.file(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Runs `wflint` in it.
    pub fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> Output {
        run_cli(args, self.path(), b"")
    }

    /// The findings of a run in it, each as `file code severity`.
    pub fn found(&self, args: &[&str]) -> Vec<String> {
        self.run(&[&["--format", "json"], args].concat()).found()
    }
}

/// Copies a folder of the project, with the folders in it.
pub fn copy_of(source: &str) -> Folder {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let folder = Folder::with(&[]);
    for entry in ignore::WalkBuilder::new(&source).standard_filters(false).build() {
        let entry = entry.unwrap();
        if entry.path().is_file() {
            let inside = entry.path().strip_prefix(&source).unwrap();
            folder.write(inside, std::fs::read(entry.path()).unwrap());
        }
    }
    folder
}
