//! The page of every rule is its test, and so are the further cases in `tests/rules`: each example has exactly the findings
//! that it lists, of any rule, and each fix results in what the example shows.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::support::fixing::{self, parsed};
use crate::support::folder::Folder;
use crate::support::page::{Example, Expected, all_examples, examples, page_examples};
use crate::support::snapshot::settings;
use crate::support::{covered, file_of, lint_paths};
use insta::assert_snapshot;
use wflint::lint::Outcome;
use wflint::own_rules::examples::complete;
use wflint::rules::{Fixes, Group, REGISTRY, Rule};
use wflint::text::diagnostic::{Diagnostic, Severity};

#[test]
fn every_example_of_every_page_reports_the_findings_listed() {
    let only = std::env::var("WFLINT_RULE").unwrap_or_default();
    let mut wrong = String::new();
    for rule in REGISTRY.iter().filter(|rule| rule.code.starts_with(&only)) {
        let examples = all_examples(rule);
        for example in &examples {
            if let Err(reason) = check(example, rule.code) {
                let _ = writeln!(wrong, "\n{} {}, example `{}`:\n{reason}", rule.code, rule.name, example.title);
            }
        }
        let checked = check_page(rule, &page_examples(rule)).and_then(|()| check_examples(rule, &examples));
        if let Err(reason) = checked {
            let _ = writeln!(wrong, "\n{} {}: {reason}", rule.code, rule.name);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The words of every finding in the examples of a group, so that a change of them is seen.
#[test]
fn messages_of_each_group_are_pinned() {
    for group in Group::ALL {
        let mut messages = String::new();
        for rule in REGISTRY.iter().filter(|rule| rule.group() == group) {
            let _ = writeln!(messages, "{} {}", rule.code, rule.name);
            let outcomes: Vec<Outcome> = all_examples(rule).iter().map(lint).collect();
            let found = outcomes.iter().flat_map(|outcome| &outcome.diagnostics);
            // Sorted and each once, so that moving an example changes nothing.
            messages.extend(
                found.filter(|found| found.code == rule.code).map(|found| words(found)).collect::<BTreeSet<_>>(),
            );
        }
        settings().bind(|| assert_snapshot!(format!("messages_{}", group.name()), messages));
    }
}

/// All that a finding says.
fn words(found: &Diagnostic) -> String {
    let (code, message) = (found.code, &found.message);
    let fix = found.fix.as_ref().map(|fix| format!(" · {}: {}", fix.applicability.word(), fix.title));
    let help = found.help.as_ref().map(|help| format!(" · {help}"));
    assert!(help.is_some() || fix.is_some(), "{code} says what to do: {message}");
    assert!(!message.ends_with('.'), "{code} has a message that is no sentence: {message}");
    assert!(!message.contains('\n'), "{code} has a message of one line: {message}");
    let mut words = format!("  {}: {message}", found.severity.word());
    words.extend(help.into_iter().chain(fix));
    words.push('\n');
    for label in &found.related {
        let _ = writeln!(words, "    {}", label.message);
    }
    words
}

/// A page has an example without findings, and one with findings of its rule.
fn check_page(rule: &Rule, examples: &[Example]) -> Result<(), String> {
    let reports = |example: &&Example| example.findings.iter().any(|finding| finding.code == rule.code);
    if !examples.iter().any(|example| reports(&example)) {
        return Err("no example of the page gives a finding of the rule".to_owned());
    }
    if !examples.iter().any(|example| example.findings.is_empty()) {
        return Err("no example of the page is fine".to_owned());
    }
    Ok(())
}

/// The page and the further cases show every severity and whether there are fixes.
fn check_examples(rule: &Rule, examples: &[Example]) -> Result<(), String> {
    for severity in std::iter::once(&rule.severity).chain(rule.other_severities) {
        let is_shown = examples
            .iter()
            .flat_map(|example| &example.findings)
            .any(|finding| finding.code == rule.code && finding.severity == Some(*severity));
        // What is too large to be checked is too large for a page: tests/integration/limits shows it.
        let is_of_a_limit = *severity == Severity::Info && rule.page.contains("../docs/limits.md");
        if !is_shown && !is_of_a_limit {
            return Err(format!("no example shows the severity {}", severity.word()));
        }
    }
    let shows_a_fix = examples.iter().any(|example| !example.fixed.is_empty() || !example.alternative.is_empty());
    if (rule.fixes != Fixes::None) != shows_a_fix {
        return Err(format!("the rule declares the fixes `{}`, the examples show otherwise", rule.fixes.word()));
    }
    Ok(())
}

fn lint(example: &Example) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let names = write_files(folder.path(), example);
    lint_paths(folder.path(), if example.named { names } else { vec![".".into()] })
}

/// Writes the files of an example, and returns their names.
fn write_files(folder: &Path, example: &Example) -> Vec<PathBuf> {
    let files = if example.bare { example.files.clone() } else { complete(&example.files, &[]) };
    for (name, text) in &files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    files.into_iter().map(|(name, _)| name.into()).collect()
}

fn check(example: &Example, code: &str) -> Result<(), String> {
    let outcome = lint(example);
    let mut open: Vec<&Diagnostic> = outcome.diagnostics.iter().map(Box::as_ref).collect();
    let mut missing = Vec::new();
    for expected in &example.findings {
        match open.iter().position(|found| matches(&outcome, expected, found)) {
            Some(index) => drop(open.remove(index)),
            None => missing.push(expected),
        }
    }
    if !open.is_empty() || !missing.is_empty() {
        let found: Vec<String> = open.iter().map(|found| describe(&outcome, found)).collect();
        return Err(format!("expected and not found: {missing:#?}\nfound and not expected:\n{}", found.join("\n")));
    }
    check_fixes(example, code)?;
    check_alternative(example)
}

fn matches(outcome: &Outcome, expected: &Expected, found: &Diagnostic) -> bool {
    expected.code == found.code
        && expected.severity == Some(found.severity)
        && expected.pointer == found.location.pointer
        && expected.file.as_ref().is_none_or(|file| file == file_of(outcome, found))
        && expected.covered.as_ref().is_none_or(|text| text == covered(outcome, found))
}

fn describe(outcome: &Outcome, found: &Diagnostic) -> String {
    format!(
        "{} {} {} {} {} -- {}",
        found.code,
        found.severity.word(),
        file_of(outcome, found),
        found.location.pointer,
        covered(outcome, found),
        found.message
    )
}

/// The fixes of the rule, or those of all rules, result in the documents that the example calls fixed.
fn check_fixes(example: &Example, code: &str) -> Result<(), String> {
    if example.fixed.is_empty() || becomes_fixed(example, code).is_ok() {
        return Ok(());
    }
    becomes_fixed(example, "ALL")
}

fn becomes_fixed(example: &Example, selected: &str) -> Result<(), String> {
    let folder = Folder::with(&[]);
    write_files(folder.path(), example);
    folder.run(&["--fix", "--unsafe-fixes", "--select", selected]);
    for (name, text) in complete(&example.files, &example.fixed) {
        let found = folder.read(&name);
        let is_wanted = if name.ends_with(".json") { parsed(&found) == parsed(&text) } else { found == text };
        if !is_wanted {
            return Err(format!("{name} becomes\n{found}"));
        }
    }
    Ok(())
}

/// The first alternative of an editor results in the documents that the example shows.
fn check_alternative(example: &Example) -> Result<(), String> {
    if example.alternative.is_empty() {
        return Ok(());
    }
    let texts = complete(&example.files, &[]).into_iter().collect();
    let outcome = fixing::lint(&texts);
    let found = outcome.diagnostics.iter().find(|found| !found.alternatives.is_empty());
    let found = found.ok_or("no finding has an alternative")?;
    let fix = found.alternatives[0].clone();
    let changed = fixing::with_fix(&texts, &outcome, &fix);
    for (name, text) in complete(&example.files, &example.alternative) {
        if name.ends_with(".json") && parsed(&changed[&name]) != parsed(&text) {
            return Err(format!("the alternative `{}` makes {name}\n{}", fix.title, changed[&name]));
        }
    }
    Ok(())
}

/// A page may draw what one of its examples or further cases does before and after the repair, in two `text` fences: lines
/// of `wflint graph --format text`, which `…` may cut.
#[test]
fn drawings_show_an_example_before_and_after_its_repair() {
    let mut drawn = Vec::new();
    for rule in REGISTRY {
        let fences: Vec<String> = rule.page.split("\n```text\n").skip(1).map(until_end).collect();
        let (before, after) = match fences.as_slice() {
            [] => continue,
            [before, after] => (before, after),
            _ => panic!("{} has {} drawings", rule.code, fences.len()),
        };
        let is_it = |example: &Example| {
            let repaired = if example.fixed.is_empty() { &example.alternative } else { &example.fixed };
            !repaired.is_empty() && shows(&outline(example, &[]), before) && shows(&outline(example, repaired), after)
        };
        assert!(all_examples(rule).iter().any(is_it), "{} has another drawing than its examples", rule.code);
        drawn.push(rule.code);
    }
    assert_eq!(drawn, ["WF303", "WF404", "WF409"]);
}

fn until_end(fence: &str) -> String {
    fence.split("\n```").next().unwrap().to_owned()
}

/// What the workflow of an example does, with the files after a repair.
fn outline(example: &Example, repaired: &[(String, String)]) -> String {
    let folder = Folder::with(&[]);
    for (name, text) in complete(&example.files, repaired) {
        folder.write(name, text);
    }
    folder.run(&["graph", "--format", "text", "."]).out().to_owned()
}

/// Whether the lines of a drawing follow each other in an outline, apart from the marks of findings.
fn shows(outline: &str, drawing: &str) -> bool {
    let lines: Vec<String> = outline.lines().map(|line| unmarked(line.trim())).collect();
    let wanted: Vec<&str> = drawing.lines().map(str::trim).collect();
    let is_it = |(line, wanted): (&String, &&str)| {
        wanted.strip_suffix('…').map_or(line == wanted, |start| line.starts_with(start))
    };
    lines.windows(wanted.len()).any(|lines| lines.iter().zip(&wanted).all(is_it))
}

/// A line of an outline without the mark of a finding, such as ` (error WF404)`.
fn unmarked(line: &str) -> String {
    let mark = ["error", "warning", "info"].iter().find_map(|word| line.find(&format!(" ({word} WF")));
    let Some((start, rest)) = mark.map(|start| line.split_at(start)) else { return line.to_owned() };
    format!("{start}{}", rest.split_once(')').unwrap().1)
}

#[test]
fn wrong_page_fails_the_check() {
    let page = "# x\n\n## Examples\n\n### One\n\n```json\n[{\"type\": \"Terminate\", \"name\": \"T\"}]\n```\n\n\
                ```findings\nWF401 /activities/0\n```\n";
    let found = examples(page);
    assert_eq!(found.len(), 1);
    assert!(check(&found[0], "ALL").unwrap_err().contains("expected and not found"));
}
