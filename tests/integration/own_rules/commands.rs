//! `wflint rules`, `wflint explain` and their options for own rules.

use super::findings::{CONFIG, RULE, WORKFLOW, folder};
use crate::support::folder::Folder;
use crate::support::run::run_cli;

const PAGE: &str = r#"# ORG101-no-todo

Reports an unfinished activity.

## Why

Users see it.

## Examples

### Fine: another name

```json
{ "name": "Say", "type": "Status", "status": { "isBound": false, "value": "One" } }
```

```findings
```

### Unfinished

```json
{ "name": "TODO", "type": "Status", "status": { "isBound": false, "value": "One" } }
```

```findings
ORG101 /activities/0/name
```
"#;

fn with_page(page: &str) -> Folder {
    let folder = folder("", RULE);
    folder.write("rules/ORG101-no-todo.md", page);
    folder
}

#[test]
fn rules_are_listed_with_their_group_and_severity() {
    let folder = folder("", &RULE.replace("meta: {", "meta: { severity: 'error',"));
    let listed = folder.run(&["rules"]).expect_code(0).out().to_owned();
    let line = listed.lines().last().unwrap();
    assert_eq!(line.split_whitespace().collect::<Vec<_>>(), ["ORG101", "no-todo", "ORG", "recommended", "error"]);
    let listed = folder.run(&["rules", "--format", "json"]).json();
    let own = listed.as_array().unwrap().last().unwrap();
    assert_eq!((own["code"].as_str(), own["group"].as_str()), (Some("ORG101"), Some("ORG")));
    assert!(Folder::with(&[]).run(&["rules"]).expect_code(0).out().lines().all(|line| line.starts_with([' ', 'W'])));
}

#[test]
fn pages_are_explained() {
    let folder = folder("", RULE);
    folder.write("rules/ORG120-explained.js", RULE);
    // A process knows one page of a code and name, and other tests have pages of ORG101.
    let written = PAGE.replace("ORG101-no-todo", "ORG120-explained").replace("ORG101", "ORG120");
    folder.write("rules/ORG120-explained.md", &written);
    for word in ["ORG120", "explained", "org120"] {
        let shown = folder.run(&["explain", word]).expect_code(0).out().to_owned();
        assert!(shown.starts_with("ORG120 explained\n") && shown.contains("Group:     ORG"), "{shown}");
        assert!(shown.contains("Reports an unfinished activity."), "{shown}");
    }
    assert_eq!(folder.run(&["explain", "ORG120", "--format", "markdown", "--all"]).expect_code(0).out(), written);
    let shown = folder.run(&["explain", "ORG102"]).expect_code(2).err().to_owned();
    assert!(shown.contains("did you mean `ORG101`?"), "{shown}");
    folder.write("rules/ORG130-without.js", RULE);
    let without = folder.run(&["explain", "ORG130"]).expect_code(0).out().to_owned();
    assert!(without.contains("This rule has no page."), "{without}");
}

#[test]
fn examples_of_pages_are_tests() {
    let folder = with_page(PAGE);
    assert_eq!(folder.run(&["rules", "--test"]).expect_code(0).out(), "2 examples of 1 rule pass.\n");
    folder.run(&["rules", "--test", "ORG101"]).expect_code(0);
    folder.run(&["rules", "--test", "no-todo,ORG"]).expect_code(0);
    let shown = folder.run(&["rules", "--test", "ORG109"]).expect_code(2).err().to_owned();
    assert!(shown.contains("unknown rule of your own `ORG109`; did you mean `ORG101`?"), "{shown}");
}

#[test]
fn differences_fail() {
    for (from, to, wanted) in [
        ("ORG101 /activities/0/name", "ORG101 /activities/0", "not found: ORG101 /activities/0\n"),
        (
            "ORG101 /activities/0/name",
            "ORG101 /activities/0",
            "not expected: ORG101 order.workflow.json /activities/0/name",
        ),
        ("ORG101 /activities/0/name", "ORG101 error /activities/0/name", "not found: ORG101 error"),
        ("ORG101 /activities/0/name", "", "no example of the page is reported by ORG101"),
        ("\"name\": \"Say\"", "\"name\": \"TODO\"", "example `Fine: another name`: not expected: ORG101"),
        (
            "```findings\n```",
            "```findings\nORG101 /activities/0/name\n```",
            "no example of the page is fine for ORG101",
        ),
        ("```json\n{ \"name\": \"Say\"", "```yaml\n{ \"name\": \"Say\"", "unknown fence `yaml`"),
        ("## Examples", "## More", "no example of the page is reported by ORG101"),
    ] {
        assert!(PAGE.contains(from), "{from}");
        let output = with_page(&PAGE.replace(from, to)).run(&["rules", "--test"]).expect_code(1);
        assert!(output.out().contains(wanted), "{wanted}\n{output:#?}");
        assert!(output.out().contains("rules/ORG101-no-todo.md:"), "{output:#?}");
    }
}

