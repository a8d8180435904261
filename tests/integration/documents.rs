//! Documents name what exists: each link and each path of the repository leads somewhere.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The first folder of every path that documents name in backticks; others are examples.
const FOLDERS: [&str; 12] = [
    "src",
    "tests",
    "rules",
    "schemas",
    "snapshots",
    "docs",
    "examples",
    "benches",
    ".ci",
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
];

/// What a reader of CONTRIBUTING.md creates; `.ci/new-rule` does it.
const CREATED: [&str; 2] = ["rules/WF499-long-delay.md", "src/rules/flow/long_delay.rs"];

#[test]
fn links_and_paths_in_documents_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut broken = String::new();
    let mut checked = 0;
    for document in documents(root) {
        let text = std::fs::read_to_string(&document).unwrap();
        let folder = document.parent().unwrap();
        let links = links(&text).map(|link| (link, folder.join(link.split('#').next().unwrap())));
        let paths = paths(&text).map(|path| (path, root.join(path)));
        for (name, target) in links.chain(paths) {
            checked += 1;
            if !CREATED.contains(&name) && !exists(&target) {
                let _ = writeln!(broken, "{}: {name}", document.strip_prefix(root).unwrap().display());
            }
        }
    }
    assert!(broken.is_empty(), "these lead nowhere:\n{broken}");
    assert!(checked > 100, "too few links and paths were found: {checked}");
}

#[test]
fn links_and_paths_are_found_outside_fences() {
    let text = "[a](b.md), `src/x.rs` and `notes/y`\n```\n[c](d.md) `src/z.rs`\n```\n[site](https://example.com)";
    assert_eq!(links(text).collect::<Vec<_>>(), ["b.md"]);
    assert_eq!(paths(text).collect::<Vec<_>>(), ["src/x.rs"]);
}

/// The Markdown files of the project, those of its tests and pages included.
fn documents(root: &Path) -> Vec<PathBuf> {
    let walk = ignore::WalkBuilder::new(root).hidden(false).filter_entry(|entry| entry.file_name() != ".git").build();
    let mut files: Vec<PathBuf> = walk.map(|entry| entry.unwrap().into_path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    files.sort();
    files
}

/// The lines outside of fences.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_fence = false;
    text.lines().filter(move |line| {
        let is_mark = line.trim_start().starts_with("```");
        is_fence ^= is_mark;
        !is_fence && !is_mark
    })
}

/// The targets of relative links.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = prose(text).flat_map(|line| line.split("](").skip(1)).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://") && !target.starts_with('#') && !target.is_empty())
}

/// The paths in backticks that begin with a folder of the repository.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let code = prose(text).flat_map(|line| line.split('`').skip(1).step_by(2));
    code.filter(|code| {
        let first = code.split('/').next().unwrap();
        FOLDERS.contains(&first)
            && (code.contains('/') || Path::new(first).extension().is_some())
            && !code.contains(' ')
    })
}

/// Whether a path exists; one with `*` when some file matches its part before that.
fn exists(path: &Path) -> bool {
    let text = path.to_string_lossy();
    match text.split_once('*') {
        None => path.exists(),
        Some((start, _)) => {
            let (folder, prefix) = start.rsplit_once('/').unwrap();
            std::fs::read_dir(folder).is_ok_and(|entries| {
                entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with(prefix))
            })
        }
    }
}
