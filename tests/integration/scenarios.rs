//! Runs every example of the pages about scenarios.

use std::fmt::Write;

use crate::support::folder::Folder;
use wflint::own_rules::examples::complete;

const PAGES: &str = concat!(
    include_str!("../../docs/scenarios.md"),
    include_str!("../../docs/scenario-activities.md"),
    include_str!("../../docs/scenario-providers.md")
);

/// An example of a page: its files, and the beginning of its output.
#[derive(Default)]
struct Example {
    title: String,
    documents: Vec<(String, String)>,
    others: Vec<(String, String)>,
    scenario: Option<String>,
    console: Option<String>,
}

#[test]
fn every_example_of_the_pages_passes_with_its_output() {
    let examples = examples();
    assert!(examples.len() > 10, "too few examples: {}", examples.len());
    let mut wrong = String::new();
    for example in examples {
        let folder = Folder::with(&[]);
        for (name, text) in complete(&example.documents, &[]).iter().chain(&example.others) {
            folder.write(name, text);
        }
        let scenario = example.scenario.as_deref().unwrap();
        folder.write("example.scenario.yaml", format!("workflow: order.workflow.json\n{scenario}"));
        let output = folder.run(&["--simulate", "example.scenario.yaml"]);
        let shown = example.console.as_deref().is_none_or(|console| output.out().starts_with(console));
        if output.code != 0 || !shown {
            let _ = writeln!(wrong, "## {}\n{}{}", example.title, output.out(), output.err());
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn examples() -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut fence: Option<(Vec<String>, String)> = None;
    for line in PAGES.lines() {
        if let Some((info, text)) = &mut fence {
            if line == "```" {
                if let Some(example) = examples.last_mut() {
                    add(example, info, std::mem::take(text));
                }
                fence = None;
            } else {
                let _ = writeln!(text, "{line}");
            }
        } else if let Some(info) = line.strip_prefix("```") {
            fence = Some((info.split_whitespace().map(str::to_owned).collect(), String::new()));
        } else if let Some((_, title)) = line.split_once("## ").filter(|(before, _)| ["", "#"].contains(before)) {
            examples.push(Example { title: title.to_owned(), ..Example::default() });
        }
    }
    // Sections without documents have none.
    examples.retain(|example| !example.documents.is_empty());
    examples
}

fn add(example: &mut Example, info: &[String], text: String) {
    let words: Vec<&str> = info.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["json"] => example.documents.push((String::new(), text)),
        ["json", name] => example.documents.push(((*name).to_owned(), text)),
        ["ldif", name] => example.others.push(((*name).to_owned(), text)),
        ["yaml"] => example.scenario = Some(text),
        ["console"] => example.console = Some(text),
        other => panic!("unknown fence: {other:?}"),
    }
}