#[test]
fn failures_are_shown_once_at_their_place() {
    let folder = with_page(PAGE);
    folder.write("rules/ORG101-no-todo.js", "export default {\n  create( {\n};");
    let output = folder.run(&["rules", "--test"]).expect_code(1);
    let shown = output.out();
    assert_eq!(shown.matches("rules/ORG101-no-todo.js:3:2: cannot load rule ORG101").count(), 1, "{shown}");
    assert!(shown.contains("2 differences in 2 examples of 1 rule."), "the finding is missing, too: {shown}");
}

#[test]
fn rules_without_a_page_are_warned_about() {
    let folder = with_page(PAGE);
    folder.write("rules/ORG102-also.js", RULE);
    let output = folder.run(&["rules", "--test"]).expect_code(0);
    assert!(output.err().contains("warning: ORG102 has no page; write rules/ORG102-also.md"), "{output:#?}");
    let none = Folder::with(&[]).run(&["rules", "--test"]).expect_code(2);
    assert!(none.err().contains("no rules of your own"), "{none:#?}");
}

#[test]
fn fixed_files_are_compared() {
    let rule = RULE.replace("message:", "fix: { title: 'rename it', set: { name: 'Done' } }, message:");
    let fixed = |name: &str| {
        let page = format!(
            "{PAGE}\n```json fixed\n{{ \"name\": \"{name}\", \"type\": \"Status\", \"status\": {{ \"isBound\": false, \"value\": \"One\" }} }}\n```\n"
        );
        let folder = folder("", &rule);
        folder.write("rules/ORG101-no-todo.md", &page);
        folder.run(&["rules", "--test"])
    };
    fixed("Done").expect_code(0);
    let other = fixed("Finished").expect_code(1);
    assert!(other.out().contains("order.workflow.json becomes"), "{other:#?}");
    let without = with_page(&format!("{PAGE}\n```json fixed\n{{}}\n```\n")).run(&["rules", "--test"]).expect_code(1);
    assert!(without.out().contains("order.workflow.json"), "{without:#?}");
}

#[test]
fn new_rules_pass_their_test() {
    let folder = Folder::with(&[("wflint.toml", CONFIG), ("order.workflow.json", WORKFLOW)]);
    let output = folder.run(&["rules", "--new", "TEAM042-nice-names"]).expect_code(0);
    assert_eq!(output.out(), "Created rules/TEAM042-nice-names.js\nCreated rules/TEAM042-nice-names.md\n");
    assert_eq!(folder.run(&["rules", "--test"]).expect_code(0).out(), "2 examples of 1 rule pass.\n");
    assert_eq!(folder.found(&["--select", "TEAM"]), ["order.workflow.json TEAM042 warning"]);
    folder.write("rules/TEAM042-nice-names.js", "mine");
    for (stem, wanted) in [
        ("TEAM042-nice-names", "rules/TEAM042-nice-names.js exists; nothing was written"),
        ("WF042-nice-names", "invalid name of a rule `WF042-nice-names`"),
        ("TEAM043-unknown-variable", "rule WF101-unknown-variable exists"),
        ("nice-names", "invalid name of a rule"),
    ] {
        let shown = folder.run(&["rules", "--new", stem]).expect_code(2).err().to_owned();
        assert!(shown.contains(wanted), "{stem}: {shown}");
    }
    assert_eq!(folder.read("rules/TEAM042-nice-names.js"), "mine");
    let none = Folder::with(&[("wflint.toml", "")]).run(&["rules", "--new", "ORG101-a"]).expect_code(2);
    assert!(none.err().contains("missing key `rules` in wflint.toml"), "{none:#?}");
}

#[test]
fn new_rules_are_written_from_folders_below_their_configuration() {
    let folder = Folder::with(&[("wflint.toml", CONFIG), ("sign/order.workflow.json", WORKFLOW)]);
    let output = run_cli(&["rules", "--new", "ORG101-a"], &folder.file("sign"), b"").expect_code(0);
    assert_eq!(output.out(), "Created ../rules/ORG101-a.js\nCreated ../rules/ORG101-a.md\n");
}

#[test]
fn fixes_that_are_not_offered_are_explained() {
    let found = "ORG101 /activities/0/name\n```\n";
    let fixed = "\n```json fixed\n{ \"name\": \"Done\", \"type\": \"Status\", \"status\": { \"isBound\": false, \"value\": \"One\" } }\n```\n";
    let folder = with_page(&PAGE.replace(found, &format!("{found}{fixed}")));
    let rule = RULE.replace("message: `", "fix: { title: 't', set: { note: 1 } }, message: `");
    folder.write("rules/ORG101-no-todo.js", &rule);
    let output = folder.run(&["rules", "--test"]).expect_code(1);
    let wanted = "no fix of ORG101 /activities/0/name, it would not remove the finding";
    assert!(output.out().contains(wanted), "{output:#?}");
}

#[test]
fn declarations_are_printed() {
    let printed = Folder::with(&[]).run(&["rules", "--types"]).expect_code(0).out().to_owned();
    assert!(printed.contains("interface Rule") || printed.contains("type Rule"), "{printed}");
}
