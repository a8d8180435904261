//! Own rules that fail: nobody believes a green run in which a rule did not run.

use super::findings::{CONFIG, RULE, WORKFLOW, folder};
use crate::support::folder::Folder;

const SILENCING: [&[&str]; 4] =
    [&[], &["--ignore", "WF000"], &["--fail-on", "never"], &["--select", "ORG101,WF4", "--show", "error"]];

#[track_caller]
fn assert_fails(rule: &str, wanted: &str) {
    for options in SILENCING {
        let folder = folder("", rule);
        folder.write("rules/ORG102-also.js", RULE.replace("TODO", "LATER"));
        let output = folder.run(&[options, &["--format", "concise"]].concat()).expect_code(2);
        assert_eq!(output.out().matches("WF000 error").count(), 1, "{output:#?}");
        assert!(output.out().contains(wanted), "{wanted}\n{output:#?}");
        if options.is_empty() {
            assert!(output.out().contains("ORG102 warning"), "the other rules run: {output:#?}");
        }
    }
}

#[test]
fn files_that_cannot_be_loaded_are_errors() {
    assert_fails("export default {\n  create( {\n};", "rules/ORG101-no-todo.js:3:2:");
    assert_fails("export default { create(context) {\n  throw new Error('no') } };", "rules/ORG101-no-todo.js:2:");
    assert_fails("export default 5;", "rules/ORG101-no-todo.js:1:");
    assert_fails("export default { create() { return { Aktivity() {} } } };", "unknown visitor `Aktivity`");
}

#[test]
fn visitors_that_throw_keep_the_findings_until_then() {
    let rule = "export default { create(context) { return { Activity(node) {\n\
                if (node.name !== 'TODO') null.x;\ncontext.report({ node, message: 'm' }); } }; } };";
    assert_fails(rule, "rules/ORG101-no-todo.js:2:");
    let output = folder("", rule).run(&["--format", "json"]).expect_code(2);
    let report = output.json();
    let problem = report["diagnostics"].as_array().unwrap().iter().find(|it| it["code"] == "WF000").unwrap().clone();
    assert_eq!(problem["related"][0]["pointer"], "/activities/1", "{problem:#}");
    assert!(output.found().contains(&"order.workflow.json ORG101 warning".to_owned()));
}

#[test]
fn failures_before_a_visit_are_reported_once() {
    let folder = folder("", "export default { create() { throw 5 } };");
    folder.write("b/order.workflow.json", WORKFLOW);
    let output = folder.run(&["--format", "concise"]).expect_code(2);
    assert_eq!(output.out().lines().count(), 1, "{output:#?}");
    assert!(folder.run::<&str>(&[]).out().contains("Found 1 error in 2 files"));
    folder.write("rules/ORG101-no-todo.js", "export default { create() { return { Activity() { throw 5 } } } };");
    let output = folder.run(&["--format", "concise"]).expect_code(2);
    assert_eq!(output.out().lines().count(), 2, "once for each service: {output:#?}");
}

#[test]
fn endless_rules_end() {
    assert_fails("export default { create() { return { Workflow() {\nfor (;;); } }; } };", "rules/ORG101-no-todo.js");
}

#[test]
fn rules_that_are_not_selected_do_not_run() {
    let rule = "export default { create() { return { Workflow() { null.x } }; } };";
    folder("", rule).run(&["--ignore", "ORG101"]).expect_code(0);
}

#[test]
fn suppressions_and_baselines_do_not_silence_failures() {
    let rule = "export default { create() { return { Workflow() { null.x } }; } };";
    let folder = folder("ignore = [\"WF000\"]\n[severity]\nWF000 = \"info\"\n", rule);
    folder.run(&["--baseline", "known.json", "--write-baseline"]);
    let output = folder.run(&["--format", "concise", "--baseline", "known.json"]).expect_code(2);
    assert!(output.out().contains("WF000 error"), "{output:#?}");
}

