//! The direction of the data flow: a module of `src/` uses what stands before it, never what
//! stands after; no files use each other in cycles; no rule uses another rule.

mod circles;
mod files;
mod known;
mod lexer;
mod paths;
mod rules;
mod sources;

use std::collections::BTreeSet;
use std::fmt::Write;

use sources::Sources;

/// The modules, first to last; one that does not exist yet may be listed. `collections`, `suggest`,
/// `text`, `timing`, `toml_file`, `read`, `boundary` and `write` stand early, for all to use.
const ORDER: &[&str] = &[
    "limits",
    "alignment",
    "collections",
    "text",
    "timing",
    "cancellation",
    "source",
    "suggest",
    "toml_file",
    "paths",
    "lookups",
    "read",
    "boundary",
    "git",
    "write",
    "mail",
    "locale",
    "uri",
    "personal_id",
    "diagnostic",
    "outcomes",
    "document",
    "schema",
    "catalog",
    "config",
    "model",
    "project",
    "powershell",
    "ldap",
    "script",
    "redaction",
    "graph",
    "facts",
    "rules",
    "identity",
    "lint",
    "fix",
    "draw",
    "simulate",
    "mutants",
    "synth",
    "explore",
    "diff",
    "report",
    "format",
    "infer",
    "init",
    "lsp",
    "cli",
];

#[test]
fn no_module_uses_one_that_comes_after_it() {
    let sources = Sources::read();
    let mut backward = String::new();
    let mut forward = 0;
    for (module, file) in &sources.files {
        let Some(own) = module.first() else { continue };
        for (line, used) in sources.used_layers(module) {
            let place = format!("src/{}:{line}", file.name);
            match (position(own), position(&used)) {
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
    let sources = Sources::read();
    let modules: BTreeSet<&String> = sources.files.keys().filter_map(|module| module.first()).collect();
    let unknown: Vec<_> = modules.into_iter().filter(|module| position(module).is_none()).collect();
    assert!(unknown.is_empty(), "give these a place in the order of {}: {unknown:?}", file!());
}

fn position(module: &str) -> Option<usize> {
    ORDER.iter().position(|known| *known == module)
}
