//! Findings of own rules are findings like all others.

use crate::support::folder::Folder;

/// Reports activities that are named so.
pub const RULE: &str = r"
export default {
  meta: { options: { words: ['TODO'] } },
  create(context) {
    return {
      Activity(activity) {
        if (!context.options.words.includes(activity.name)) return;
        context.report({ node: activity, key: 'name', message: `unfinished activity \`${activity.name}\`` });
      },
    };
  },
};
";

pub const WORKFLOW: &str = r#"{
  "activities": [
    { "name": "TODO", "type": "Status", "status": { "isBound": false, "value": "One" } },
    { "name": "LATER", "type": "Status", "status": { "isBound": false, "value": "Two" } }
  ],
  "variables": []
}
"#;

pub const CONFIG: &str = "rules = [\"rules/*.js\"]\n";

const FOUND: &str = "order.workflow.json ORG101 warning";

/// A folder with a service and a rule.
pub fn folder(config: &str, rule: &str) -> Folder {
    let config = format!("{CONFIG}{config}");
    Folder::with(&[("wflint.toml", &config), ("rules/ORG101-no-todo.js", rule), ("order.workflow.json", WORKFLOW)])
}

#[test]
fn own_rules_are_selected_as_others() {
    let folder = folder("", RULE);
    assert_eq!(folder.found(&[]), [FOUND]);
    for selector in ["ORG101", "ORG", "ORG1", "no-todo", "ALL", "recommended", "strict"] {
        assert!(folder.found(&["--select", selector]).contains(&FOUND.to_owned()), "{selector}");
    }
    for selector in ["ORG101", "ORG", "ORG1", "no-todo"] {
        assert_eq!(folder.found(&["--ignore", selector]), [""; 0], "{selector}");
    }
    for selector in ["WF4", "flow"] {
        assert_eq!(folder.found(&["--select", selector]), [""; 0], "{selector}");
    }
    let shown = folder.run(&["--select", "ORG102"]).expect_code(2).err().to_owned();
    assert!(shown.contains("unknown rule selector `ORG102`; did you mean `ORG101`?"), "{shown}");
    assert_eq!(self::folder("[severity]\nORG = \"error\"\n", RULE).found(&[]), ["order.workflow.json ORG101 error"]);
    assert_eq!(self::folder("[severity]\nno-todo = \"info\"\n", RULE).found(&[]), ["order.workflow.json ORG101 info"]);
    assert_eq!(self::folder("ignore = [\"ORG101\"]\n", RULE).found(&[]), [""; 0]);
    assert_eq!(self::folder("[per-file-ignores]\n\"*.json\" = [\"no-todo\"]\n", RULE).found(&[]), [""; 0]);
}

#[test]
fn severity_of_a_report_yields_to_the_configuration() {
    let rule = RULE.replace("key: 'name',", "key: 'name', severity: 'error',");
    assert_eq!(folder("", &rule).found(&[]), ["order.workflow.json ORG101 error"]);
    assert_eq!(folder("[severity]\nORG101 = \"info\"\n", &rule).found(&[]), ["order.workflow.json ORG101 info"]);
    let info = RULE.replace("meta: {", "meta: { severity: 'info',");
    let folder = folder("", &info);
    assert_eq!(folder.found(&[]), ["order.workflow.json ORG101 info"]);
    folder.run::<&str>(&[]).expect_code(0);
    folder.run(&["--fail-on", "info"]).expect_code(1);
}

#[test]
fn codes_of_one_folder_may_be_named_for_all() {
    let folder = folder("", RULE);
    folder.write("other/wflint.toml", "");
    folder.write("other/order.workflow.json", WORKFLOW);
    assert_eq!(folder.found(&["--select", "ORG101"]), [FOUND]);
    folder.run(&["other", "--select", "ORG101"]).expect_code(2);
}

#[test]
fn findings_are_suppressed_and_known() {
    let suppress =
        "[[suppress]]\nrule = \"no-todo\"\nfile = \"order.workflow.json\"\nactivity = \"TODO\"\nreason = \"r\"\n";
    let output = folder(suppress, RULE).run::<&str>(&[]).expect_code(0);
    assert!(output.out().contains("1 suppressed"), "{output:#?}");
    let stale = suppress.replace("activity = \"TODO\"", "activity = \"LATER\"");
    assert_eq!(folder(&stale, RULE).found(&[]), [FOUND, "wflint.toml WF000 warning"]);
    let added = folder("", RULE);
    added.run(&["--add-suppressions", "later"]).expect_code(0);
    assert!(added.read("wflint.toml").contains("rule = \"ORG101\""));
    added.run::<&str>(&[]).expect_code(0);
    let known = folder("", RULE);
    known.run(&["--baseline", "known.json", "--write-baseline"]).expect_code(0);
    assert!(known.read("known.json").contains("ORG101"));
    known.run(&["--baseline", "known.json"]).expect_code(0);
    known.write("order.workflow.json", WORKFLOW.replace("TODO", "Done"));
    assert_eq!(known.found(&["--baseline", "known.json"]), ["known.json WF000 info"]);
}

