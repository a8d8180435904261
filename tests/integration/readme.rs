//! The README is correct: its examples print the output that it shows, and its configuration is
//! valid.

use std::path::Path;

use crate::support::run::run_cli;

const README: &str = include_str!("../../README.md");

/// The fences of a kind.
fn fences<'r>(kind: &str, text: &'r str) -> Vec<&'r str> {
    let start = format!("```{kind}\n");
    text.split(start.as_str()).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn readme_examples_print_the_output_shown() {
    let mut codes = Vec::new();
    for shown in fences("console", README) {
        let (command, output) = shown.split_once('\n').unwrap();
        // The others are lists of commands.
        let Some(arguments) = command.strip_prefix("$ wflint ").filter(|_| !output.starts_with('$')) else { continue };
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let ran = run_cli(&arguments, Path::new(env!("CARGO_MANIFEST_DIR")), b"");
        assert_eq!(ran.out(), output);
        codes.push(ran.code);
    }
    assert_eq!(codes, [1, 0, 0], "the linter finds something, and the scenario passes");
}

#[test]
fn readme_drawing_is_the_one_of_the_command() {
    let arguments = ["graph", "examples/approval/order.workflow.json"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let drawn = run_cli(&arguments, root, b"");
    assert_eq!(fences("mermaid", README), [drawn.out()]);
    let page = std::fs::read_to_string(root.join("docs/graph.md")).unwrap();
    assert_eq!(fences("mermaid", &page), [drawn.out()]);
}

#[test]
fn readme_scenario_is_the_one_of_the_examples() {
    let scenario = include_str!("../../examples/sign-upload/signed.scenario.yaml");
    assert!(fences("yaml", README).contains(&scenario));
}

#[test]
fn readme_configuration_is_valid() {
    let repository = tempfile::tempdir().unwrap();
    std::fs::create_dir(repository.path().join(".git")).unwrap();
    std::fs::write(repository.path().join("wflint.base.toml"), "").unwrap();
    let folder = repository.path().join("project");
    std::fs::create_dir(&folder).unwrap();
    std::fs::create_dir(folder.join("plugins")).unwrap();
    std::fs::write(folder.join("plugins/own.toml"), "plugin = 'own'\n").unwrap();
    std::fs::write(folder.join("wflint.toml"), fences("toml", README)[0]).unwrap();
    // What it suppresses is there: a suppression that matches nothing is reported.
    let silent_end = "{\"activities\": [{\"name\": \"If rejected\", \"type\": \"Terminate\"}], \"variables\": []}";
    std::fs::create_dir(folder.join("sign")).unwrap();
    std::fs::write(folder.join("sign/order.workflow.json"), silent_end).unwrap();
    // So is what it ignores (WF2), and the files of its service.
    let no_id = r#"{
      "activities": [{ "name": "Get", "type": "Provider", "method": "Get-ZPESignDocumentSignatureStatus" }],
      "variables": [{ "name": "Status", "id": 1, "isOutputParameter": true }]
    }"#;
    let [workflow, form] = [r#"{"activities": [], "variables": []}"#, r#"{"fields": [], "variables": []}"#];
    for (inside, file, text) in [
        ("legacy", "order.workflow.json", no_id),
        ("workflows", "sign.json", workflow),
        ("forms", "sign-order.json", form),
    ] {
        std::fs::create_dir(folder.join(inside)).unwrap();
        std::fs::write(folder.join(inside).join(file), text).unwrap();
    }
    let ran = run_cli(&["--fail-on", "warning", "."], &folder, b"");
    assert_eq!((ran.code, ran.err()), (0, ""), "{}", ran.out());
}
