//! The way of the data: a module of `src/` uses what stands before it, never what stands after.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The modules, first to last. `collections`, `suggest`, `toml_file` and `write` stand early, for all to use.
const ORDER: [&str; 28] = [
    "collections",
    "source",
    "suggest",
    "toml_file",
    "write",
    "mail",
    "locale",
    "uri",
    "personal_id",
    "diagnostic",
    "document",
    "schema",
    "catalog",
    "config",
    "model",
    "project",
    "ldap",
    "script",
    "redaction",
    "graph",
    "rules",
    "identity",
    "lint",
    "fix",
    "simulate",
    "report",
    "lsp",
    "cli",
];

#[test]
fn no_module_uses_one_that_comes_after_it() {
    let mut backward = String::new();
    let mut forward = 0;
    for file in source_files() {
        let Some(own) = module_of(&file) else { continue };
        for (line, used) in used_modules(&file) {
            let place = format!("{}:{line}", file.display());
            match (position(&own), position(&used)) {
                (Some(own_position), Some(position)) if position > own_position => {
                    let _ = writeln!(backward, "{place}: `{own}` uses `{used}`, which comes after it");
                }
                (Some(_), Some(_)) => forward += 1,
                (_, None) => {
                    let _ = writeln!(backward, "{place}: uses `{used}`, which has no place in the order");
                }
                (None, _) => {}
            }
        }
    }
    assert!(backward.is_empty(), "the order is {}\n{backward}", ORDER.join(", "));
    assert!(forward > 50, "too few uses were found: {forward}");
}

#[test]
fn every_module_has_its_place_in_the_order() {
    let library = std::fs::read_to_string(source_folder().join("lib.rs")).unwrap();
    let declared = library.lines().filter_map(|line| {
        let name = line.trim_start_matches("pub ").strip_prefix("mod ")?;
        name.strip_suffix(';').map(str::to_owned)
    });
    let from_files = source_files().iter().filter_map(|file| module_of(file)).collect::<BTreeSet<_>>();
    let modules: BTreeSet<String> = declared.chain(from_files).collect();
    let unknown: Vec<&String> = modules.iter().filter(|module| position(module).is_none()).collect();
    assert!(unknown.is_empty(), "give these a place in the order of {}: {unknown:?}", file!());
}

#[test]
fn the_reader_finds_every_way_to_name_a_module() {
    let found = |text: &str, depth| references(text, depth).into_iter().map(|(_, name)| name).collect::<Vec<_>>();
    assert_eq!(found("use crate::rules::Rule;", 1), ["rules"]);
    assert_eq!(found("pub use crate::{lint, report::{json, Report}, cli};", 1), ["lint", "report", "cli"]);
    assert_eq!(
        found("use crate::{\n    lint,\n    report,\n};\nfn f() { crate::cli::run() }", 1),
        ["lint", "report", "cli"]
    );
    assert_eq!(found("use super::super::lint::x; use super::y;", 2), ["lint"]);
    assert_eq!(found("// use crate::cli;\n/// [`crate::cli`]\n", 1), [""; 0]);
    assert_eq!(found("#[cfg(test)]\nmod tests {\n    use crate::cli;\n}\nuse crate::lint;", 1), ["lint"]);
    assert_eq!(found("#[cfg(test)]\nuse crate::cli;\nuse crate::lint;", 1), ["lint"]);
    assert_eq!(references("\n\nuse crate::lint;", 1), [(3, "lint".to_owned())]);
}

fn position(module: &str) -> Option<usize> {
    ORDER.iter().position(|known| *known == module)
}

fn source_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The files of `src/` without those of tests, relative to the project.
fn source_files() -> Vec<PathBuf> {
    let is_test = |path: &Path| path.components().any(|part| matches!(part.as_os_str().to_str(), Some("tests")));
    let mut files: Vec<PathBuf> = ignore::WalkBuilder::new(source_folder())
        .standard_filters(false)
        .build()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap().to_path_buf())
        .filter(|path| !is_test(&path.with_extension("")))
        .collect();
    files.sort();
    files
}

/// The module right below the root that a file belongs to; none for the roots themselves.
fn module_of(file: &Path) -> Option<String> {
    let inside = file.strip_prefix("src").unwrap().with_extension("");
    let name = inside.components().next()?.as_os_str().to_str()?.to_owned();
    (!matches!(name.as_str(), "lib" | "main")).then_some(name)
}

/// The modules right below the root that a file names, each with its line; its own left out.
fn used_modules(file: &Path) -> Vec<(usize, String)> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let inside = file.strip_prefix("src").unwrap().with_extension("");
    let depth = inside.components().filter(|part| part.as_os_str() != "mod").count();
    let own = module_of(file);
    references(&text, depth).into_iter().filter(|(_, name)| Some(name) != own.as_ref()).collect()
}

/// Every name after `crate::`, or after as many `super::` as lead to the root.
fn references(text: &str, depth: usize) -> Vec<(usize, String)> {
    let text = without_tests(text);
    let climb = "super::".repeat(depth);
    let mut found = Vec::new();
    for root in ["crate::", &climb] {
        for (at, _) in text.match_indices(root) {
            let is_whole = !text[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | ':'));
            let rest = &text[at + root.len()..];
            if is_whole && !rest.starts_with("super::") {
                let line = text[..at].matches('\n').count() + 1;
                found.extend(first_names(rest).into_iter().map(|name| (line, name)));
            }
        }
    }
    found.sort_by_key(|(line, _)| *line);
    found
}

/// The first name of a path, or of each path of a braced list.
fn first_names(path: &str) -> Vec<String> {
    let name =
        |text: &str| -> String { text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    let Some(list) = path.strip_prefix('{') else { return vec![name(path)] };
    let mut names = vec![name(list)];
    let mut depth = 1;
    for (at, character) in list.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 1 => break,
            '}' => depth -= 1,
            ',' if depth == 1 => names.push(name(&list[at + 1..])),
            _ => {}
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// The text with comments blanked, and with them each item under `#[cfg(test)]`; lines stay where
/// they are. Relies on rustfmt: a block of an item ends with a brace at the item's own indentation.
fn without_tests(text: &str) -> String {
    let mut kept = String::new();
    let mut until: Option<String> = None;
    let mut is_test = false;
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or_default();
        if let Some(end) = &until {
            if line == end {
                until = None;
            }
        } else if code.trim() == "#[cfg(test)]" {
            is_test = true;
        } else if is_test {
            let indentation = &line[..line.len() - line.trim_start().len()];
            let is_open = code.trim_end().ends_with('{');
            until = is_open.then(|| format!("{indentation}}}"));
            is_test = code.trim().starts_with("#[");
        } else {
            kept.push_str(code);
        }
        kept.push('\n');
    }
    kept
}
