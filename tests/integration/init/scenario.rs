//! The scenario: it passes, or its comments say what to fill in.

use crate::support::folder::{Folder, copy_of};
use crate::support::tree::{Layout, Tree};
use crate::support::{cases, strategies};
use proptest::prelude::*;

/// Makes a scenario for a workflow, and runs it: it passes, or says what to fill in.
fn try_scenario(folder: &Folder, workflow: &str) -> (String, bool) {
    let output = folder.run(&["init", "--scenario", workflow]).expect_code(0);
    let scenario = output.out().strip_prefix("Created ").unwrap().trim_end().to_owned();
    let text = folder.read(&scenario);
    let run = folder.run(&["simulate", "--format", "json", &scenario]);
    let passes = run.code == 0;
    assert_eq!(output.err().is_empty(), !text.contains("# To fill in"), "{text}\n{}", output.err());
    assert!(passes || text.contains("# To fill in"), "{text}\n{}{}", run.out(), run.err());
    if passes {
        assert_eq!(run.json()["summary"]["passed"], 1);
    }
    (text, passes)
}

fn workflows(folder: &Folder) -> Vec<String> {
    let listed = folder.run(&["--show-files", "--format", "json"]).json();
    let files = listed["files"].as_array().unwrap().iter().filter(|file| file["kind"] == "workflow");
    files.map(|file| file["file"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn examples_pass() {
    let folder = copy_of("examples");
    let mut tried = 0;
    for workflow in workflows(&folder).iter().filter(|name| !name.starts_with("broken")) {
        let (text, passes) = try_scenario(&folder, workflow);
        assert!(passes, "{workflow}: {text}");
        tried += 1;
    }
    assert!(tried >= 5);
}

#[test]
fn people_answer_before_the_timeout() {
    for timeout in [86_400, 120, 1, 0] {
        let workflow = format!(
            r#"{{ "activities": [{{
                "name": "Ask", "type": "Approval", "timeout": {{ "isBound": false, "value": {timeout} }},
                "approvalType": "parallel", "required": "one", "onTimeout": "reject",
                "assignees": [{{ "type": "Parameter", "parameter": {{ "isBound": false, "value": "anna@example.com" }} }}]
            }}], "variables": [] }}"#
        );
        let folder = Folder::with(&[("order.workflow.json", workflow.as_str())]);
        let (text, passes) = try_scenario(&folder, "order.workflow.json");
        assert!(passes && text.contains("anna@example.com: { after: 1s, action: approve }"), "{text}");
    }
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn corpora_pass_or_say_what_to_fill_in() {
    let folder = copy_of("tests/corpus/ok");
    let workflows_of = workflows(&folder);
    assert!(workflows_of.len() > 20);
    for workflow in workflows_of {
        let (text, passes) = try_scenario(&folder, &workflow);
        assert!(passes, "{workflow}: {text}");
    }
    let folder = copy_of("tests/corpus/broken");
    for workflow in workflows(&folder) {
        // Some hold files that are no documents, or that have duplicate keys.
        let is_document = folder.run(&["graph", &workflow]).code == 0;
        if is_document && folder.run(&["fmt", "--check", &workflow]).code < 2 {
            try_scenario(&folder, &workflow);
        }
    }
}

#[test]
fn order_is_approved_and_signed_by_one_person_each() {
    let folder = copy_of("examples/approval");
    let (text, _) = try_scenario(&folder, "order.workflow.json");
    assert_eq!(text.matches("action: approve }").count(), 1, "{text}");
    let folder = copy_of("examples/sign-directory");
    let (text, _) = try_scenario(&folder, "order.workflow.json");
    assert_eq!(text.matches("action: sign }").count(), 2, "both parties: {text}");
}

#[test]
fn unknown_methods_get_results_that_end_loops() {
    let folder = Folder::with(&[(
        "a.workflow.json",
        r#"{
      "activities": [
        { "type": "Provider", "name": "Start", "method": "Start-Job", "providerParameters": [
            { "name": "Prefix", "value": { "state": "static", "value": "Job" } } ] },
        { "type": "While", "name": "Until done", "iterationDelaySeconds": { "isBound": false, "value": 60 },
          "expression": { "type": "EqualityExpression", "operand": "notEqual",
            "left": { "isBound": true, "boundTo": "JobState" }, "right": { "isBound": false, "value": "Done" } },
          "activities": [
            { "type": "Provider", "name": "Look", "method": "Get-Job", "providerParameters": [
                { "name": "Id", "value": { "state": "bound", "boundTo": "JobId" } },
                { "name": "Prefix", "value": { "state": "static", "value": "Job" } } ] } ] },
        { "type": "Provider", "name": "Twice", "method": "Get-Job", "providerParameters": [
            { "name": "Prefix", "value": { "state": "static", "value": "Last" } } ] },
        { "type": "Status", "name": "Say", "status": { "isBound": true, "boundTo": "LastState" } } ],
      "variables": [
        { "name": "JobState", "id": 1, "variableType": "String" }, { "name": "JobId", "id": 2, "variableType": "String" },
        { "name": "LastState", "id": 3, "variableType": "String" } ] }"#,
    )]);
    let (text, passes) = try_scenario(&folder, "a.workflow.json");
    assert!(passes, "{text}");
    assert!(text.contains("        State: Done\n"), "{text}");
}

