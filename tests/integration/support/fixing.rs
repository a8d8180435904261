//! Fixes documents in memory, and computes identities of findings. The only place in the tests that
//! depends on how this is done.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

use super::unescape_step;
use serde_json::Value;
use wflint::fix;
use wflint::lint::{self, Choice, Linter, Options, Outcome};
use wflint::project::{self, Buffer, ConfigSource, Request};
use wflint::text::diagnostic::{Applicability, Diagnostic, FileId, Fix, Severity};

/// Contents by file name.
pub type Texts = BTreeMap<String, String>;

/// The result of fixing.
pub struct Fixing {
    /// All files, with the fixes.
    pub texts: Texts,
    /// How many findings were fixed.
    pub fixed: usize,
    /// The findings that are left.
    pub left: Outcome,
}

fn request(texts: &Texts) -> Request {
    let text = |(name, text): (&String, &String)| Buffer::new(Some(name.into()), text.as_bytes());
    Request {
        current: std::env::temp_dir(),
        buffers: texts.iter().map(text).collect(),
        in_memory: true,
        config: ConfigSource::Isolated,
        ..Request::default()
    }
}

/// Lints the files of one folder by all rules, and tries out the fixes.
pub fn lint(texts: &Texts) -> Outcome {
    lint::on_pool(Some(1), || {
        let project = project::find(&request(texts)).unwrap();
        fix::lint(&Linter::new(&project, &all_rules()).unwrap())
    })
    .unwrap()
}

/// Lints the files of one folder by all rules.
pub fn findings(texts: &Texts) -> Outcome {
    lint::on_pool(Some(1), || {
        let project = project::find(&request(texts)).unwrap();
        lint::lint(&project, &all_rules()).unwrap()
    })
    .unwrap()
}

fn all_rules() -> Options {
    Options { choices: vec![Choice::Select("ALL".to_owned())], ..Options::default() }
}

/// Fixes the files of one folder by all rules.
pub fn fix(texts: &Texts, unsafe_fixes: bool) -> Fixing {
    lint::on_pool(Some(1), || {
        let project = project::find(&request(texts)).unwrap();
        let options = Options { choices: vec![Choice::Select("ALL".to_owned())], unsafe_fixes, ..Options::default() };
        let done = fix::fix(&Linter::new(&project, &options).unwrap(), |_| Ok(()));
        let mut texts = texts.clone();
        for change in &done.changes {
            assert_eq!(texts.insert(change.name.clone(), change.after.to_string()).as_deref(), Some(&*change.before));
        }
        Fixing { texts, fixed: done.outcome.summary.fixed, left: done.outcome }
    })
    .unwrap()
}

/// The files with all available fixes, applied naively from the end; `None` if they overlap.
pub fn with_all(texts: &Texts, outcome: &Outcome, unsafe_fixes: bool) -> Option<Texts> {
    let mut texts = texts.clone();
    for (id, source) in &outcome.sources {
        let fixes = outcome.diagnostics.iter().filter(|finding| is_on_offer(finding, unsafe_fixes));
        let mut edits: Vec<_> = fixes.flat_map(|finding| edits(finding, *id)).collect();
        edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
        edits.dedup();
        if edits.windows(2).any(|pair| pair[1].0.end >= pair[0].0.start) {
            return None;
        }
        let text = texts.get_mut(&source.name).unwrap();
        for (range, new) in edits {
            text.replace_range(range, new);
        }
    }
    Some(texts)
}

/// The files with one fix or alternative.
pub fn with_fix(texts: &Texts, outcome: &Outcome, fix: &Fix) -> Texts {
    let mut texts = texts.clone();
    for edit in fix.edits.iter().rev() {
        let text = texts.get_mut(&outcome.sources[&edit.file].name).unwrap();
        text.replace_range(edit.span.range(), &edit.new_text);
    }
    texts
}

/// Whether a finding has a fix that is allowed.
pub fn is_on_offer(finding: &Diagnostic, unsafe_fixes: bool) -> bool {
    finding.fix.as_ref().is_some_and(|fix| unsafe_fixes || fix.applicability == Applicability::Safe)
}

