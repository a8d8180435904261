//! Single files are linted with the other documents of their service.

use crate::support::folder::Folder;
use crate::support::samples::{ERROR, FILLER, READER, UNRELATED};

const WORKFLOW: &str = "order.workflow.json";
const FORM: &str = "order.form.json";

fn service() -> Folder {
    Folder::with(&[(WORKFLOW, READER), (FORM, FILLER)])
}

#[test]
fn a_folder_reports_the_findings_of_all_its_files() {
    let all = ["order.form.json WF604 error", "order.workflow.json WF302 error", "order.workflow.json WF007 info"];
    assert_eq!(service().found(&["."]), all);
    assert_eq!(service().found(&[WORKFLOW, FORM]), all);
}

#[test]
fn named_workflow_is_linted_with_its_form_but_reported_alone() {
    let found = service().found(&[WORKFLOW]);
    assert_eq!(found, ["order.workflow.json WF302 error", "order.workflow.json WF007 info"]);
}

#[test]
fn named_form_reports_its_findings_and_those_it_causes_in_the_workflow() {
    assert_eq!(service().found(&[FORM]), ["order.form.json WF604 error", "order.workflow.json WF302 error"]);
}

#[test]
fn findings_that_the_named_file_does_not_cause_are_not_counted() {
    let output = service().run(&["--format", "json", FORM]).expect_code(1);
    let summary = output.json()["summary"].clone();
    assert_eq!((&summary["errors"], &summary["infos"]), (&2.into(), &0.into()));
}

#[test]
fn unrelated_file_beside_the_named_one_is_neither_reported_nor_counted() {
    let folder = service();
    folder.write("package.json", UNRELATED);
    folder.write("torn.json", "{");
    assert_eq!(folder.run(&["--format", "json", WORKFLOW]).json()["summary"]["skipped"], 0);
}

#[test]
fn broken_companion_of_the_named_file_is_not_reported() {
    let folder = service();
    folder.write("torn.json", "{ \"fields\": [");
    let found = folder.found(&[WORKFLOW]);
    assert!(!found.iter().any(|line| line.starts_with("torn.json")), "{found:?}");
}

#[test]
fn files_of_other_folders_are_not_companions() {
    let folder = Folder::with(&[("a/order.workflow.json", READER), ("b/order.form.json", FILLER)]);
    assert_eq!(folder.found(&["a/order.workflow.json"]), ["a/order.workflow.json WF007 info"]);
    let all = ["a/order.workflow.json WF007 info", "b/order.form.json WF604 error"];
    assert_eq!(folder.found(&["."]), all);
}

#[test]
fn ignored_and_hidden_files_are_not_companions() {
    let folder = service();
    folder.write(".gitignore", FORM);
    assert_eq!(folder.found(&[WORKFLOW]), ["order.workflow.json WF007 info"]);
    let folder = Folder::with(&[(WORKFLOW, READER), (".order.form.json", FILLER)]);
    assert_eq!(folder.found(&[WORKFLOW]), ["order.workflow.json WF007 info"]);
}

#[test]
fn document_named_by_two_services_belongs_to_the_first() {
    let config = "[[service]]\nname = 'a'\nworkflow = 'a.json'\nforms = ['forms/*']\n\
                  [[service]]\nname = 'b'\nworkflow = 'b.json'\nforms = ['forms/*']\n";
    let folder = Folder::with(&[("wflint.toml", config), ("a.json", READER), ("forms/f.json", FILLER)]);
    folder.write("b.json", READER);
    let found = folder.found(&["."]);
    assert_eq!(found, ["a.json WF302 error", "a.json WF007 info", "b.json WF007 info", "forms/f.json WF604 error"]);
    assert_eq!(folder.found(&["b.json"]), ["b.json WF007 info"]);
}

#[test]
fn service_may_span_several_folders() {
    let config = "[[service]]\nname = 'signing'\nworkflow = 'workflows/sign.json'\nforms = ['forms/sign-*.json']\n";
    let folder = Folder::with(&[
        ("wflint.toml", config),
        ("workflows/sign.json", READER),
        ("workflows/other.json", ERROR),
        ("forms/sign-order.json", FILLER),
        ("forms/other.json", ERROR),
    ]);
    let workflow = ["workflows/sign.json WF302 error", "workflows/sign.json WF007 info"];
    assert_eq!(folder.found(&["workflows/sign.json"]), workflow);
    assert_eq!(folder.found(&["workflows"]), [&["workflows/other.json WF101 error"][..], &workflow].concat());
    let form = ["forms/sign-order.json WF604 error", "workflows/sign.json WF302 error"];
    assert_eq!(folder.found(&["forms/sign-order.json"]), form);
}
