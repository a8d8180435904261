//! Which visitors are called, and in which order.

use super::{APPROVALS, Service, meta_of, rules, sandbox, visitors};
use wflint::config::{ActivityShape, DeclaredActivity, DeclaredWrites, Types};

/// Visitors of these names, each of which reports its name and that of its node.
fn naming(names: &[&str]) -> String {
    let visitor = |name: &&str| {
        let node =
            if name.starts_with("Service") { "node.workflows[0] ?? node.forms[0] ?? node.cases[0]" } else { "node" };
        format!("\"{name}\": (node) => seen({node}, \"{name} \" + (node.name ?? node.Name ?? node.boundTo ?? \"\")),")
    };
    visitors(&names.iter().map(visitor).collect::<Vec<_>>().join("\n"))
}

#[test]
fn activity_comes_before_its_type_and_leaves_after_it() {
    let names = ["Activity", "Approval", "Approval:exit", "Activity:exit", "Event", "Sequence:exit"];
    assert_eq!(
        Service::workflow(APPROVALS).messages(&naming(&names)),
        [
            "Activity First", "Approval First", "Activity Approved", "Event Approved", "Activity:exit Approved",
            "Approval:exit First", "Activity:exit First", "Activity Both", "Activity Second", "Approval Second",
            "Approval:exit Second", "Activity:exit Second", "Sequence:exit Both", "Activity:exit Both"
        ]
    );
}

#[test]
fn types_are_found_however_they_are_written() {
    let service = |name: &str| {
        Service::workflow(&format!(r#"{{ "activities": [{{ "name": "One", "type": "{name}" }}], "variables": [] }}"#))
    };
    let rule = naming(&["Approval"]);
    assert_eq!(service("Approval").messages(&rule), ["Approval One"]);
    assert_eq!(service(r"\u0041pprov\u0061l").messages(&rule), ["Approval One"]);
    assert!(service("approval").messages(&rule).is_empty());
}

#[test]
fn workflows_come_before_forms_before_cases_by_path() {
    let service = Service::of(&[
        ("b.case.json", r#"{ "Name": "Case", "parties": [{ "Name": "Anna" }, 5] }"#),
        ("b.form.json", r#"{ "name": "b", "fields": [{ "name": "Text", "type": "InputText", "boundTo": "Mail" }] }"#),
        (
            "a.form.json",
            r#"{ "name": "a", "fields": [
            { "name": "Box", "type": "FormSection", "fieldsViewModel": { "fields": [{ "name": "In", "type": "DropDown" }] } }
        ], "variables": [{ "name": "Mail" }, null] }"#,
        ),
        ("z.workflow.json", r#"{ "name": "z", "activities": [] }"#),
    ]);
    let names = [
        "Service", "Workflow", "Form", "Form:exit", "Field", "InputText", "FormSection:exit", "DropDown", "Variable",
        "SigningCase", "Party", "Service:exit",
    ];
    assert_eq!(
        service.messages(&naming(&names)),
        [
            "Service order", "Workflow z", "Form a", "Field Box", "Field In", "DropDown In", "FormSection:exit Box",
            "Variable Mail", "Form:exit a", "Form b", "Field Text", "InputText Text", "Form:exit b",
            "SigningCase Case", "Party Anna", "Service:exit order"
        ]
    );
}

#[test]
fn parameters_and_bindings_are_visited_without_the_copies() {
    let service = Service::workflow(
        r#"{ "activities": [
            { "name": "Call", "type": "Provider", "method": "Get-X",
              "providerParameters": [{ "name": "One", "value": { "state": "bound", "boundTo": "A" } }, 7],
              "additionalProviderParameters": [{ "name": "Two", "value": { "state": "static", "value": 2 } }],
              "allProviderParameters": [{ "name": "One", "value": { "state": "bound", "boundTo": "A" } }],
              "providerResult": { "isBound": true, "boundTo": "Done" } },
            { "name": "Script", "type": "Code", "parameters": [{ "name": "In", "value": { "state": "bound", "boundTo": "B" } }] },
            { "name": "Ask", "type": "If", "expression": {
              "left": { "isBound": true, "boundTo": "L" }, "right": { "isBound": true, "boundTo": "R" } } },
            { "name": "Set", "type": "Assign", "result": { "isBound": true, "boundTo": "T" } },
            "no activity"
        ] }"#,
    );
    assert_eq!(
        service.messages(&naming(&["Parameter", "Binding"])),
        [
            "Parameter One", "Binding A", "Parameter Two", "Binding ", "Binding Done", "Parameter In", "Binding B",
            "Binding L", "Binding R", "Binding T"
        ]
    );
}

#[test]
fn declared_types_have_visitors() {
    let declared = || DeclaredActivity { shape: ActivityShape::Leaf, writes: DeclaredWrites::Any, delay: None };
    let types = Types {
        activities: [("SendMail".to_owned(), declared())].into(),
        fields: ["CheckBox".to_owned()].into_iter().collect(),
    };
    let service = Service::of(&[
        (
            "a.workflow.json",
            r#"{ "activities": [{ "name": "Mail", "type": "SendMail" }, { "name": "Other", "type": "Unknown" }] }"#,
        ),
        ("b.form.json", r#"{ "fields": [{ "name": "Check", "type": "CheckBox" }] }"#),
    ]);
    let files = rules(&[&naming(&["Activity", "SendMail", "CheckBox:exit"])]);
    let run = service.run_with(&mut sandbox(), &files, vec![meta_of(serde_json::Map::new())], &types).remove(0);
    let messages: Vec<&str> = run.reports.iter().map(|report| report.message.as_str()).collect();
    assert_eq!(messages, ["Activity Mail", "SendMail Mail", "Activity Other", "CheckBox:exit Check"]);
    let undeclared = service.problem(&naming(&["SendMail"]));
    assert_eq!(undeclared.message, "unknown visitor `SendMail`");
}

#[test]
fn nodes_are_the_objects_of_the_document() {
    let service = Service::workflow(APPROVALS);
    let rule = visitors(
        "Workflow(workflow) {
            const [first, both] = workflow.activities;
            seen(first, Object.keys(first));
            seen(first, first.timeout.value === 600 && first.nothing === undefined && first.activities.length === 1);
            seen(first, [workflow, workflow.activities, first, first.timeout, first.activities].every(Object.isFrozen));
            seen(both, JSON.stringify(both));
            seen(both, both.activities[0] === workflow.activities[1].activities[0]);
        },
        Event(event) { seen(event, context.parent(event) === context.ancestors(event)[1].activities[0]); },",
    );
    assert_eq!(
        service.messages(&rule),
        [
            "name,type,timeout,activities",
            "true",
            "true",
            r#"{"name":"Both","type":"Sequence","activities":[{"name":"Second","type":"Approval","timeout":{"isBound":false,"value":0}}]}"#,
            "true",
            "true"
        ]
    );
}