#[test]
fn codes_and_names_are_unique() {
    let folder = Folder::with(&[
        ("wflint.toml", CONFIG),
        ("order.workflow.json", WORKFLOW),
        ("rules/ORG101-a.js", RULE),
        ("rules/ORG101-b.js", RULE),
        ("rules/ORG102-a.js", RULE),
        ("rules/ORG103-unknown-variable.js", RULE),
    ]);
    let output = folder.run(&["--format", "concise"]).expect_code(2);
    for line in [
        "rules/ORG101-b.js:1:1: WF000 error duplicate code `ORG101`, rules/ORG101-a.js has it",
        "rules/ORG102-a.js:1:1: WF000 error duplicate name `a`, rules/ORG101-a.js has it",
        "rules/ORG103-unknown-variable.js:1:1: WF000 error duplicate name `unknown-variable`, a rule of wflint has it",
        "ORG101 warning unfinished activity",
    ] {
        assert!(output.out().contains(line), "{line}\n{output:#?}");
    }
}

#[test]
fn files_that_only_look_like_rules_are_named() {
    let folder = folder("", RULE);
    for text in ["export defualt {};", "const rule = {};", "module.exports = { create(c { }"] {
        folder.write("rules/ORG102-b.js", text);
        let output = folder.run(&["--format", "concise", "--fail-on", "error"]).expect_code(0);
        let wanted = "rules/ORG102-b.js:1:1: WF000 info rules/ORG102-b.js is not a rule, it has no `export default`";
        assert!(output.out().contains(wanted), "{text}: {output:#?}");
    }
    folder.write("rules/ORG102-b.js", "export const word = 'LATER';");
    folder.write("rules/ORG101-no-todo.js", format!("import {{ word }} from './ORG102-b.js';\n{RULE}"));
    let imported = folder.run(&["--format", "concise"]).expect_code(1);
    assert!(!imported.out().contains("WF000"), "it is a module: {imported:#?}");
}

#[test]
fn mistakes_of_authors_are_explained() {
    let visitor =
        |body: &str| format!("export default {{ create(context) {{ return {{ Activity(a) {{ {body} }} }}; }} }};");
    for (rule, wanted) in [
        (
            visitor("context.report({ node: { ...a }, message: 'm' });"),
            "pass the object that a visitor gets, not a copy",
        ),
        (visitor("context.report(a, 'm');"), "report: expected `{ node, message }`, found a node"),
        (
            visitor("context.report({ node: a.timeOut, message: 'm' });"),
            "`node`: expected an object or array of a document, found nothing",
        ),
        (visitor("a.seen = true;"), "documents and built-in objects are frozen"),
        (visitor("").replace("Activity(a)", "'Activity:Exit'(a)"), "did you mean `Activity:exit`?"),
    ] {
        let output = folder("", &rule).run(&[] as &[&str]).expect_code(2);
        let shown = output.out().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.contains(wanted), "{wanted}: {shown}");
    }
}

#[test]
fn modules_are_found_below_the_folder_of_the_rule() {
    let rule = |import: &str| format!("import {{ word }} from \"{import}\";\n{}", RULE.replace("'TODO'", "word"));
    let with = |import: &str| {
        let folder = folder("", &rule(import));
        folder.write("rules/lib/words.js", "export { word } from '../other/word.js';");
        folder.write("rules/other/word.js", "export const word = 'LATER';");
        folder.write("outside.js", "export const word = 'LATER';");
        folder
    };
    let output = with("./lib/words.js").run(&["--format", "concise"]).expect_code(1);
    assert!(output.out().contains("unfinished activity `LATER`"), "{output:#?}");
    for import in ["../outside.js", "./lib/none.js", "fs", "./lib/words"] {
        let output = with(import).run(&["--format", "concise"]).expect_code(2);
        assert!(output.out().contains("rules/ORG101-no-todo.js:1:"), "{import}: {output:#?}");
    }
}
