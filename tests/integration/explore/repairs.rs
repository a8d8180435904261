//! What repairs of control flow promise, tried by exploring before and after: the order no longer stays open, every other end
//! is still there, no law that held is broken, and every scenario that passed passes.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use wflint::files::boundary::Boundary;
use wflint::fix;
use wflint::lint::{self, Choice, Linter, Options, Outcome};
use wflint::project::{self, Request};
use wflint::text::diagnostic::{Diagnostic, Fix};

use super::taken_away::without_one;
use crate::defects::broken_services;
use crate::support::fixing::{Texts, parsed, with_fix};
use crate::support::folder::{Folder, copy_of};

/// The rules whose repairs change what an order does.
const RULES: [&str; 5] = ["WF303", "WF401", "WF404", "WF407", "WF409"];

/// Of those, the rules that report an order which stays open.
const ENDLESS: [&str; 3] = ["WF404", "WF407", "WF409"];

/// A repair, and what it breaks.
struct Tried {
    code: &'static str,
    what: String,
    broken: Vec<String>,
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn repairs_of_services_with_one_defect_change_nothing_else() {
    let services = broken_services();
    let of_flow = services.iter().filter(|service| RULES.contains(&service.code.as_str()));
    let tried: Vec<Tried> =
        of_flow.flat_map(|service| tried(&service.heading, &service.texts, &Texts::new())).collect();
    check(&tried, &["WF401", "WF404", "WF407"]);
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn repairs_of_explored_services_change_nothing_else() {
    let folder = copy_of("tests/explore");
    // Without a delay, nobody acts in a loop, whatever it handles.
    let names = folder.names().into_iter().filter(|name| name != "signer-in-busy-loop");
    let tried: Vec<Tried> = names.flat_map(|name| tried(&name, &documents(&folder, &name), &Texts::new())).collect();
    check(&tried, &["WF404", "WF407"]);
}

#[test]
fn repairs_of_examples_without_an_activity_keep_their_scenarios() {
    let folder = copy_of("examples");
    let example = documents(&folder, "sign-upload");
    let scenarios = files(&folder, "sign-upload", ".scenario.yaml");
    let workflow: Value = serde_json::from_str(&example["order.workflow.json"]).unwrap();
    let changed = without_one(&workflow).into_iter().flat_map(|(what, changed)| {
        let mut texts = example.clone();
        texts.insert("order.workflow.json".to_owned(), serde_json::to_string_pretty(&changed).unwrap());
        tried(&what, &texts, &scenarios)
    });
    check(&changed.collect::<Vec<Tried>>(), &["WF404"]);
}

/// A loop that ends on the documented statuses, and a catalog with the status of expired cases: the order that stays open
/// when a case expires ends after the repair.
#[test]
fn repair_of_an_expired_case_changes_nothing_else() {
    let status = r#"{ "isBound": true, "boundTo": "ESignStatus" }"#;
    let workflow = format!(
        r#"{{
  "activities": [
    {{
      "name": "Request signature", "type": "Provider", "method": "Request-ZPESignDocumentSignature",
      "providerParameters": [
        {{ "name": "ZPMediaGuid", "value": {{ "state": "bound", "boundTo": "Contract" }} }},
        {{ "name": "DocumentName", "value": {{ "state": "static", "value": "Contract" }} }},
        {{ "name": "PartyName", "value": {{ "state": "static", "value": "Anna Berg" }} }},
        {{ "name": "PartyEmail", "value": {{ "state": "static", "value": "anna@example.com" }} }},
        {{ "name": "PartySSN", "value": {{ "state": "static", "value": "19900101-2385" }} }},
        {{ "name": "Prefix", "value": {{ "state": "static", "value": "ESign" }} }},
        {{ "name": "ExpireAfterDays", "value": {{ "state": "static", "value": 14 }} }}
      ]
    }},
    {{
      "name": "Wait", "type": "While",
      "expression": {{ "operand": "notEqual", "left": {status}, "right": {{ "isBound": false, "value": "Finished" }} }},
      "iterationDelaySeconds": {{ "isBound": false, "value": 300 }},
      "activities": [
        {{
          "name": "Look up the status", "type": "Provider", "method": "Get-ZPESignDocumentSignatureStatus",
          "providerParameters": [
            {{ "name": "Id", "value": {{ "state": "bound", "boundTo": "ESignId" }} }},
            {{ "name": "Prefix", "value": {{ "state": "static", "value": "ESign" }} }}
          ]
        }},
        {{
          "name": "If rejected", "type": "If",
          "expression": {{ "operand": "equal", "left": {status}, "right": {{ "isBound": false, "value": "Rejected" }} }},
          "activities": [
            {{ "name": "Tell why", "type": "Status", "statusTranslations": {{ "en-US": "Rejected" }} }},
            {{ "name": "End the order", "type": "Terminate" }}
          ]
        }}
      ]
    }}
  ],
  "variables": [
    {{ "name": "Contract", "id": 5001, "variableType": "File", "isInputParameter": true }},
    {{ "name": "ESignId", "id": 5002, "isOutputParameter": true }},
    {{ "name": "ESignStatus", "id": 5003, "isOutputParameter": true }}
  ]
}}"#
    );
    let catalog = "plugin = \"esign\"\n\n[[methods]]\nname = \"Get-ZPESignDocumentSignatureStatus\"\n\n\
                   [[methods.outputs]]\nname = \"Status\"\n\
                   statuses = [{ value = \"Expired\", terminal = true, documented = false }]\n";
    let config = [("wflint.toml", "catalogs = [\"esign.toml\"]\n"), ("esign.toml", catalog)];
    let beside = config.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let texts = Texts::from([("order.workflow.json".to_owned(), workflow)]);
    check(&tried("an expired case", &texts, &beside.into()), &["WF409"]);
}

