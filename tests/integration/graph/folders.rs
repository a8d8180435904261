//! `wflint graph FOLDER`.

use std::path::Path;

use crate::support::folder::Folder;

const ONE: &str = r#"{ "activities": [{ "name": "One", "type": "Terminate" }], "variables": [] }"#;
const TWO: &str = r#"{ "activities": [{ "name": "Two", "type": "Terminate" }], "variables": [] }"#;
const FORM: &str = r#"{ "fields": [{ "name": "A", "type": "InputText" }], "variables": [] }"#;

fn services() -> Folder {
    Folder::with(&[
        ("b/order.workflow.json", TWO),
        ("a/order.workflow.json", ONE),
        ("a/order.form.json", FORM),
        ("package.json", "{}"),
    ])
}

#[test]
fn drawings_follow_each_other_in_the_order_of_their_names() {
    let folder = services();
    for (format, start) in [("mermaid", "flowchart TB\n"), ("dot", "digraph workflow {\n")] {
        let drawn = folder.run(&["graph", ".", "--format", format]).expect_code(0);
        assert_eq!(drawn.out().matches(start).count(), 2, "{}", drawn.out());
        assert!(drawn.out().find("One") < drawn.out().find("Two"), "{}", drawn.out());
    }
    let said = folder.run(&["graph", ".", "--format", "text"]).expect_code(0);
    assert!(said.out().starts_with("a/order.workflow.json\n") && said.out().contains("\nb/order.workflow.json\n"));
    let drawn = folder.run(&["graph", "a"]).expect_code(0);
    assert_eq!(drawn.out(), folder.run(&["graph", "a/order.workflow.json"]).expect_code(0).out());
}

#[test]
fn each_is_written_below_the_folder_of_output() {
    let folder = services();
    for (format, extension) in [("mermaid", "mmd"), ("dot", "dot"), ("svg", "svg")] {
        folder.run(&["graph", ".", "--format", format, "--output", "drawn/now"]).expect_code(0);
        for service in ["a", "b"] {
            let drawn = folder.read(format!("drawn/now/{service}/order.workflow.{extension}"));
            assert!(drawn.contains(if service == "a" { "One" } else { "Two" }));
        }
    }
    let refused = folder.run(&["graph", ".", "--format", "svg"]).expect_code(2);
    assert!(refused.err().contains("add `--output DIR`"), "{}", refused.err());
    folder.run(&["graph", "a", "--format", "svg"]).expect_code(0);
    let refused = folder.run(&["graph", ".", "--output", "package.json"]).expect_code(2);
    assert!(refused.err().contains("not a folder"), "{}", refused.err());
}

#[test]
fn what_cannot_be_drawn_is_an_error_and_the_others_are_drawn() {
    let folder = services();
    folder.write("c/order.workflow.json", r#"{ "activities": ["#);
    let drawn = folder.run(&["graph", "."]).expect_code(2);
    assert_eq!(drawn.out().matches("flowchart TB").count(), 2);
    assert!(drawn.err().contains("cannot draw c/order.workflow.json: invalid JSON"), "{}", drawn.err());
    folder.write("forms/a.form.json", FORM);
    assert!(folder.run(&["graph", "forms"]).expect_code(2).err().contains("no workflow found"));
    assert!(!folder.path().join(Path::new("drawn")).exists());
}
