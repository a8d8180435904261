//! Files are opened in one place, which refuses pipes and devices and limits sizes; they are written in
//! another, which leaves nothing half-written.

use std::fmt::Write;
use std::path::Path;

const OPENING: &[&str] = &[
    "fs::read(",
    "fs::read_to_string(",
    "File::open(",
    "File::options(",
    "OpenOptions::new(",
    "fs::write(",
    "File::create(",
    "fs::copy(",
    "fs::rename(",
    ".tempfile_in(",
    "NamedTempFile::new",
];

/// The files of `src/` that open files.
const ALLOWED: &[&str] = &["read.rs", "write.rs"];

#[test]
fn files_are_opened_in_one_place() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut complaints) = (0, String::new());
    for entry in ignore::WalkBuilder::new(&root).standard_filters(false).build() {
        let entry = entry.unwrap();
        let name = entry.path().strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
        if !name.ends_with(".rs") || name.contains("/tests/") {
            continue;
        }
        let text = std::fs::read_to_string(entry.path()).unwrap();
        let code = text.split("#[cfg(test)]\nmod").next().unwrap();
        for (number, line) in (1..).zip(code.lines()) {
            if !OPENING.iter().any(|call| line.contains(call)) {
                continue;
            }
            found += 1;
            if !ALLOWED.iter().any(|allowed| name == *allowed || name.starts_with(&allowed.replace(".rs", "/"))) {
                let _ = writeln!(complaints, "src/{name}:{number}: use `read` or `write`: {}", line.trim());
            }
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
    assert!(found > 2, "too few were found: {found}");
}