/// A variable that only conditions read, unset on one path.
#[test]
fn repair_of_a_condition_on_an_unset_variable_changes_nothing_else() {
    let compares = |variable: &str, value: &str| {
        format!(
            r#"{{ "operand": "equal", "left": {{ "isBound": true, "boundTo": "{variable}" }},
            "right": {{ "isBound": false, "value": "{value}" }} }}"#
        )
    };
    let workflow = format!(
        r#"{{
  "activities": [
    {{
      "name": "If urgent", "type": "If", "expression": {},
      "activities": [
        {{ "name": "Note it", "type": "Assign", "result": {{ "isBound": true, "boundTo": "Priority" }}, "body": "first" }}
      ]
    }},
    {{
      "name": "If first", "type": "If", "expression": {},
      "activities": [
        {{ "name": "Say so", "type": "Status", "statusTranslations": {{ "en-US": "This is urgent" }} }},
        {{ "name": "End it", "type": "Terminate" }}
      ]
    }},
    {{ "name": "Say the end", "type": "Status", "statusTranslations": {{ "en-US": "Done" }} }}
  ],
  "variables": [
    {{ "name": "Urgency", "id": 5001, "variableType": "String" }},
    {{ "name": "Priority", "id": 5002, "variableType": "String" }}
  ]
}}"#,
        compares("Urgency", "high"),
        compares("Priority", "first")
    );
    let form = r#"{
  "fields": [
    { "name": "Urgency", "type": "InputText", "required": true, "isBound": true, "boundTo": "Urgency", "boundToId": 5001 }
  ],
  "variables": [{ "name": "Urgency", "id": 5001, "variableType": "String" }]
}"#;
    let texts = [("order.workflow.json", workflow.as_str()), ("order.form.json", form)];
    let texts = texts.map(|(name, text)| (name.to_owned(), text.to_owned()));
    check(&tried("an unset variable", &texts.into(), &Texts::new()), &["WF303"]);
}

