//! Reads the examples of a rule, each with its expected findings: those of its page, which are for readers, and the further
//! cases in `tests/rules`.

use std::path::{Path, PathBuf};

use wflint::own_rules::examples;
pub use wflint::own_rules::examples::{Example, Expected};
use wflint::rules::{REGISTRY, Rule};

/// The examples of a rule's page as it is in the folder, so that a changed page is tested without a build; the tests of
/// the registry compare the embedded one with it.
pub fn page_examples(rule: &Rule) -> Vec<Example> {
    examples(&std::fs::read_to_string(folder("rules").join(page_name(rule))).unwrap())
}

/// The examples of a rule's page, then the further cases, if there are any.
pub fn all_examples(rule: &Rule) -> Vec<Example> {
    let mut all = page_examples(rule);
    if let Ok(cases) = std::fs::read_to_string(folder("tests/rules").join(format!("{}.md", rule.code))) {
        all.extend(examples(&cases));
    }
    all
}

pub fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

pub fn page_name(rule: &Rule) -> String {
    format!("{}-{}.md", rule.code, rule.name)
}

/// The examples of a page. Findings without a severity have that of their rule.
pub fn examples(page: &str) -> Vec<Example> {
    assert!(page.contains("\n## Examples\n"), "a page has a section `## Examples`");
    let mut found = examples::examples(page).unwrap_or_else(|error| panic!("line {}: {}", error.line, error.message));
    for expected in found.iter_mut().flat_map(|example| &mut example.findings) {
        expected.severity = expected.severity.or_else(|| Some(rule(&expected.code).severity));
    }
    found
}

pub fn rule(code: &str) -> &'static Rule {
    REGISTRY.iter().find(|rule| rule.code == code).unwrap_or_else(|| panic!("{code} is no rule"))
}
