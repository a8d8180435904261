//! Documents name what exists: each path of the repository leads somewhere. `.ci/links` checks links and anchors.

mod samples;

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The first folder of every path that documents name in backticks; others are examples.
const FOLDERS: [&str; 12] = [
    "src", "tests", "rules", "schemas", "snapshots", "docs", "examples", "benches", ".ci", "README.md",
    "CONTRIBUTING.md", "SECURITY.md",
];

/// What a reader of CONTRIBUTING.md creates; `.ci/new-rule` makes the page and the rule.
const CREATED: [&str; 3] = ["rules/WF499-long-delay.md", "src/rules/flow/long_delay.rs", "tests/rules/WF499.md"];

#[test]
fn paths_in_documents_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut broken = String::new();
    let mut checked = 0;
    for document in documents(root) {
        let text = std::fs::read_to_string(&document).unwrap();
        for name in paths(&text) {
            checked += 1;
            if !CREATED.contains(&name) && !exists(&root.join(name)) {
                let _ = writeln!(broken, "{}: {name}", document.strip_prefix(root).unwrap().display());
            }
        }
    }
    assert!(broken.is_empty(), "these lead nowhere:\n{broken}");
    assert!(checked > 100, "too few paths were found: {checked}");
}

#[test]
fn paths_are_found_outside_fences() {
    let text = "`src/x.rs` and `notes/y`\n```\n`src/z.rs`\n```\n";
    assert_eq!(paths(text).collect::<Vec<_>>(), ["src/x.rs"]);
}

#[test]
fn tables_are_apart_from_the_text_around_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut joined = String::new();
    for document in documents(root) {
        for line in beside_tables(&std::fs::read_to_string(&document).unwrap()) {
            let _ = writeln!(joined, "{}: {line}", document.strip_prefix(root).unwrap().display());
        }
    }
    assert!(joined.is_empty(), "these lines belong to a table, or hide it:\n{joined}");
    assert_eq!(beside_tables("Before\n\n| a |\n|---|\n\nAfter\n```\n| b |\nx\n```"), [""; 0]);
    assert_eq!(beside_tables("Before\n| a |\n|---|\nAfter"), ["Before", "After"]);
}

/// The site takes its table of contents from the index.
#[test]
fn index_lists_every_page_once() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let index = std::fs::read_to_string(root.join("docs/README.md")).unwrap();
    let mut listed: Vec<&str> = links(&index).filter(|link| !link.contains('/') && link.ends_with(".md")).collect();
    let pages = std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut pages: Vec<String> = pages.map(|name| name.into_string().unwrap()).collect();
    pages.retain(|name| name.ends_with(".md") && name != "README.md");
    listed.sort_unstable();
    pages.sort();
    assert_eq!(listed, pages);
    let others: Vec<&str> = links(&index).filter(|link| link.starts_with("../")).collect();
    assert_eq!(others, ["../CHANGELOG.md", "../rules", "../SECURITY.md", "../schemas", "../CONTRIBUTING.md"]);
}

/// The scripts of `benches/` write them with `--write`, between the comments with their name.
#[test]
fn results_are_those_of_the_last_measurement() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let mut shown = Vec::new();
    let text = read("docs/performance.md") + &read("docs/own-rules-limits.md");
    for part in text.split("<!-- end of ").skip(1) {
        let name = part.split_once(" -->").unwrap().0;
        let table = text.split_once(&format!("<!-- {name} -->\n")).unwrap().1;
        let table = table.split_once(&format!("<!-- end of {name} -->")).unwrap().0;
        // Empty until the first measurement.
        if !table.is_empty() {
            assert_eq!(table, format!("\n{}\n", read(&format!("benches/results/{name}.md"))), "{name}");
            shown.push(format!("{name}.md"));
        }
    }
    assert!(shown.contains(&"instructions.md".to_owned()), "{shown:?}");
    for entry in std::fs::read_dir(root.join("benches/results")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(shown.contains(&name), "{name} is not shown");
    }
}

/// They are made by the test of the extension in a real editor, and by that of the page in a real browser.
#[test]
fn pictures_are_made_shown_and_small() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let makers = [read("editors/vscode/browser/check.mjs"), read("tests/page/pictures.mjs")];
    let pages = ["README.md", "docs/editors.md", "docs/report.md", "editors/vscode/README.md"].map(read);
    let mut shown: Vec<String> = Vec::new();
    for link in pages.iter().flat_map(|page| links(page)).filter(|link| link.ends_with(".png")) {
        let name = link.rsplit('/').next().unwrap().to_owned();
        let is_made = |maker: &String| ['`', '"'].iter().any(|quote| maker.contains(&format!("/{name}{quote}")));
        assert!(makers.iter().any(is_made), "{name} is not made");
        let size = std::fs::metadata(root.join("docs/pictures").join(&name)).unwrap().len();
        assert!(size < if name == "page.png" { 200_000 } else { 60_000 }, "{name}: {size} bytes");
        shown.push(name);
    }
    let kept = std::fs::read_dir(root.join("docs/pictures")).unwrap();
    for name in kept.map(|entry| entry.unwrap().file_name().into_string().unwrap()) {
        // A test of the README makes the drawing.
        assert!(shown.contains(&name) || name == "tour.svg", "{name} is not shown");
    }
}

/// Longer ones are not read: cut or split them.
#[test]
fn pages_are_short() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for page in std::fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path()) {
        if page.extension().is_some_and(|extension| extension == "md") {
            let words = std::fs::read_to_string(&page).unwrap().split_whitespace().count();
            assert!(words <= 1500, "{}: {words} words", page.display());
        }
    }
    let index = std::fs::read_to_string(root.join("docs/README.md")).unwrap();
    assert!(index.lines().count() <= 45, "the index fits a screen: {} lines", index.lines().count());
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

/// The lines that are directly before or after a table.
fn beside_tables(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = prose(text).collect();
    let is_row = |line: &str| line.starts_with('|');
    let pairs = lines.windows(2).filter(|pair| is_row(pair[0]) != is_row(pair[1]));
    pairs.flat_map(|pair| pair.iter().copied().filter(|line| !is_row(line) && !line.is_empty())).collect()
}

/// The targets of relative links to files.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let all = prose(text).flat_map(|line| line.split("](").skip(1)).filter_map(|rest| rest.split(')').next());
    all.filter(|target| !target.contains("://") && !target.starts_with('#') && !target.is_empty())
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
