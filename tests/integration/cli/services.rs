//! Single files are linted with the other documents of their service.

use crate::support::folder::Folder;
use crate::support::run::run_cli;
use crate::support::samples::{BROKEN, ERROR, FILLER, FINE, READER, UNRELATED};

const WORKFLOW: &str = "order.workflow.json";
const FORM: &str = "order.form.json";

fn service() -> Folder {
    Folder::with(&[(WORKFLOW, READER), (FORM, FILLER)])
}

#[test]
fn a_folder_reports_the_findings_of_all_its_files() {
    let all = ["order.form.json WF604 error", "order.workflow.json WF302 error", "order.workflow.json WF007 info"];
    assert_eq!(service().found(&["--select", "ALL", "."]), all);
    assert_eq!(service().found(&["--select", "ALL", WORKFLOW, FORM]), all);
}

#[test]
fn named_workflow_is_linted_with_its_form_but_reported_alone() {
    let found = service().found(&["--select", "ALL", WORKFLOW]);
    assert_eq!(found, ["order.workflow.json WF302 error", "order.workflow.json WF007 info"]);
}

#[test]
fn named_form_reports_its_findings_and_those_it_causes_in_the_workflow() {
    assert_eq!(
        service().found(&["--select", "ALL", FORM]),
        ["order.form.json WF604 error", "order.workflow.json WF302 error"]
    );
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
    let found = folder.found(&["--select", "ALL", WORKFLOW]);
    assert!(!found.iter().any(|line| line.starts_with("torn.json")), "{found:?}");
}

#[test]
fn files_of_other_folders_are_not_companions() {
    let folder = Folder::with(&[("a/order.workflow.json", READER), ("b/order.form.json", FILLER)]);
    assert_eq!(folder.found(&["--select", "ALL", "a/order.workflow.json"]), ["a/order.workflow.json WF007 info"]);
    let all = ["a/order.workflow.json WF007 info", "b/order.form.json WF604 error"];
    assert_eq!(folder.found(&["--select", "ALL", "."]), all);
}

#[test]
fn ignored_and_hidden_files_are_not_companions() {
    let folder = service();
    folder.write(".gitignore", FORM);
    assert_eq!(folder.found(&["--select", "ALL", WORKFLOW]), ["order.workflow.json WF007 info"]);
    let folder = Folder::with(&[(WORKFLOW, READER), (".order.form.json", FILLER)]);
    assert_eq!(folder.found(&["--select", "ALL", WORKFLOW]), ["order.workflow.json WF007 info"]);
}

#[test]
fn document_named_by_two_services_belongs_to_the_first() {
    let config = "[[service]]\nname = 'a'\nworkflow = 'a.json'\nforms = ['forms/*']\n\
                  [[service]]\nname = 'b'\nworkflow = 'b.json'\nforms = ['forms/*']\n";
    let folder = Folder::with(&[("wflint.toml", config), ("a.json", READER), ("forms/f.json", FILLER)]);
    folder.write("b.json", READER);
    let found = folder.found(&["--select", "ALL", "."]);
    assert_eq!(found, ["a.json WF302 error", "a.json WF007 info", "b.json WF007 info", "forms/f.json WF604 error"]);
    assert_eq!(folder.found(&["--select", "ALL", "b.json"]), ["b.json WF007 info"]);
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
    assert_eq!(folder.found(&["--select", "ALL", "workflows/sign.json"]), workflow);
    assert_eq!(
        folder.found(&["--select", "ALL", "workflows"]),
        [&["workflows/other.json WF101 error"][..], &workflow].concat()
    );
    let form = ["forms/sign-order.json WF604 error", "workflows/sign.json WF302 error"];
    assert_eq!(folder.found(&["--select", "ALL", "forms/sign-order.json"]), form);
}

/// The messages of WF000 of a run.
fn config_problems(folder: &Folder, args: &[&str]) -> Vec<String> {
    let report = folder.run(&[&["--format", "json"], args].concat()).json();
    let findings = report["diagnostics"].as_array().unwrap().iter().filter(|finding| finding["code"] == "WF000");
    let text = |finding: &serde_json::Value| {
        let (file, line) = (finding["file"].as_str().unwrap(), &finding["range"]["start"]["line"]);
        format!("{file}:{line}: {}", finding["message"].as_str().unwrap())
    };
    findings.map(text).collect()
}

