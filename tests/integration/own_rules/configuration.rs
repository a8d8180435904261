//! `rules`, `[rule.CODE]` and `[settings]` of `wflint.toml`.

use super::findings::{RULE, WORKFLOW};
use crate::support::folder::Folder;

fn error(config: &str) -> String {
    let folder = Folder::with(&[
        ("wflint.toml", config),
        ("rules/ORG101-no-todo.js", RULE),
        ("rules/ORG102-notes.js", "export const x = 1;"),
        ("rules/helpers.js", "export default {};"),
        ("order.workflow.json", WORKFLOW),
    ]);
    folder.run::<&str>(&[]).expect_code(2).err().replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn patterns_match_a_rule() {
    for pattern in ["other/*.js", "rules/*.md", "rules/ORG102-*.js", "rules/helpers.js", "rules/ORG999-x.js"] {
        let shown = error(&format!("rules = [\"rules/*.js\", \"{pattern}\"]"));
        assert!(shown.contains("wflint.toml:1:"), "{shown}");
        assert!(shown.contains("no rule matches `") || shown.contains("no such file"), "{pattern}: {shown}");
    }
}

#[test]
fn unknown_rules_are_errors_with_a_suggestion() {
    let rules = "rules = [\"rules/*.js\"]\n";
    for (rest, wanted) in [
        ("[rule.ORG111]\ndays = 3", "unknown rule `ORG111` in `[rule]`; did you mean `ORG101`?"),
        ("select = [\"ORG102\"]", "unknown rule selector `ORG102`"),
        ("[severity]\nno-todos = \"error\"", "did you mean `no-todo`?"),
        ("rule = 3", "expected a table"),
    ] {
        let shown = error(&format!("{rules}{rest}"));
        assert!(shown.contains(wanted), "{rest}: {shown}");
    }
    let shown = error("[rule.ORG101]\nwords = []");
    assert!(shown.contains("unknown rule `ORG101` in `[rule]`"), "without `rules`: {shown}");
}

#[test]
fn options_are_those_of_the_rule() {
    for (option, wanted) in [
        ("wordz = []", "unknown option `wordz` of ORG101; did you mean `words`?"),
        ("words = 3", "invalid option `words` of ORG101: expected an array, found 3"),
    ] {
        let folder = Folder::with(&[
            ("wflint.toml", &format!("rules = [\"rules/*.js\"]\n[rule.ORG101]\n{option}\n")),
            ("rules/ORG101-no-todo.js", RULE),
            ("order.workflow.json", WORKFLOW),
        ]);
        let output = folder.run(&["--format", "concise"]).expect_code(2);
        assert!(output.out().contains(&format!("wflint.toml:3:1: WF000 error {wanted}")), "{output:#?}");
    }
}

#[test]
fn options_replace_defaults_and_extended_files_add_rules() {
    let files = [
        ("base/wflint.toml", "rules = [\"rules/*.js\"]\n[rule.ORG101]\nwords = [\"LATER\"]\n"),
        ("base/rules/ORG101-no-todo.js", RULE),
        ("team/wflint.toml", "extend = \"../base/wflint.toml\"\nrules = [\"own/*.js\"]\n"),
        ("team/own/ORG201-short-names.js", &RULE.replace("unfinished", "unready")),
        ("team/order.workflow.json", WORKFLOW),
    ];
    let folder = Folder::with(&files);
    let found = folder.found(&["team", "--select", "ORG"]);
    assert_eq!(found, ["team/order.workflow.json ORG201 warning", "team/order.workflow.json ORG101 warning"]);
    let messages = folder.run(&["team", "--select", "ORG", "--format", "concise"]).out().to_owned();
    assert!(
        messages.contains("unfinished activity `LATER`") && messages.contains("unready activity `TODO`"),
        "{messages}"
    );
    folder.write(
        "team/wflint.toml",
        "extend = \"../base/wflint.toml\"\nrules = [\"!rules/*.js\", \"own/*.js\"]\n[rule]\n",
    );
    let shown = folder.run(&["team"]).expect_code(2).err().to_owned();
    assert!(shown.contains("unknown rule `ORG101`"), "its options are inherited, but it is not: {shown}");
}

#[test]
fn rules_outside_of_the_repository_are_not_read() {
    let folder = Folder::with(&[
        ("outside/ORG101-no-todo.js", RULE),
        ("repository/.git/HEAD", "ref: refs/heads/main"),
        ("repository/wflint.toml", "rules = [\"../outside/*.js\"]"),
        ("repository/order.workflow.json", WORKFLOW),
    ]);
    let shown = folder.run(&["repository"]).expect_code(2).err().to_owned();
    assert!(shown.contains("outside of the repository"), "{shown}");
    assert_eq!(folder.found(&["repository", "--allow-outside", "--select", "ORG"]).len(), 1);
}

#[test]
fn settings_show_what_is_configured() {
    let folder = Folder::with(&[
        ("wflint.toml", "rules = [\"rules/*.js\"]\n[rule.ORG101]\nwords = [\"A\"]\n[settings]\nhosts = [\"a\"]\n"),
        ("rules/ORG101-no-todo.js", RULE),
    ]);
    let shown = folder.run(&["--show-settings"]).expect_code(0).out().to_owned();
    for line in
        ["rules = [\"rules/*.js\"]", "rule = {\"ORG101\":{\"words\":[\"A\"]}}", "settings = {\"hosts\":[\"a\"]}"]
    {
        assert!(shown.contains(line), "{shown}");
    }
}
