//! Facts, for rules that ask for them.

use serde_json::Map;
use wflint::facts::{AnalyzedService, Context};
use wflint::own_rules::engine::{OwnDocument, RuleRun, Selected, ServiceInput, facts_of, run};
use wflint::project::{self, Buffer, ConfigSource, File, Request, ServiceModel};
use wflint::text::suggest::Suggester;

use super::{APPROVALS, Service, rules, sandbox, shown, visitors};

/// Runs a rule on documents with their facts.
fn with_facts(documents: &[(&str, &str)], rule: &str) -> RuleRun {
    let buffers = documents.iter().map(|&(name, text)| Buffer::new(Some(name.into()), text.as_bytes())).collect();
    let request = Request {
        current: std::env::temp_dir(),
        buffers,
        in_memory: true,
        config: ConfigSource::Isolated,
        ..Request::default()
    };
    let project = project::find(&request).unwrap();
    let service = &project.services[0];
    let read = project.read(service, &project.contents(service));
    let files: Vec<&File> = read.files.iter().collect();
    let (config, suggester) = (&project.configs[service.config], Suggester::default());
    let model = ServiceModel::new(&files, config);
    let analyzed = AnalyzedService::new(files.clone(), config, &model, &suggester, None);
    let documents = read.files.iter().map(|file| {
        let (kind, document) = file.document().unwrap();
        OwnDocument { kind, file: file.source.name.clone(), document }
    });
    let documents: Vec<OwnDocument<'_>> = documents.collect();
    let facts = Some(facts_of(&Context::new(&analyzed), &documents));
    let (name, settings, types) = ("order".to_owned(), Map::new(), &config.types);
    let service = ServiceInput { name, documents, settings, types, facts };
    let selected = [Selected { rule: 0, options: Map::new(), needs_flow: true }];
    run(&mut sandbox(), &rules(&[rule]), &selected, &service).unwrap().remove(0)
}

/// The messages of visitors that need facts.
fn messages(documents: &[(&str, &str)], body: &str) -> Vec<String> {
    let rule = visitors(body).replacen("create(", "meta: { needs: ['flow'] },\n  create(", 1);
    let run = with_facts(documents, &rule);
    assert_eq!(run.problem, None);
    run.reports.into_iter().map(|report| report.message).collect()
}

const WORKFLOW: &str = r#"{
  "activities": [
    { "name": "Look up", "type": "Provider", "method": "Get-ZPADUser",
      "providerParameters": [
        { "name": "Identity", "value": { "state": "bound", "boundTo": "Account" } },
        { "name": "Property", "value": { "state": "static", "value": "Mail" } },
        { "name": "Prefix", "value": { "state": "static", "value": "User" } }
      ], "providerResult": { "isBound": true, "boundTo": "Done" } },
    { "name": "Call", "type": "Provider", "method": "Get-Nothing", "providerParameters": [] },
    { "name": "Set", "type": "Assign", "body": "{UserMail} {Mistake}", "result": { "isBound": true, "boundTo": "Absent" } },
    { "name": "End", "type": "Terminate" },
    { "name": "Never", "type": "Sequence", "activities": [] }
  ],
  "variables": [
    { "name": "Account", "id": 1 }, { "name": "UserMail", "id": 2 }, { "name": "Done", "id": 3, "shouldHide": true },
    { "name": "Mistake", "id": 4 }
  ]
}"#;

const FORM: &str = r#"{
  "fields": [
    { "name": "Who", "type": "InputText", "isBound": true, "boundTo": "Account" },
    { "name": "Shown", "type": "InputText", "isBound": true, "boundTo": "UserMail", "readonly": true }
  ],
  "variables": [{ "name": "Account", "id": 1 }]
}"#;

const DOCUMENTS: &[(&str, &str)] = &[("a.workflow.json", WORKFLOW), ("a.form.json", FORM)];

#[test]
fn activities_know_what_they_read_and_write() {
    let found = messages(
        DOCUMENTS,
        "Activity(node) {
            const names = (list) => list.map((it) => it.name + (it.id === undefined ? '?' : '')).join();
            seen(node, `${names(context.reads(node))} > ${names(context.writes(node))}`);
        },
        Assign(node) { seen(node, context.reads(node)[0] === context.parent(node).variables[1]); },",
    );
    assert_eq!(found, ["Account > Done,UserMail", " > ", "UserMail,Mistake > Absent?", "true", " > ", " > "]);
}

#[test]
fn variables_know_who_uses_them() {
    let found = messages(
        DOCUMENTS,
        "Variable(node) {
            const names = (list) => list.map((it) => it.name).join();
            seen(node, `${node.name}: ${names(context.writers(node))} > ${names(context.readers(node))} ${context.masked(node)}`);
        },",
    );
    assert_eq!(
        found,
        [
            "Account: Who > Look up,Who false",
            "UserMail: Look up > Set,Shown false",
            "Done: Look up >  true",
            "Mistake:  > Set false",
            "Account: Who > Look up,Who false"
        ]
    );
}

#[test]
fn activities_know_whether_they_are_reached_and_what_they_call() {
    let found = messages(
        DOCUMENTS,
        "Activity(node) { seen(node, context.reachable(node)); },
        Provider(node) {
            const method = context.method(node);
            seen(node, method && `${method['method-id']} ${method.effect} ${method.parameters[0].name}`);
        },",
    );
    assert_eq!(found, ["true", "614 read Identity", "true", "null", "true", "true", "false"]);
}

#[test]
fn facts_that_were_not_asked_for_throw() {
    for name in ["reads", "writes", "reachable", "method"] {
        let problem =
            Service::workflow(APPROVALS).problem(&visitors(&format!("Event(node) {{ context.{name}(node); }},")));
        assert!(
            shown(&problem).ends_with(&format!(
                "`context.{name}` is not available without `meta.needs: [\"flow\"]` (add `needs: [\"flow\"]` to `meta`)"
            )),
            "{}",
            shown(&problem)
        );
        assert_eq!(problem.line, Some(5));
    }
    let rule = visitors("Activity(node) { context.readers(node); },").replacen(
        "create(",
        "meta: { needs: ['flow'] },\n  create(",
        1,
    );
    let problem = with_facts(DOCUMENTS, &rule).problem.unwrap();
    assert_eq!(problem.message, "`context.readers`: expected a declared variable, found an object");
}