fn service_of(workflow: &str) -> String {
    format!("[[service]]\nname = 's'\nworkflow = '{workflow}'\n")
}

#[test]
fn workflow_that_its_service_does_not_find_is_reported() {
    for (workflow, reason) in [
        ("notes.txt", "not a `.json` file"),
        ("package.json", "not a workflow"),
        ("order.form.json", "not a workflow"),
        ("own/a.json", "another configuration applies to it"),
        ("../a.json", "outside of the folder of the configuration"),
    ] {
        let folder = Folder::with(&[
            ("a.json", FINE),
            ("sub/wflint.toml", &service_of(workflow)),
            ("sub/a.json", FINE),
            ("sub/notes.txt", "plain"),
            ("sub/package.json", UNRELATED),
            ("sub/order.form.json", FILLER),
            ("sub/own/wflint.toml", ""),
            ("sub/own/a.json", FINE),
        ]);
        let message = format!("sub/wflint.toml:3: unused workflow `{workflow}` of service `s`, {reason}");
        for args in [&["."][..], &["sub"]] {
            assert_eq!(config_problems(&folder, args), [message.as_str()], "{args:?}");
        }
        // Other runs do not look at it.
        for args in [&["sub/a.json"][..], &["a.json"], &["sub/own"]] {
            assert_eq!(config_problems(&folder, args), [""; 0], "{args:?}");
        }
    }
}

#[test]
fn workflow_of_a_service_may_be_skipped_named_or_broken() {
    for (config, text, args) in [
        ("", FINE, &["."][..]),
        ("exclude = ['w.json']\n", FINE, &["."]),
        ("", BROKEN, &["."]),
        ("", FINE, &["other"]),
        ("", FINE, &["--config", "wflint.toml", "other"]),
    ] {
        let config = config.to_owned() + &service_of("w.json");
        let folder = Folder::with(&[("wflint.toml", &config), ("w.json", text), ("other/a.json", FINE)]);
        assert_eq!(config_problems(&folder, args), [""; 0], "{config} {args:?}");
        folder.write(".gitignore", "w.json");
        assert_eq!(config_problems(&folder, args), [""; 0], "{config} {args:?}, ignored");
    }
    let config = service_of("order.wf") + "forms = ['*.form.json']\n";
    let folder = Folder::with(&[("wflint.toml", &config), ("order.wf", READER), ("order.form.json", FILLER)]);
    assert_eq!(
        folder.found(&["--select", "ALL", "order.wf", "."]).len(),
        3,
        "{:?}",
        folder.found(&["--select", "ALL", "order.wf", "."])
    );
    // A configuration for all files, in a folder of its own.
    let folder = Folder::with(&[("ci/wflint.toml", &service_of("../w.json")), ("w.json", FINE), ("ci/a.json", FINE)]);
    for args in [&["."][..], &["ci"]] {
        assert_eq!(config_problems(&folder, &[&["--config", "ci/wflint.toml"], args].concat()), [""; 0], "{args:?}");
    }
    // One that others extend has the workflows of their folders.
    let extends = "extend = '../base.toml'\n";
    let base = service_of("sub/w.json") + "[[service]]\nname = 't'\nworkflow = 'other/w.json'\n";
    let folder = Folder::with(&[("base.toml", &base), ("sub/wflint.toml", extends), ("other/wflint.toml", extends)]);
    folder.write("sub/w.json", FINE);
    folder.write("other/w.json", FINE);
    for args in [&["."][..], &["sub"], &["other"]] {
        assert_eq!(config_problems(&folder, args), [""; 0], "{args:?}");
    }
}

#[test]
fn workflow_of_a_service_is_within_the_boundary() {
    let folder = Folder::with(&[
        ("secret.json", FINE),
        ("work/.git/HEAD", ""),
        ("work/wflint.toml", &service_of("../secret.json")),
        ("work/a.json", FINE),
    ]);
    let run = |args: &[&str]| run_cli(args, &folder.file("work"), b"");
    let error = run(&[]).expect_code(2);
    let wanted = "wflint.toml:3:12: cannot read workflow `../secret.json` of service `s`: outside of the repository";
    assert!(error.err().contains(wanted), "{}", error.err());
    assert!(run(&["--allow-outside"]).out().contains("outside of the folder of the configuration"));
}
