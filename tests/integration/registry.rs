//! The registry, the pages, the file names and the contract of the rules agree.

use std::collections::BTreeSet;
use std::path::Path;

use crate::support::page::{folder, page_name};
use wflint::rules::{Preset, REGISTRY, Rule};

#[test]
fn codes_are_sorted_unique_and_well_formed() {
    let codes: Vec<&str> = REGISTRY.iter().map(|rule| rule.code).collect();
    assert!(codes.is_sorted_by(|a, b| a < b), "sorted, each once: {codes:?}");
    for code in codes {
        let digits = code.strip_prefix("WF").unwrap_or_default();
        assert!(digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit()), "{code}");
    }
}

#[test]
fn names_are_unique_kebab_case_and_differ_from_groups_and_codes() {
    let names: BTreeSet<&str> = REGISTRY.iter().map(|rule| rule.name).collect();
    assert_eq!(names.len(), REGISTRY.len(), "each name once");
    for name in names {
        let is_word = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
        assert!(name.split('-').all(is_word), "`{name}` is not in kebab case");
        let meant: Vec<&str> = REGISTRY.iter().filter(|rule| rule.matches(name)).map(|rule| rule.code).collect();
        assert_eq!(meant.len(), 1, "`{name}` means more than its rule: {meant:?}");
    }
}

#[test]
fn every_rule_embeds_its_page_unchanged() {
    for rule in REGISTRY {
        let path = folder("rules").join(page_name(rule));
        let page = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(page, rule.page, "{} embeds another page", rule.code);
    }
}

#[test]
fn every_page_is_short_and_has_its_sections_in_order() {
    for rule in REGISTRY {
        let title = format!("# {} {}\n", rule.code, rule.name);
        assert!(rule.page.starts_with(&title), "{} does not begin with {title:?}", page_name(rule));
        let sections: Vec<&str> = rule.page.lines().filter(|line| line.starts_with("## ")).collect();
        let wanted = ["## Why", "## What to do", "## Details", "## Precedence", "## Examples"];
        let is_optional =
            |section: &str| matches!(section, "## Details" | "## Precedence") && !sections.contains(&section);
        let wanted: Vec<&str> = wanted.into_iter().filter(|section| !is_optional(section)).collect();
        assert_eq!(sections, wanted, "the sections of {}", page_name(rule));
        let lines = rule.page.lines().count();
        assert!(lines <= 120, "{} has {lines} lines, move examples to tests/rules", page_name(rule));
        let parts: Vec<&str> = rule.page.split("\n## ").collect();
        for part in parts {
            assert!(part.lines().skip(1).any(|line| !line.trim().is_empty()), "{}: empty: {part}", page_name(rule));
        }
    }
}

#[test]
fn every_page_names_its_presets() {
    for rule in REGISTRY {
        let infos_are_left_out = rule.severities().any(|own| own < Preset::Recommended.least_severity(rule));
        let line = match (Preset::Recommended.contains(rule), infos_are_left_out) {
            (true, false) => "Presets: `recommended`, `strict`.",
            (true, true) => "Presets: `recommended` without its infos, `strict`.",
            (false, _) => "Preset: `strict`.",
        };
        assert!(rule.page.contains(&format!("\n\n{line}\n\n## Why\n")), "{} lacks the line {line:?}", page_name(rule));
    }
}

#[test]
fn every_page_has_a_rule() {
    let wanted: BTreeSet<String> = REGISTRY.iter().map(page_name).collect();
    assert_eq!(file_names(&folder("rules")), wanted);
}

#[test]
fn further_cases_belong_to_a_rule() {
    for name in file_names(&folder("tests/rules")) {
        let cases = std::fs::read_to_string(folder("tests/rules").join(&name)).unwrap();
        let title = |rule: &Rule| format!("# {} {}: further cases\n", rule.code, rule.name);
        let rule = REGISTRY.iter().find(|rule| name == format!("{}.md", rule.code));
        assert!(rule.is_some_and(|rule| cases.starts_with(&title(rule))), "{name} has no rule, or another title");
    }
}

#[test]
fn rules_and_source_files_correspond_by_name() {
    let wanted: BTreeSet<String> =
        REGISTRY.iter().map(|rule| format!("{}/{}", rule.group().name(), source(rule))).collect();
    let mut found = BTreeSet::new();
    for group in std::fs::read_dir(folder("src/rules")).unwrap() {
        let group = group.unwrap().path();
        if group.is_dir() {
            let folder = group.file_name().unwrap().to_str().unwrap().to_owned();
            found.extend(file_names(&group).into_iter().map(|name| format!("{folder}/{name}")));
        }
    }
    // What several rules of a group share has a file beside them, that holds no rule.
    found.retain(|name| {
        name.ends_with(".rs")
            && std::fs::read_to_string(folder("src/rules").join(name)).unwrap().contains("const RULE: Rule")
    });
    assert_eq!(found, wanted);
}

#[test]
fn every_source_file_embeds_the_page_of_its_own_rule() {
    for rule in REGISTRY {
        let path = folder("src/rules").join(rule.group().name()).join(source(rule));
        let text = std::fs::read_to_string(&path).unwrap();
        let named = format!("rule!(\"{}-{}\"", rule.code, rule.name);
        assert!(text.contains(&named), "{} embeds another page", path.display());
    }
}

#[test]
fn severities_are_named_once() {
    for rule in REGISTRY {
        let others: BTreeSet<_> = rule.other_severities.iter().collect();
        assert_eq!(others.len(), rule.other_severities.len(), "{} names a severity twice", rule.code);
        assert!(!others.contains(&rule.severity), "{} names its severity among the others", rule.code);
    }
}

fn source(rule: &Rule) -> String {
    format!("{}.rs", rule.name.replace('-', "_"))
}

fn file_names(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}
