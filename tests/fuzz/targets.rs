//! What is fuzzed: each target takes any bytes, and panics when wflint breaks a promise. Used by the
//! bounded run of `tests/fuzz/main.rs` and by the targets of cargo-fuzz in `fuzz/`.

#[path = "../integration/support/fixing.rs"]
mod fixing;
#[path = "../integration/support/invariants.rs"]
mod invariants;
#[path = "../integration/support/linted.rs"]
mod linted;
#[path = "../integration/support/report_check.rs"]
mod report_check;

use std::io::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use fixing::Texts;
use serde_json::Value;
use wflint::catalog::{Catalog, NewCatalog};
use wflint::config::Config;
use wflint::document::{Document, Limits, NodeId, SyntaxErrorKind};
use wflint::files::boundary::Boundary;
use wflint::ldap::{Directory, Filter, ldif};
use wflint::lint::Baseline;
use wflint::lsp::{ServerContext, serve};
use wflint::powershell::{self, Module};
use wflint::script::sandbox::decode_jobs;
use wflint::simulate::scenario::{self, ScenarioSyntax};
use wflint::text::source::SourceFile;

pub struct Target {
    /// Also the name of its binary in `fuzz/`.
    pub name: &'static str,
    /// The folder of its seeds in `fuzz/corpus`.
    pub corpus: &'static str,
    pub run: fn(&[u8]),
}

const fn target(name: &'static str, corpus: &'static str, run: fn(&[u8])) -> Target {
    Target { name, corpus, run }
}

pub const TARGETS: [Target; 11] = [
    target("document", "documents", document),
    target("lint", "documents", lint),
    target("fix", "documents", fix),
    target("scenario", "scenarios", scenario),
    target("ldif", "ldif", ldif),
    target("filter", "filters", filter),
    target("config", "configs", config),
    target("baseline", "baselines", baseline),
    target("script_protocol", "frames", script_protocol),
    target("power_shell", "modules", power_shell),
    target("messages", "messages", messages),
];