fn check(tried: &[Tried], expected: &[&str]) {
    let wrong: Vec<String> = tried
        .iter()
        .filter(|tried| !tried.broken.is_empty())
        .map(|tried| format!("{}\n  {}", tried.what, tried.broken.join("\n  ")))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let codes: BTreeSet<&str> = tried.iter().map(|tried| tried.code).collect();
    assert!(expected.iter().all(|code| codes.contains(code)), "only repairs of {codes:?} were tried");
}

fn documents(folder: &Folder, name: &str) -> Texts {
    files(folder, name, ".json").into_iter().filter(|(name, _)| !name.contains(".scenario.")).collect()
}

fn files(folder: &Folder, name: &str, ending: &str) -> Texts {
    let names = folder.names_in(name).into_iter().filter(|file| file.ends_with(ending));
    names.map(|file| (file.clone(), folder.read(format!("{name}/{file}")))).collect()
}

/// The findings of documents beside other files, such as a configuration, with the repairs that apply.
fn lint_beside(texts: &Texts, beside: &Texts) -> Outcome {
    let folder = Folder::with(&[]);
    texts.iter().chain(beside).for_each(|(name, text)| folder.write(name, text));
    let request = Request {
        current: folder.path().to_path_buf(),
        paths: texts.keys().map(Into::into).collect(),
        boundary: Boundary::below(vec![folder.path().to_path_buf()]),
        ..Request::default()
    };
    let options = Options { choices: vec![Choice::Select("ALL".to_owned())], ..Options::default() };
    lint::on_pool(Some(1), || {
        let project = project::find(&request).unwrap();
        fix::lint(&Linter::new(&project, &options).unwrap())
    })
    .unwrap()
}

/// Tries each repair of a service, beside whose documents are scenarios or a configuration.
fn tried(heading: &str, texts: &Texts, beside: &Texts) -> Vec<Tried> {
    let outcome = lint_beside(texts, beside);
    let of_flow = outcome.diagnostics.iter().filter(|finding| RULES.contains(&finding.code));
    let repairs = of_flow.flat_map(|finding| finding.repairs().map(move |repair| (finding, repair)));
    let mut tried = Vec::new();
    for (finding, repair) in repairs {
        let what = format!("{heading}: {} {}", finding.code, repair.title);
        let broken = broken((finding, repair), texts, &with_fix(texts, &outcome, repair), beside);
        tried.push(Tried { code: finding.code, what, broken });
    }
    tried
}