#[test]
fn places_are_those_of_the_contract() {
    let report = |report: &str| {
        let rule = format!(
            "export default {{ create(context) {{ return {{ Workflow(workflow) {{\n\
             const activity = workflow.activities[0];\ncontext.report({{ {report}, message: 'm' }}); }} }}; }} }};"
        );
        let report = folder("", &rule).run(&["--format", "json", "--select", "ORG"]).json();
        let found = &report["diagnostics"][0];
        let (start, end) = (&found["range"]["start"], &found["range"]["end"]);
        format!("{} {}:{}-{}", found["pointer"].as_str().unwrap(), start["line"], start["column"], end["column"])
    };
    assert_eq!(report("node: activity"), "/activities/0 3:15-21");
    assert_eq!(report("node: activity, key: 'name'"), "/activities/0/name 3:15-21");
    assert_eq!(report("node: activity, key: 'none'"), "/activities/0 3:15-21");
    assert_eq!(report("node: activity, key: 'name', part: [1, 3]"), "/activities/0/name 3:17-19");
    assert_eq!(report("node: activity.status, key: 'value'"), "/activities/0/status/value 3:80-85");
    assert_eq!(report("node: activity.status"), "/activities/0/status 3:80-85");
    assert_eq!(report("node: workflow.activities"), "/activities 2:17-18");
}

#[test]
fn reports_are_redacted_related_and_helpful() {
    let secret = r#"{ "activities": [], "variables": [
      { "name": "PersonalId", "id": 1, "value": "19121212-1212", "shouldHide": true, "hideAll": true, "isInputParameter": true }] }"#;
    let rule = "export default { create(context) { return { Variable(node) {\n\
                context.report({ node, message: `value ${node.value}`, help: 'do it', related: [{ node: context.parent(node), message: 'in it' }] }); } }; } };";
    let folder = folder("", rule);
    folder.write("order.workflow.json", secret);
    let found = folder.run(&["--format", "json", "--select", "ORG"]).json();
    let found = &found["diagnostics"][0];
    assert!(!found["message"].as_str().unwrap().contains("1212"), "{found:#}");
    assert_eq!((found["help"].as_str(), found["related"][0]["message"].as_str()), (Some("do it"), Some("in it")));
}

#[test]
fn without_scripts_own_rules_do_not_run_and_the_summary_says_so() {
    let folder = folder("", RULE);
    let output = folder.run(&["--no-scripts"]).expect_code(0);
    assert_eq!(output.out(), "No problems in 1 file (1 own rule not run).\n");
    let json = |arguments: &[&str]| folder.run(&[&["--format", "json"], arguments].concat()).json();
    assert_eq!(json(&["--no-scripts"])["summary"]["ownRulesNotRun"], 1);
    assert_eq!(json(&[])["summary"].get("ownRulesNotRun"), None, "all ran");
    let off = self::folder("[scripts]\nevaluate = false\n", RULE);
    assert_eq!(off.found(&[]), [FOUND], "that is about the scripts of Code activities");
}

#[test]
fn entries_about_rules_that_did_not_run_are_not_judged() {
    let entries = "[per-file-ignores]\n\"*.json\" = [\"no-todo\"]\n[[suppress]]\nrule = \"ORG101\"\n\
                   file = \"order.workflow.json\"\nactivity = \"TODO\"\nreason = \"r\"\n";
    assert_eq!(folder(entries, RULE).found(&["--no-scripts"]), [""; 0]);
    let known = folder("", RULE);
    known.run(&["--baseline", "known.json", "--write-baseline"]).expect_code(0);
    assert_eq!(known.found(&["--baseline", "known.json", "--no-scripts"]), [""; 0]);
    let before = known.read("known.json");
    known.run(&["--baseline", "known.json", "--write-baseline", "--no-scripts"]).expect_code(0);
    assert_eq!(known.read("known.json"), before, "it lost nothing");
}

#[test]
fn parts_of_a_run_find_the_same() {
    let folder = folder("", RULE);
    folder.write("b/order.workflow.json", WORKFLOW);
    let mut all = folder.found(&["--shard", "1/2"]);
    all.extend(folder.found(&["--shard", "2/2"]));
    all.sort();
    assert_eq!(all, ["b/order.workflow.json ORG101 warning", FOUND]);
    let stdin = crate::support::run::run_cli(
        &["-", "--stdin-filename", "order.workflow.json", "--format", "concise"],
        folder.path(),
        WORKFLOW.as_bytes(),
    );
    assert!(stdin.out().contains("ORG101"), "{stdin:#?}");
}