/// The key that one step of a JSON Pointer names.
fn unescape_step(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// The parser accepts what `serde_json` accepts, and every value is at its span and pointer.
pub fn document(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let plain = text.strip_prefix('\u{feff}').unwrap_or(text);
    let theirs = serde_json::from_str::<Value>(plain);
    match Document::parse(text, Limits::default()) {
        Ok(document) => {
            let is_number = |error: &serde_json::Error| error.to_string().contains("number out of range");
            assert!(theirs.is_ok() || theirs.is_err_and(|error| is_number(&error)), "accepted: {text:?}");
            check_node(&document, document.root());
        }
        Err(error) => {
            let at = usize::try_from(error.offset).unwrap();
            assert!(text.is_char_boundary(at), "{error:?} is not at a character of {text:?}");
            let is_deep = error.kind == SyntaxErrorKind::TooDeep;
            assert!(is_deep || theirs.is_err(), "rejected ({error:?}): {text:?}");
        }
    }
}

fn check_node(document: &Document, node: NodeId) {
    let slice = document.slice(document.span(node));
    assert!(!slice.is_empty() && slice.trim() == slice, "{slice:?}");
    for child in document.children(node) {
        let (inner, outer) = (document.span(child).range(), document.span(node).range());
        assert!(outer.start < inner.start && inner.end < outer.end, "{inner:?} is not inside of {outer:?}");
        check_node(document, child);
    }
}

/// One document, or a workflow and a form with a zero byte between them.
fn files(bytes: &[u8]) -> Vec<(&'static str, &[u8])> {
    ["order.workflow.json", "order.form.json"].into_iter().zip(bytes.splitn(2, |byte| *byte == 0)).collect()
}

/// Places are inside of their files, the report validates, and four threads find what one finds.
pub fn lint(bytes: &[u8]) {
    invariants::check(&files(bytes)).unwrap();
}

/// Fixes converge, change what they say, and cause no new finding.
pub fn fix(bytes: &[u8]) {
    let texts: Option<Texts> = files(bytes)
        .into_iter()
        .map(|(name, text)| Some((name.to_owned(), String::from_utf8(text.into()).ok()?)))
        .collect();
    let Some(texts) = texts else { return };
    for unsafe_fixes in [false, true] {
        fixing::check_fixes(&texts, unsafe_fixes).unwrap();
    }
}

/// Every syntax is read; problems are inside of the file.
pub fn scenario(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for syntax in [ScenarioSyntax::Yaml, ScenarioSyntax::Json, ScenarioSyntax::Toml] {
        if let Err(problems) = scenario::read(text, syntax) {
            assert!(!problems.is_empty());
            assert!(problems.is_sorted_by_key(|problem| problem.location.span));
            for problem in problems {
                assert!(text.get(problem.location.span.range()).is_some(), "{problem:?}");
            }
        }
    }
}

pub fn ldif(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match ldif::parse(text) {
        Ok(entries) => {
            let Ok(directory) = Directory::new(entries) else { return };
            for entry in directory.entries() {
                directory.members(entry);
                let _ = directory.manager(entry, 3, false, &mut 0);
            }
            let _ = directory.find("anna");
        }
        Err(error) => assert!(text.get(error.span.clone()).is_some(), "{error:?}"),
    }
}

/// An error is inside of the filter; a filter matches twice alike.
pub fn filter(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Filter::parse(text) {
        Ok(filter) => {
            let entries = ldif::parse("dn: cn=Anna,dc=example\ncn: Anna\nmail: anna@example.com\n").unwrap();
            let is_match = entries.iter().filter(|entry| filter.matches(entry)).count();
            assert_eq!(is_match, entries.iter().filter(|entry| filter.matches(entry)).count());
        }
        Err(error) => assert!(text.get(error.span.clone()).is_some(), "{error:?}"),
    }
}

/// An error has one line without control characters.
pub fn config(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    // Catalogs are files of the machine.
    if text.contains("catalogs") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wflint.toml");
    std::fs::write(&path, text).unwrap();
    match Config::load(&path, &Boundary::default()) {
        Ok(config) => assert!((1..=256).contains(&config.max_depth) && config.script_seconds > 0.0),
        Err(error) => assert!(!error.0.is_empty()),
    }
}

pub fn baseline(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(baseline) = Baseline::parse(PathBuf::from("baseline.json"), text) {
        assert_eq!(baseline.folder(), PathBuf::new());
    }
}

/// What a script process reads from its parent.
pub fn script_protocol(bytes: &[u8]) {
    let jobs = decode_jobs(bytes);
    assert!(jobs.len() * 4 <= bytes.len());
}

/// What a module becomes is a valid catalog, which is not extended by itself.
pub fn power_shell(bytes: &[u8]) {
    let Ok((text, _)) = powershell::decode(bytes) else { return };
    let source = SourceFile::new("m.psm1".into(), "m.psm1".to_owned(), text.into());
    let (manifest, enums) = (Some(&source), &powershell::enums(&source));
    let imported = powershell::import(&Module { source: &source, manifest, loader: Some(&source), enums });
    assert!(imported.notes.iter().all(|note| note.place.starts_with("m.psm1:") && !note.message.is_empty()));
    let catalog = NewCatalog { methods: imported.methods, ..NewCatalog::of_module("Activity.M") };
    let written = catalog.to_toml(|_| None).unwrap();
    Catalog::default().add("m.toml", &written).unwrap();
    assert_eq!(catalog.extend("m.toml", &written).unwrap(), written);
}

/// What a client sends to the language server: messages in an array of JSON, or else bytes as they are. No handler panics:
/// that would be answered with an internal error.
pub fn messages(bytes: &[u8]) {
    let mut input = Vec::new();
    match serde_json::from_slice::<Vec<Value>>(bytes) {
        Ok(messages) => {
            for message in messages.iter().map(Value::to_string) {
                let _ = write!(input, "Content-Length: {}\r\n\r\n{message}", message.len());
            }
        }
        Err(_) => input.extend(bytes),
    }
    let output = Written::default();
    let context = ServerContext { current: "/nonexistent".into(), program: "/nonexistent/wflint".into() };
    serve(std::io::Cursor::new(input), output.clone(), context).unwrap();
    let written = output.0.lock().unwrap();
    let text = std::str::from_utf8(&written).unwrap();
    assert!(!text.contains("\"code\":-32603"), "{text}");
}

/// Output that is kept.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
