//! Who is silent when another rule names the cause: the metadata, the pages and what happens hold each other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support::complete::complete;
use crate::support::folder::Folder;
use crate::support::page::{Example, all_examples};
use wflint::facts::{AnalyzedService, Context};
use wflint::project::{self, File, Request, ServiceModel};
use wflint::rules::{self, REGISTRY, Rule, Silenced, YieldsTo};
use wflint::script::Evaluator;
use wflint::suggest::Suggester;

/// The rules that a rule yields to, by code.
fn winners(rule: &Rule) -> &'static [&'static str] {
    match rule.yields_to {
        YieldsTo::Rules(codes) => codes,
        YieldsTo::AllOthersExcept(_) => &[],
    }
}

#[test]
fn rules_yield_to_known_rules_each_once_in_order() {
    for rule in REGISTRY {
        let codes = winners(rule);
        assert!(codes.is_sorted_by(|a, b| a < b), "{}: sorted, each once: {codes:?}", rule.code);
        for code in codes {
            assert!(REGISTRY.iter().any(|other| other.code == *code), "{} yields to unknown {code}", rule.code);
        }
    }
}

/// A page has a section `## Precedence` with a line for each rule that it yields to, and no others.
#[test]
fn pages_say_which_rules_they_yield_to() {
    for rule in REGISTRY {
        let section = rule.page.split("\n## Precedence\n").nth(1).map(|rest| rest.split("\n## ").next().unwrap());
        let listed: Vec<&str> = section
            .into_iter()
            .flat_map(str::lines)
            .filter_map(|line| line.strip_prefix("- [")?.split(']').next())
            .collect();
        let expected: Vec<&str> = winners(rule).to_vec();
        assert_eq!(listed, expected, "the section `## Precedence` of {}", rule.code);
        let yields_to_all = matches!(rule.yields_to, YieldsTo::AllOthersExcept(_));
        let says_all = section.is_some_and(|section| section.contains("every other rule"));
        assert_eq!(yields_to_all, says_all, "{} says that it yields to every other rule", rule.code);
        for code in &expected {
            let name = REGISTRY.iter().find(|other| other.code == *code).unwrap().name;
            let link = format!("- [{code}]({code}-{name}.md)");
            assert!(section.unwrap().contains(&link), "{} lacks the line `{link}`", rule.code);
        }
    }
}

/// Each pair is proven by an example of one of the two, in which the one is silent because of the other.
#[test]
fn each_pair_has_an_example() {
    let mut proven: BTreeMap<&str, BTreeSet<Silenced>> = BTreeMap::new();
    for rule in REGISTRY {
        for example in all_examples(rule) {
            proven.entry(rule.code).or_default().extend(silenced(&example));
        }
    }
    let mut missing = Vec::new();
    for rule in REGISTRY {
        for winner in winners(rule) {
            let is_on = |page: &str| proven.get(page).is_some_and(|pairs| pairs.contains(&(rule.code, *winner)));
            if !is_on(rule.code) && !is_on(winner) {
                missing.push(format!("{} yields to {winner}", rule.code));
            }
        }
    }
    assert!(missing.is_empty(), "there is no example for:\n{}", missing.join("\n"));
}

fn silenced(example: &Example) -> Vec<Silenced> {
    let folder = tempfile::tempdir().unwrap();
    let files = if example.bare { example.files.clone() } else { complete(&example.files, &[]).files };
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let mut pairs = Vec::new();
    let request = Request { current: folder.path().to_path_buf(), paths: vec![".".into()], ..Request::default() };
    let Ok(project) = project::find(&request) else { return pairs };
    let evaluator = Evaluator::new(Path::new(env!("CARGO_BIN_EXE_wflint")).to_path_buf());
    for service in &project.services {
        let read = project.read(service, &project::Overrides::new());
        let files: Vec<&File> = read.files.iter().collect();
        let (config, suggester) = (&project.configs[service.config], Suggester::default());
        let model = ServiceModel::new(&files, config);
        let service = AnalyzedService::new(files.clone(), config, &model, &suggester, Some(&evaluator));
        pairs.extend(rules::check(&[Context::new(&service)]).into_iter().flat_map(|findings| findings.silenced));
    }
    pairs
}

/// While a document cannot be read, it may declare any name: WF306 judges none, and WF307 may not ask for a misspelled one.
#[test]
fn misspelled_placeholder_is_not_asked_for_while_a_document_is_broken() {
    let workflow = r#"{
  "activities": [
    {
      "name": "Describe", "type": "Assign", "result": { "isBound": true, "boundTo": "State" }, "body": "{Nmae}",
      "assignedVariables": [{ "isBound": true, "boundTo": "Name" }]
    },
    { "name": "Tell", "type": "Status", "status": { "isBound": true, "boundTo": "State" } }
  ],
  "variables": [{ "name": "Name", "id": 1, "value": "A" }, { "name": "State", "id": 2 }]
}"#;
    let folder = Folder::with(&[("order.workflow.json", workflow)]);
    let found = |folder: &Folder| folder.found(&["--select", "WF306,WF307"]);
    assert_eq!(found(&folder), ["order.workflow.json WF306 error"]);
    folder.write("order.form.json", r#"{ "fields": ["#);
    assert_eq!(found(&folder), ["order.form.json WF001 error"]);
}
