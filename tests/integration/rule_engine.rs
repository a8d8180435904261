//! The engine of own rules, in the process of the sandbox.

mod endings;
mod facts;
mod helpers;
mod hostile;
mod imports;
mod realm;
mod reports;
mod visits;

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use wflint::config::Types;
use wflint::document::{Document, Limits};
use wflint::own_rules::engine::{
    Meta, OwnDocument, RuleFile, RuleFiles, RuleProblem, RuleRun, Selected, ServiceInput, load, run,
};
use wflint::schema::{DocumentKind, as_signing_case};
use wflint::script::Sandbox;
use wflint::text::diagnostic::Severity;

fn sandbox() -> Sandbox {
    Sandbox::new(env!("CARGO_BIN_EXE_wflint").into())
}

/// Rules with these texts: `rules/ORG101-r1.js` and so on.
fn rules(texts: &[&str]) -> RuleFiles {
    const CODES: [&str; 4] = ["ORG101", "ORG102", "ORG103", "ORG104"];
    let rule = |(code, text): (&'static str, &&str)| RuleFile {
        code,
        name: "rule",
        file: format!("rules/{code}-rule.js"),
        text: (*text).into(),
    };
    RuleFiles { rules: CODES.into_iter().zip(texts).map(rule).collect(), modules: BTreeMap::new() }
}

/// A rule of which only the visitors are given: they see `context`, and `seen` reports what it is given as a message.
fn visitors(body: &str) -> String {
    format!(
        "export default {{\n  create(context) {{\n    const seen = (node, message) => context.report({{ node, message: String(message) }});\n    return {{\n{body}\n    }};\n  }},\n}};\n"
    )
}

/// The documents of a service: kind, file, JSON.
struct Service(Vec<(DocumentKind, String, Document)>);

impl Service {
    fn of(documents: &[(&str, &str)]) -> Self {
        let document = |(file, json): &(&str, &str)| {
            let document = Document::parse(*json, Limits::default()).unwrap();
            let has = |key| document.member(document.root(), key).is_some();
            let kind = if has("activities") {
                DocumentKind::Workflow
            } else if has("fields") {
                DocumentKind::Form
            } else {
                DocumentKind::SigningCase
            };
            let document = if kind == DocumentKind::SigningCase { as_signing_case(document) } else { document };
            (kind, (*file).to_owned(), document)
        };
        Self(documents.iter().map(document).collect())
    }

    fn workflow(json: &str) -> Self {
        Self::of(&[("order.workflow.json", json)])
    }

    fn run_in(&self, sandbox: &mut Sandbox, files: &RuleFiles) -> Vec<RuleRun> {
        let loaded = load(sandbox, files).unwrap().into_iter();
        let metas: Vec<Meta> = loaded.map(|meta| meta.unwrap_or_else(|_| meta_of(Map::new()))).collect();
        self.run_with(sandbox, files, metas, &Types::default())
    }

    fn run_with(&self, sandbox: &mut Sandbox, files: &RuleFiles, metas: Vec<Meta>, types: &Types) -> Vec<RuleRun> {
        let selected = |(rule, Meta { options, needs_flow, .. })| Selected { rule, options, needs_flow };
        let selected: Vec<Selected> = metas.into_iter().enumerate().map(selected).collect();
        let documents = self.0.iter().map(|it| OwnDocument { kind: it.0, file: it.1.clone(), document: &it.2 });
        let settings = serde_json::from_str(r#"{ "hosts": ["a.example"], "limits": { "days": 5 } }"#).unwrap();
        let name = "order".to_owned();
        let service = ServiceInput { name, documents: documents.collect(), settings, types, facts: None };
        run(sandbox, files, &selected, &service).unwrap()
    }

    /// What one rule does.
    fn run(&self, rule: &str) -> RuleRun {
        self.run_in(&mut sandbox(), &rules(&[rule])).remove(0)
    }

    /// The messages of one rule that ends well.
    fn messages(&self, rule: &str) -> Vec<String> {
        let run = self.run(rule);
        assert_eq!(run.problem, None);
        run.reports.into_iter().map(|report| report.message).collect()
    }

    fn problem(&self, rule: &str) -> RuleProblem {
        let run = self.run(rule);
        run.problem.unwrap_or_else(|| panic!("no problem: {:?}", run.reports))
    }
}

/// What a rule without `meta` says, with options. One that is refused when it is loaded fails in the same way when it runs.
fn meta_of(options: Map<String, Value>) -> Meta {
    Meta { severity: Severity::Warning, options, needs_flow: false }
}

/// Loads one rule.
fn loaded(rule: &str) -> Result<Meta, RuleProblem> {
    load(&mut sandbox(), &rules(&[rule])).unwrap().remove(0)
}

/// A problem as `line:column message (help)`.
fn shown(problem: &RuleProblem) -> String {
    let position =
        problem.line.zip(problem.column).map_or_else(String::new, |(line, column)| format!("{line}:{column} "));
    let help = problem.help.as_ref().map_or_else(String::new, |help| format!(" ({help})"));
    format!("{position}{}{help}", problem.message)
}

/// Two approvals, one in a sequence.
const APPROVALS: &str = r#"{
  "activities": [
    { "name": "First", "type": "Approval", "timeout": { "isBound": false, "value": 600 }, "activities": [
      { "name": "Approved", "type": "Event", "event": "OnForeachApprove", "activities": [] }
    ] },
    { "name": "Both", "type": "Sequence", "activities": [
      { "name": "Second", "type": "Approval", "timeout": { "isBound": false, "value": 0 } }
    ] }
  ],
  "variables": [{ "name": "Mail", "id": 1, "variableType": "String" }]
}"#;
