//! Reads the examples of a rule, each with its expected findings: those of its page, which are for readers, and the further
//! cases in `tests/rules`.

use std::path::{Path, PathBuf};

use wflint::rules::{REGISTRY, Rule};
use wflint::text::diagnostic::Severity;

/// An example: the documents of one service.
#[derive(Debug, Default)]
pub struct Example {
    /// The heading.
    pub title: String,
    /// Name (empty for the usual one) and text of each file.
    pub files: Vec<(String, String)>,
    /// Whether the files are named on the command line, instead of the folder.
    pub named: bool,
    /// Whether the files are complete, so that nothing is added to them.
    pub bare: bool,
    /// The expected findings.
    pub findings: Vec<Expected>,
    /// Files after the fixes.
    pub fixed: Vec<(String, String)>,
    /// Files after the first alternative of the first finding that has one.
    pub alternative: Vec<(String, String)>,
}

/// A line of a `findings` fence: `CODE [severity] [file] pointer [covered text]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    pub code: String,
    pub severity: Severity,
    pub file: Option<String>,
    pub pointer: String,
    pub covered: Option<String>,
}

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

/// The examples of a page, those under `## Examples`, each under a heading of its own.
pub fn examples(page: &str) -> Vec<Example> {
    let (_, section) = page.split_once("\n## Examples\n").expect("a page has a section `## Examples`");
    let mut examples: Vec<Example> = Vec::new();
    let mut fence: Option<(String, String)> = None;
    for line in section.lines() {
        if let Some((info, text)) = &mut fence {
            if line.starts_with("```") {
                let (info, text) = (info.clone(), text.clone());
                fence = None;
                add(examples.last_mut().expect("an example has a heading"), &info, text);
            } else {
                text.push_str(line);
                text.push('\n');
            }
        } else if let Some(info) = line.strip_prefix("```") {
            fence = Some((info.trim().to_owned(), String::new()));
        } else if let Some(title) = line.strip_prefix("### ") {
            examples.push(Example { title: title.to_owned(), ..Example::default() });
        }
    }
    assert!(fence.is_none(), "a fence is not closed");
    examples
}

fn add(example: &mut Example, info: &str, text: String) {
    let words: Vec<&str> = info.split_whitespace().collect();
    match words.as_slice() {
        ["findings"] => example.findings.extend(text.lines().filter(|line| !line.trim().is_empty()).map(expected)),
        ["json", "fixed"] => example.fixed.push((String::new(), text)),
        ["json", "fixed", name] => example.fixed.push(((*name).to_owned(), text)),
        ["json", "alternative"] => example.alternative.push((String::new(), text)),
        ["json", "alternative", name] => example.alternative.push(((*name).to_owned(), text)),
        ["json"] => example.files.push((String::new(), text)),
        ["json", word @ ("bare" | "named"), name] => {
            example.bare |= *word == "bare";
            example.named |= *word == "named";
            example.files.push(((*name).to_owned(), text));
        }
        ["json" | "toml", name] => example.files.push(((*name).to_owned(), text)),
        other => panic!("unknown fence: {other:?}"),
    }
}

fn expected(line: &str) -> Expected {
    let mut rest = line.trim();
    let mut word = |is_wanted: &dyn Fn(&str) -> bool| {
        let (first, after) = rest.split_once(' ').unwrap_or((rest, ""));
        is_wanted(first).then(|| {
            rest = after.trim_start();
            first.to_owned()
        })
    };
    let code = word(&|first| first.starts_with("WF")).expect("a line begins with a code");
    let severity = word(&|first| matches!(first, "error" | "warning" | "info"));
    let file = word(&|first| !first.starts_with(['/', '(']));
    let pointer = word(&|first| first.starts_with('/') || first == "(root)").expect("a line names a pointer");
    let severity = match severity.as_deref() {
        Some("error") => Severity::Error,
        Some("warning") => Severity::Warning,
        Some(_) => Severity::Info,
        None => rule(&code).severity,
    };
    let pointer = if pointer == "(root)" { String::new() } else { pointer };
    Expected { code, severity, file, pointer, covered: (!rest.is_empty()).then(|| rest.to_owned()) }
}

pub fn rule(code: &str) -> &'static Rule {
    REGISTRY.iter().find(|rule| rule.code == code).unwrap_or_else(|| panic!("{code} is no rule"))
}
