//! The direction of the data flow: a module of `src/` uses what stands before it, never what
//! stands after; no files use each other in cycles; no rule uses another rule.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;

/// The modules, first to last. `common`, `text` and `files` are for all to use.
const ORDER: &[&str] = &[
    "common", "text", "files", "git", "document", "schema", "catalog", "config", "model", "project", "powershell",
    "ldap", "script", "redaction", "graph", "facts", "own_rules", "rules", "lint", "fix", "draw", "simulate",
    "mutants", "synth", "explore", "diff", "report", "page", "format", "infer", "init", "lsp", "cli",
];

#[test]
fn no_module_uses_one_that_comes_after_it() {
    let sources = Sources::read();
    let mut backward = String::new();
    let mut forward = 0;
    for (module, file) in &sources.files {
        for used in &file.uses {
            let (Some(own), Some(other)) = (module.first(), used.path.first()) else { continue };
            match (position(own), position(other)) {
                (Some(own_position), Some(position)) if position > own_position => {
                    let place = format!("src/{}:{}", file.name, used.line);
                    let _ = writeln!(backward, "{place}: `{own}` uses `{other}`, which comes after it");
                }
                (Some(_), Some(_)) => forward += 1,
                _ => {}
            }
        }
    }
    assert!(backward.is_empty(), "the order is {}\n{backward}", ORDER.join(", "));
    assert!(forward > 1000, "too few uses were found: {forward}");
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

#[test]
fn no_files_use_each_other_in_a_circle() {
    assert_eq!(Sources::read().circles(), [""; 0]);
}

#[test]
fn circles_are_found_through_reexports_and_not_through_declarations() {
    let found = |files: &[(&str, &str)]| {
        Sources::from_texts(files.iter().map(|(name, text)| (PathBuf::from(name), (*text).to_owned()))).circles()
    };
    let root = ("lib.rs", "mod a;");
    assert_eq!(found(&[root, ("a/mod.rs", "mod b;\npub use b::B;"), ("a/b.rs", "use super::C;")]), [""; 0]);
    assert_eq!(
        found(&[root, ("a/mod.rs", "mod b;\nfn f() { b::g() }"), ("a/b.rs", "use super::f;")]),
        ["a/b.rs a/mod.rs"]
    );
    assert_eq!(
        found(&[
            root,
            ("a/mod.rs", "mod b;\nmod c;\npub use b::B;\npub use c::{C, D};"),
            ("a/b.rs", "use super::{\n    D,\n};"),
            ("a/c.rs", "use super::b;")
        ]),
        ["a/b.rs a/c.rs"]
    );
    assert_eq!(found(&[root, ("a.rs", "mod b;\nfn f() { b::g() }"), ("a/b.rs", "// super::f\nfn g() {}")]), [""; 0]);
}

/// A rule uses facts and the model.
#[test]
fn no_rule_uses_another_rule() {
    let sources = Sources::read();
    let pages = std::fs::read_dir(root().join("rules")).unwrap().map(|page| page.unwrap().file_name());
    let stems: BTreeSet<String> = pages
        .filter_map(|name| Some(name.to_str()?.strip_suffix(".md")?.split_once('-')?.1.replace('-', "_")))
        .collect();
    let is_rule = |module: &Module| matches!(&module[..], [root, _, stem] if root == "rules" && stems.contains(stem));
    let rules: Vec<&Module> = sources.files.keys().filter(|module| is_rule(module)).collect();
    assert!(rules.len() > 50, "too few rules were found: {}", rules.len());
    for (module, file) in sources.files.iter().filter(|(module, _)| module.len() > 2 && module[0] == "rules") {
        for used in &file.uses {
            let target = sources.defining_module(&used.path, 0);
            let is_other = rules.iter().any(|rule| target.starts_with(rule) && !module.starts_with(rule));
            assert!(!is_other, "src/{}:{} uses the rule {}", file.name, used.line, target.join("::"));
        }
    }
}

/// Files are opened in one place, which refuses pipes and devices and limits sizes; they are written in another, which
/// leaves nothing half-written.
#[test]
fn files_are_opened_in_one_place() {
    const OPENING: &[&str] =
        &["fs::read(", "fs::read_to_string(", "File::open(", "File::options(", "OpenOptions::new("];
    const WRITING: &[&str] = &["fs::write(", "File::create(", "fs::copy(", "fs::rename(", "NamedTempFile::new"];
    let mut found = 0;
    for file in Sources::read().files.values() {
        for (number, line) in (1..).zip(file.code.lines()) {
            if OPENING.iter().chain(WRITING).any(|call| line.contains(call)) {
                found += 1;
                let stem = file.name.rsplit('/').next().unwrap_or_default();
                let is_allowed = ["read.rs", "write.rs"].contains(&stem);
                assert!(is_allowed, "src/{}:{number}: use `read` or `write`: {}", file.name, line.trim());
            }
        }
    }
    assert!(found > 2, "too few were found: {found}");
}

/// The path of a module below the root of the crate: `["rules", "flow"]`.
type Module = Vec<String>;

struct SourceFile {
    /// Relative to `src/`, with `/`.
    name: String,
    /// Without comments and unit tests.
    code: String,
    uses: Vec<Use>,
    /// What it exports again: names, and their paths.
    exports: Vec<(String, Module)>,
}

/// A path into the crate that a file names.
struct Use {
    line: usize,
    path: Module,
}

/// Every file of `src/` by its module, those of tests left out.
struct Sources {
    files: BTreeMap<Module, SourceFile>,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

impl Sources {
    fn read() -> Self {
        let source = root().join("src");
        let walk = ignore::WalkBuilder::new(&source).standard_filters(false).build();
        let names = walk.map(|entry| entry.unwrap().path().strip_prefix(&source).unwrap().to_path_buf());
        let names = names.filter(|name| name.extension().is_some_and(|extension| extension == "rs"));
        Self::from_texts(names.map(|name| (name.clone(), std::fs::read_to_string(source.join(name)).unwrap())))
    }

    fn from_texts(texts: impl Iterator<Item = (PathBuf, String)>) -> Self {
        let mut files = BTreeMap::new();
        for (path, text) in texts {
            let name = path.to_str().unwrap().replace('\\', "/");
            let mut module: Module = name.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
            if module.iter().any(|part| part == "tests") || name == "main.rs" {
                continue;
            }
            module.pop_if(|last| last == "mod" || name == "lib.rs");
            let code = text.split("#[cfg(test)]\nmod").next().unwrap_or_default().lines();
            let code: Vec<&str> =
                code.map(|line| if line.trim_start().starts_with("//") { "" } else { line }).collect();
            files.insert(module.clone(), read_file(&module, name, code.join("\n")));
        }
        Self { files }
    }

    /// The deepest module on a path that has a file; where that only exports the next name again, the one that defines it.
    fn defining_module(&self, path: &[String], steps: usize) -> Module {
        let depth = (0..=path.len()).rev().find(|depth| self.files.contains_key(&path[..*depth])).unwrap_or_default();
        let (module, rest) = (path[..depth].to_vec(), &path[depth..]);
        let exports = self.files.get(&module).map(|file| &file.exports);
        let export =
            exports.zip(rest.first()).and_then(|(exports, name)| exports.iter().find(|(known, _)| known == name));
        match export {
            Some((_, path)) if steps < 8 => self.defining_module(&[path, &rest[1..]].concat(), steps + 1),
            _ => module,
        }
    }

    /// The files that use each other, a line for each circle.
    fn circles(&self) -> Vec<String> {
        let mut graph = DiGraph::<&str, ()>::new();
        let nodes: BTreeMap<_, _> =
            self.files.iter().map(|(module, file)| (module, graph.add_node(file.name.as_str()))).collect();
        for (module, file) in &self.files {
            for used in &file.uses {
                let target = self.defining_module(&used.path, 0);
                if target != *module {
                    graph.update_edge(nodes[module], nodes[&target], ());
                }
            }
        }
        let circles = tarjan_scc(&graph).into_iter().filter(|files| files.len() > 1);
        let names = circles.map(|files| files.into_iter().map(|file| graph[file]).collect::<BTreeSet<_>>());
        names.map(|names| names.into_iter().collect::<Vec<_>>().join(" ")).collect()
    }
}

/// Reads declarations with `use`, paths from `crate::` and `super::`, and those into modules that the file declares.
fn read_file(module: &Module, name: String, code: String) -> SourceFile {
    let (mut uses, mut exports, mut children) = (Vec::new(), Vec::new(), Vec::new());
    let mut lines = (1..).zip(code.lines());
    while let Some((line, text)) = lines.next() {
        let text = text.trim();
        let declared = text.split_once("mod ").and_then(|(_, rest)| rest.strip_suffix(';'));
        children.extend(declared);
        let Some((before, used)) = text.split_once("use ").filter(|(before, _)| is_visibility(before)) else {
            let roots = ["crate", "super"].iter().chain(&children);
            let paths = roots.flat_map(|root| paths_in_code(text, root));
            uses.extend(paths.map(|path| Use { line, path: absolute(module, &path) }));
            continue;
        };
        let mut statement = used.to_owned();
        while !statement.ends_with(';') {
            let Some((_, next)) = lines.next() else { break };
            statement += next.trim();
        }
        for (path, name) in expanded(statement.trim_end_matches(';')) {
            let is_own = ["crate", "super", "self"].contains(&path[0].as_str()) || children.contains(&path[0].as_str());
            if is_own && before.is_empty() {
                uses.push(Use { line, path: absolute(module, &path) });
            } else if is_own {
                exports.push((name, absolute(module, &path)));
            }
        }
    }
    SourceFile { name, code, uses, exports }
}

fn is_visibility(text: &str) -> bool {
    text.is_empty() || text.starts_with("pub")
}

/// The paths in a line of code that begin with a name.
fn paths_in_code(line: &str, first: &str) -> Vec<Module> {
    let is_word = |sign: char| sign.is_alphanumeric() || sign == '_';
    let begins = |at: &usize| !line[..*at].ends_with(|sign| is_word(sign) || sign == ':' || sign == '$');
    let root = format!("{first}::");
    let starts = line.match_indices(&root).map(|(at, _)| at).filter(begins);
    let paths = starts.map(|at| line[at..].split(|sign| !is_word(sign) && sign != ':').next().unwrap_or_default());
    paths.map(|path| path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect()).collect()
}

/// The paths of a declaration, and what each is called, its braces resolved: `a::{b, c as d}` is `a::b` and `a::c`.
fn expanded(tree: &str) -> Vec<(Module, String)> {
    if let Some((prefix, rest)) = tree.split_once('{') {
        let prefix: Module =
            prefix.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let (mut depth, inner) = (0, rest.trim_end().trim_end_matches('}'));
        let parts = inner.split(|sign| {
            depth += i32::from(sign == '{') - i32::from(sign == '}');
            sign == ',' && depth == 0
        });
        let parts = parts.filter(|part| !part.trim().is_empty()).flat_map(|part| {
            // A brace that was cut off with the outer one.
            let is_cut = part.matches('{').count() > part.matches('}').count();
            expanded(&format!("{}{}", part.trim(), if is_cut { "}" } else { "" }))
        });
        return parts.map(|(path, name)| ([prefix.clone(), path].concat(), name)).collect();
    }
    let (path, alias) = tree.split_once(" as ").map_or((tree, None), |(path, name)| (path, Some(name)));
    let mut path: Module = path.trim().split("::").map(str::to_owned).collect();
    path.pop_if(|last| last == "*" || (last == "self" && tree.len() > 4));
    let name = alias.map(str::trim).or(path.last().map(String::as_str)).unwrap_or_default().to_owned();
    vec![(path, name)]
}

/// The path from the root of the crate.
fn absolute(module: &Module, path: &[String]) -> Module {
    let mut base = if path[0] == "crate" { Module::new() } else { module.clone() };
    for part in path {
        match part.as_str() {
            "crate" | "self" => {}
            "super" => drop(base.pop()),
            name => base.push(name.to_owned()),
        }
    }
    base
}
