//! The README is short, and correct: it shows what the tour prints, and the picture of its service.

use std::path::Path;

use crate::support::folder::Folder;
use crate::support::run::run_cli;

const README: &str = include_str!("../../README.md");

/// The fences of a kind.
fn fences<'r>(kind: &str, text: &'r str) -> Vec<&'r str> {
    let start = format!("```{kind}\n");
    text.split(start.as_str()).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

#[test]
fn readme_is_read_in_minutes() {
    assert!(README.split_whitespace().count() <= 900);
    assert_eq!(README.matches("OWNER/wflint").count(), 1, "named in one place");
}

#[test]
fn readme_shows_what_the_tour_prints() {
    let (command, shown) = fences("console", README)[0].split_once('\n').unwrap();
    assert_eq!(command, "$ cargo run -- tour");
    let output = Folder::with(&[]).run(&["tour"]).expect_code(0);
    let mut rest = output.out();
    for part in shown.split("…\n") {
        let (_, after) = rest.split_once(part).unwrap_or_else(|| panic!("the tour does not print\n{part}"));
        rest = after;
    }
}

/// `INSTA_UPDATE=always` writes it.
#[test]
fn readme_picture_is_the_drawing_of_the_tour() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Folder::with(&[("order.workflow.json", include_str!("../../src/cli/tour/order.workflow.json"))]);
    folder.write("order.form.json", include_str!("../../src/cli/tour/order.form.json"));
    let drawn = folder.run(&["graph", "order.workflow.json", "--format", "svg"]).expect_code(0);
    assert!(drawn.out().contains("WF404") && drawn.out().contains("WF101"), "{}", drawn.out());
    let picture = root.join("docs/pictures/tour.svg");
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        std::fs::write(&picture, drawn.out()).unwrap();
    }
    assert_eq!(std::fs::read_to_string(picture).unwrap(), drawn.out(), "INSTA_UPDATE=always writes the picture");
    assert!(README.contains("](docs/pictures/tour.svg)"));
}

#[test]
fn readme_sample_is_a_workflow() {
    let sample = fences("json", README)[0];
    assert_eq!(sample.lines().count(), 5);
    let folder = Folder::with(&[("order.workflow.json", sample)]);
    assert!(folder.run(&["--show-files"]).expect_code(0).out().contains("order.workflow.json: workflow"));
}

#[test]
fn drawing_of_the_guide_is_the_one_of_the_command() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let drawn = run_cli(&["graph", "examples/approval/order.workflow.json"], root, b"");
    let page = std::fs::read_to_string(root.join("docs/graph.md")).unwrap();
    assert_eq!(fences("mermaid", &page), [drawn.out()]);
    let said = run_cli(&["graph", "examples/approval/order.workflow.json", "--format", "text"], root, b"");
    assert_eq!(fences("text", &page), [said.out()]);
}

/// The file at the end of docs/configuration-runs.md, in a folder that has what it names.
#[test]
fn configuration_with_every_key_is_valid() {
    let repository = tempfile::tempdir().unwrap();
    std::fs::create_dir(repository.path().join(".git")).unwrap();
    std::fs::write(repository.path().join("wflint.base.toml"), "").unwrap();
    let folder = repository.path().join("project");
    std::fs::create_dir(&folder).unwrap();
    std::fs::create_dir(folder.join("plugins")).unwrap();
    std::fs::write(folder.join("plugins/own.toml"), "plugin = 'own'\n").unwrap();
    let page = include_str!("../../docs/configuration-runs.md");
    let (_, sample) = page.split_once("## A whole file\n").unwrap();
    std::fs::write(folder.join("wflint.toml"), fences("toml", sample)[0]).unwrap();
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