#[test]
fn order_that_never_ends_is_said_to() {
    let folder = Folder::with(&[(
        "a.workflow.json",
        r#"{ "activities": [
      { "type": "While", "name": "For ever", "iterationDelaySeconds": { "isBound": false, "value": 60 },
        "expression": { "type": "EqualityExpression", "operand": "notEqual",
          "left": { "isBound": true, "boundTo": "A" }, "right": { "isBound": false, "value": "b" } },
        "activities": [{ "type": "Assign", "name": "S", "result": { "isBound": true, "boundTo": "A" }, "body": "c" }] } ],
      "variables": [{ "name": "A", "id": 1, "variableType": "String" }] }"#,
    )]);
    let (text, passes) = try_scenario(&folder, "a.workflow.json");
    assert!(passes && text.contains("\n# endless: ") && text.contains("outcome: stuck"), "{text}");
}

#[test]
fn order_form_is_the_one_named_like_the_workflow() {
    let form =
        |name: &str| format!(r#"{{ "fields": [{{ "name": "{name}", "type": "InputText" }}], "variables": [] }}"#);
    let folder = Folder::with(&[
        ("b.workflow.json", r#"{ "activities": [], "variables": [] }"#),
        ("a.form.json", &form("A")),
        ("b.form.json", &form("B")),
    ]);
    let (text, _) = try_scenario(&folder, "b.workflow.json");
    assert!(text.contains("form: b.form.json\nsubmit:\n  B: Example\n"), "{text}");
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn any_workflow_and_form_get_a_scenario((workflow, form) in (strategies::workflow(), strategies::form())) {
        let folder = Folder::with(&[]);
        folder.write("a.workflow.json", workflow.write(Layout::PLAIN));
        folder.write("a.form.json", form.write(Layout::PLAIN));
        let _: (&Tree, &Tree) = (&workflow, &form);
        let output = folder.run(&["init", "--scenario", "a.workflow.json"]);
        prop_assert!(output.code == 0 || !folder.file("a.scenario.yaml").exists(), "{}", output.err());
        if output.code == 0 {
            let run = folder.run(&["simulate", "--quiet"]);
            let text = folder.read("a.scenario.yaml");
            let passes = run.code == 0 || text.contains("# To fill in");
            prop_assert!(passes, "{}\n{}{}", text, run.out(), run.err());
        }
    }
}

/// A lookup in the directory, and an approval by whom it found.
fn lookup(method: &str, parameters: &[(&str, &str)]) -> Folder {
    let parameters: Vec<_> = parameters
        .iter()
        .map(|(name, value)| serde_json::json!({ "name": name, "value": { "state": "static", "value": value } }))
        .collect();
    let workflow = serde_json::json!({
        "activities": [
            { "name": "Look up", "type": "Provider", "method": method, "stopOnError": true, "providerParameters": parameters },
            { "name": "Ask", "type": "Approval", "assignees": [
                { "type": "Parameter", "parameter": { "isBound": true, "boundTo": "WhoMail" } }] }
        ],
        "variables": [{ "name": "WhoMail", "id": 1, "variableType": "String" }],
    });
    let folder = Folder::with(&[]);
    folder.write("a.workflow.json", workflow.to_string());
    folder
}

#[test]
fn directory_has_what_is_looked_up() {
    for (method, parameters) in [
        (
            "Get-ZPADUser",
            vec![("Identity", "CN=Roe\\, Jane,OU=a;b,DC=corp"), ("Property", "Mail,distinguishedName,not valid")],
        ),
        ("Get-ZPADUser", vec![("Identity", "{00112233-4455-6677-8899-aabbccddeeff}"), ("Property", "Mail")]),
        ("Get-ZPADGroupMember", vec![("Identity", "Big, \"bosses\" + <co> #1 "), ("LDAPFilter", "(!(title=Trainee))")]),
        (
            "Get-ZPADManager",
            vec![("Identity", "eva"), ("Property", "Mail"), ("Depth", "3"), ("LDAPFilter", "(&(a=*)(b=c))")],
        ),
        ("Get-ZPADManager", vec![("Identity", "eva"), ("Property", "Mail"), ("Last", "true")]),
    ] {
        let parameters = [parameters, vec![("Prefix", "Who")]].concat();
        let (text, passes) = try_scenario(&lookup(method, &parameters), "a.workflow.json");
        assert!(passes && text.contains("action: approve }"), "{text}");
    }
    let impossible = [("Identity", "eva"), ("Property", "Mail"), ("LDAPFilter", "(&(a=1)(!(a=1)))"), ("Prefix", "Who")];
    let (text, passes) = try_scenario(&lookup("Get-ZPADUser", &impossible), "a.workflow.json");
    assert!(passes && text.contains("\n# failed: `Look up` fails\n") && text.contains("outcome: failed"), "{text}");
}
