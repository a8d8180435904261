//! What several test files share. Each uses a part of it.
#![allow(dead_code)]

pub mod complete;
pub mod folder;
pub mod linted;
pub mod page;
pub mod report_check;
pub mod run;
pub mod samples;
pub mod snapshot;
pub mod tree;

use std::path::{Path, PathBuf};

use wflint::diagnostic::Diagnostic;
use wflint::lint::{self, Options, Outcome};
use wflint::project::{self, Project, Request};

/// Lints a folder with all defaults, or with the `wflint.toml` that lies in it.
pub fn lint_folder(folder: &Path) -> (Project, Outcome) {
    lint_paths(folder, vec![".".into()])
}

/// Lints some files or folders.
pub fn lint_paths(folder: &Path, paths: Vec<PathBuf>) -> (Project, Outcome) {
    let request = Request { current: folder.to_path_buf(), paths, ..Request::default() };
    lint::on_pool(Some(1), || {
        let project = project::load(&request).unwrap();
        let outcome = lint::lint(&project, &Options::default()).unwrap();
        (project, outcome)
    })
    .unwrap()
}

/// The name of the file that a finding is in.
pub fn file_of<'p>(project: &'p Project, diagnostic: &Diagnostic) -> &'p str {
    &project.file(diagnostic.location.file).unwrap().source.name
}

/// The characters that a finding covers.
pub fn covered<'p>(project: &'p Project, diagnostic: &Diagnostic) -> &'p str {
    let source = &project.file(diagnostic.location.file).unwrap().source;
    source.text.get(diagnostic.location.span.range()).unwrap()
}