/// What a repair breaks.
fn broken((finding, repair): (&Diagnostic, &Fix), before: &Texts, after: &Texts, beside: &Texts) -> Vec<String> {
    let folder = Folder::with(&[]);
    for (service, texts) in [("before", before), ("after", after)] {
        let all = texts.iter().chain(beside);
        all.for_each(|(name, text)| folder.write(format!("{service}/{name}"), text));
        folder
            .write("people.ldif", std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/people.ldif")).unwrap());
    }
    let report = |service: &str| folder.run(&["explore", "--format", "json", service]).json();
    let (old, new) = (report("before"), report("after"));
    let mut broken = lost_ends(&old, &new);
    // What the fault had hidden may keep the order open as well.
    if ENDLESS.contains(&finding.code) && !repair.title.contains("; reveals") {
        broken.extend(still_endless(finding, &new));
    }
    broken.extend(broken_laws(&old, &new, &names(before), &names(after)));
    // JSON would list each call of orders that never end.
    let passing = |service: &str| -> BTreeSet<String> {
        let report = folder.run(&["simulate", "--format", "junit", service]);
        let cases = report.out().split("<testcase ").skip(1).filter(|case| !case.contains("<failure"));
        cases.map(|case| case.split('"').nth(1).unwrap().to_owned()).collect()
    };
    // The runs that exploring found, as scenarios: all but those that the repair is about.
    let is_other = |end: &&Value| !["endless", "waits"].iter().any(|it| end["outcome"] == *it) && !is_rejected(end);
    for (number, end) in ends(&old).iter().filter(is_other).enumerate() {
        let mut scenario = end["scenario"].clone();
        scenario["name"] = json!(format!("run {number}"));
        for service in ["before", "after"] {
            folder.write(format!("{service}/{number}.scenario.json"), scenario.to_string());
        }
    }
    if !ends(&old).is_empty() {
        let (old, new) = (passing("before"), passing("after"));
        assert!(!old.is_empty(), "{}: no run passes", repair.title);
        broken.extend(old.difference(&new).map(|name| format!("scenario {name} no longer passes")));
    }
    broken
}

/// Whether somebody rejects in the run to an end.
fn is_rejected(end: &Value) -> bool {
    list(&end["choices"]).iter().any(|choice| choice["choice"] == "reject")
}

fn ends(report: &Value) -> &[Value] {
    report["services"].get(0).map_or(&[], |service| list(&service["ends"]))
}

fn key(end: &Value) -> String {
    json!([end["outcome"], end["activity"], end["status"]]).to_string()
}

/// The ends that are no longer there.
fn lost_ends(old: &Value, new: &Value) -> Vec<String> {
    let new_keys: BTreeSet<String> = ends(new).iter().map(key).collect();
    let is_kept = |end: &&Value| end["outcome"] != "endless" && !is_rejected(end);
    let lost = ends(old).iter().filter(is_kept).map(key).filter(|key| !new_keys.contains(key));
    lost.map(|key| format!("lost: {key}")).collect()
}

/// The ends in which the loop of a finding still never ends.
fn still_endless(finding: &Diagnostic, new: &Value) -> Vec<String> {
    let is_it = |end: &&Value| end["outcome"] == "endless" && end["activity"].as_str() == finding.activity.as_deref();
    // An expired case is an assumption.
    let is_left = |end: &&Value| is_it(end) && (finding.code == "WF409" || end["assumed"] == false);
    ends(new).iter().filter(is_left).map(|end| format!("still endless: {}", key(end))).collect()
}

/// The laws that held and are broken. `reached` holds for the activities that were there, by their names.
fn broken_laws(
    old: &Value,
    new: &Value,
    old_names: &[(String, String)],
    new_names: &[(String, String)],
) -> Vec<String> {
    let holds =
        |report: &Value, law: &str| list(&report["laws"]).iter().any(|it| it["name"] == law && it["holds"] == true);
    let laws = ["ends", "no-fault"].into_iter().filter(|law| holds(old, law) && !holds(new, law));
    let mut wrong: Vec<String> = laws.map(|law| format!("broken: {law}")).collect();
    let unreached = |report: &Value, names: &[(String, String)]| -> BTreeSet<String> {
        let service = report["services"].get(0).cloned().unwrap_or_default();
        let places = list(&service["reached"]["unreached"]).to_vec();
        names
            .iter()
            .filter(|(pointer, _)| places.iter().any(|it| it == pointer))
            .map(|(_, name)| name.clone())
            .collect()
    };
    let known: BTreeSet<&String> = old_names.iter().map(|(_, name)| name).collect();
    let (old, new) = (unreached(old, old_names), unreached(new, new_names));
    let lost = new.iter().filter(|name| known.contains(name) && !old.contains(*name));
    wrong.extend(lost.map(|name| format!("no longer reached: {name}")));
    wrong
}

/// The activities of a workflow: pointer and name.
fn names(texts: &Texts) -> Vec<(String, String)> {
    fn add(list: &Value, pointer: &str, names: &mut Vec<(String, String)>) {
        for (index, activity) in list.as_array().into_iter().flatten().enumerate() {
            let own = format!("{pointer}/{index}");
            names.push((own.clone(), activity["name"].to_string()));
            add(&activity["activities"], &format!("{own}/activities"), names);
        }
    }
    let mut names = Vec::new();
    for text in texts.values() {
        let document = parsed(text).unwrap_or_default();
        add(&document["activities"], "/activities", &mut names);
    }
    names
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}
