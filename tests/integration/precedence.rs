//! Who is silent when another rule names the cause: the metadata, the pages and what happens hold each other.

use std::collections::BTreeSet;

use crate::support::folder::Folder;
use wflint::rules::{LAST, PRECEDENCE, REGISTRY, winners};

fn name(code: &str) -> Option<&'static str> {
    REGISTRY.iter().find(|rule| rule.code == code).map(|rule| rule.name)
}

#[test]
fn each_pair_of_known_rules_is_listed_once() {
    let mut pairs = BTreeSet::new();
    for (winners, silent) in PRECEDENCE {
        for (winner, silent) in winners.iter().flat_map(|winner| silent.iter().map(move |silent| (*winner, *silent))) {
            assert!(name(winner).is_some() && name(silent).is_some(), "{winner} over {silent}: an unknown rule");
            assert_ne!(winner, silent);
            assert!(pairs.insert((winner, silent)), "{winner} over {silent}: listed twice");
        }
    }
}

/// A page may have a section `## Precedence`, whose lines name rules over this one.
#[test]
fn pages_name_only_rules_over_theirs() {
    for rule in REGISTRY {
        let section = rule.page.split("\n## Precedence\n").nth(1).map(|rest| rest.split("\n## ").next().unwrap());
        for line in section.into_iter().flat_map(str::lines).filter(|line| line.starts_with("- [")) {
            let code = line.strip_prefix("- [").and_then(|rest| rest.split(']').next()).unwrap();
            assert!(winners(rule.code).any(|winner| winner == code), "{} does not yield to {code}", rule.code);
            let link = format!("- [{code}]({code}-{}.md)", name(code).unwrap());
            assert!(line.starts_with(&link), "{} lacks the line `{link}`", rule.code);
        }
        let says_all = section.is_some_and(|section| section.contains("every other rule"));
        assert_eq!(
            LAST.iter().any(|(last, _)| *last == rule.code),
            says_all,
            "{} says that it yields to every other rule",
            rule.code
        );
    }
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