fn edits(finding: &Diagnostic, file: FileId) -> impl Iterator<Item = (std::ops::Range<usize>, &str)> {
    let edits = finding.fix.iter().flat_map(|fix| &fix.edits).filter(move |edit| edit.file == file);
    edits.map(|edit| (edit.span.range(), edit.new_text.as_str()))
}

/// How often each finding occurs, by its rule, its file, and the names around it; computed
/// independently of the linter.
pub fn identities(outcome: &Outcome) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for finding in &outcome.diagnostics {
        let source = &outcome.sources[&finding.location.file];
        let text = source.text.trim_start_matches('\u{feff}');
        let mut path = format!("{} {}:", finding.code, source.name);
        let mut at = serde_json::from_str(text).unwrap_or(Value::Null);
        for step in finding.location.pointer.split('/').skip(1) {
            let key = unescape_step(step);
            let next = match &at {
                Value::Array(items) => {
                    let index: usize = key.parse().unwrap();
                    let name = items[index]["name"].as_str();
                    let equal = items[..index].iter().filter(|item| item["name"].as_str() == name).count();
                    if let Some(name) = name {
                        write!(path, "/[{name:?} {equal}]").unwrap();
                    }
                    items[index].clone()
                }
                other => {
                    write!(path, "/{key:?}").unwrap();
                    other[&key].clone()
                }
            };
            at = next;
        }
        *counts.entry(path).or_default() += 1;
    }
    counts
}

pub fn parsed(text: &str) -> Option<Value> {
    serde_json::from_str(text.trim_start_matches('\u{feff}')).ok()
}

/// Checks the guarantees of fixes.
pub fn check_fixes(texts: &Texts, unsafe_fixes: bool) -> Result<(), String> {
    let before = lint(texts);
    let Fixing { texts: fixed, fixed: count, left } = fix(texts, unsafe_fixes);
    for (name, text) in &fixed {
        let was = &texts[name];
        if parsed(was).is_some() && parsed(text).is_none() {
            return Err(format!("{name} parses no more: {text}"));
        }
        if was.starts_with('\u{feff}') != text.starts_with('\u{feff}') {
            return Err(format!("{name} has lost or got a mark"));
        }
    }
    let errors =
        |outcome: &Outcome| outcome.diagnostics.iter().filter(|finding| finding.severity == Severity::Error).count();
    if errors(&left) > errors(&before) {
        return Err(format!("{count} were fixed, but there are more errors"));
    }
    // Of two keys of one name, the pointer does not say which one it means.
    if before.diagnostics.iter().any(|finding| finding.code == "WF005") {
        return Ok(());
    }
    let known = identities(&before);
    let titles = before.diagnostics.iter().filter_map(|finding| Some(&*finding.fix.as_ref()?.title));
    let revealed: Vec<&str> = titles.filter_map(|title| Some(title.split_once("; reveals ")?.1)).collect();
    // What a fix of a later round reveals, no title of the first lint says; but none adds a finding of its own rule.
    let fixed_rules: HashSet<&str> =
        before.diagnostics.iter().filter(|it| is_on_offer(it, unsafe_fixes)).map(|it| it.code).collect();
    let is_said = |path: &str| {
        let code = path.split(' ').next().unwrap_or_default();
        !fixed_rules.contains(code) || revealed.iter().any(|codes| codes.contains(code))
    };
    let left = identities(&left);
    let mut new = left.iter().filter(|(path, number)| known.get(*path) < Some(number)).map(|(path, _)| path);
    if let Some(new) = new.find(|path| !is_said(path)) {
        return Err(format!("there is a new finding: {new}"));
    }
    let offered = before.diagnostics.iter().filter(|finding| is_on_offer(finding, unsafe_fixes)).count();
    if count == offered && with_all(texts, &before, unsafe_fixes).is_some_and(|wanted| wanted != fixed) {
        return Err(format!("something else was changed than the fixes say: {fixed:#?}"));
    }
    let again = fix(&fixed, unsafe_fixes);
    if again.fixed > 0 { Err("a second run fixes more".to_owned()) } else { Ok(()) }
}
