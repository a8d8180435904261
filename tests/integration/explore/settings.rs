//! What a report says of laws, suppressions and lookups that decide nothing.

use serde_json::{Value, json};

use crate::support::folder::Folder;

/// A lookup with a filter that no entry matches, and a status.
fn workflow() -> String {
    let given = |name: &str, value: &str| json!({ "name": name, "value": { "state": "static", "value": value } });
    json!({
        "activities": [
            {
                "name": "Look up the manager", "type": "Provider", "method": "Get-ZPADUser", "stopOnError": false,
                "providerParameters": [
                    given("Identity", "anna"), given("LDAPFilter", "(&(mail=*)(!(mail=*)))"), given("Prefix", "Manager"),
                ],
            },
            { "name": "Publish", "type": "Status", "status": { "isBound": false, "value": "Done" } },
        ],
        "variables": [],
    })
    .to_string()
}

fn folder(config: &str) -> Folder {
    Folder::with(&[("order.workflow.json", workflow().as_str()), ("wflint.toml", config)])
}

#[test]
fn lookup_that_nothing_can_answer_is_named() {
    let run = folder("").run(&["explore"]);
    let line = "lookup `Look up the manager` always fails, no entry can be made up that it finds";
    assert!(run.out().contains(line), "{}", run.out());
}

#[test]
fn first_order_forms_are_named_where_none_has_the_name_of_the_workflow() {
    let error = |number: usize| {
        let folder = folder("");
        for form in 0..number {
            folder.write(format!("f{form}.form.json"), r#"{ "fields": [], "variables": [] }"#);
        }
        let run = folder.run(&["explore"]);
        assert_eq!(run.code, 2);
        run.err().to_owned()
    };
    let expected = |names: &str| {
        let reason = format!("several order forms ({names}), none with the name of the workflow");
        format!("wflint: cannot explore order.workflow.json: {reason}\n")
    };
    assert_eq!(error(2), expected("f0, f1"));
    assert_eq!(error(5), expected("f0, f1, f2, f3, f4"));
    assert_eq!(error(8), expected("f0, f1, f2, f3, f4 and 3 more"));
}

#[test]
fn law_that_no_run_meets_has_a_place() {
    let config =
        "[[law]]\nname = \"rejected\"\nwhen = { outcome = \"terminated\" }\nexpect = { statuses = [\"Done\"] }\n";
    let run = folder(config).run(&["explore", "--format", "concise"]);
    assert_eq!(run.out(), "wflint.toml:2:8: law warning rejected: no run meets `when`\n");
    assert_eq!(run.code, 0);
    let run = folder(config).run(&["explore", "--format", "json"]);
    assert_eq!(run.err(), "wflint: warning: wflint.toml:2:8: no run meets `when` of law `rejected`\n");
}

#[test]
fn unused_suppression_of_a_law_has_a_place() {
    let config =
        "[[suppress]]\nlaw = \"ends\"\nfile = \"order.workflow.json\"\nactivity = \"Publish\"\nreason = \"known\"\n";
    let run = folder(config).run(&["explore", "--format", "concise"]);
    let warning = "unused suppression of law `ends` in `order.workflow.json`";
    assert_eq!(run.out(), format!("wflint.toml:1:1: WF000 warning {warning}\n"));
    assert!(run.err().contains(&format!("warning: wflint.toml:1:1: {warning}")), "{}", run.err());
    assert_eq!(run.code, 0);
}

#[test]
fn law_with_unknown_names_is_not_judged() {
    let config = "[[law]]\nname = \"first\"\nbefore = { Publish = \"Look up the manger\" }\n";
    let folder = folder(config);
    let report = folder.run(&["explore", "--format", "json"]).json();
    let laws = report["laws"].as_array().unwrap();
    let law = laws.iter().find(|law| law["name"] == "first").unwrap();
    assert_eq!(law["holds"], Value::Null);
    let run = folder.run(&["explore"]);
    assert!(run.out().contains("unknown   first (not checked: it has unknown names)"), "{}", run.out());
    assert!(run.err().contains("unknown activity `Look up the manger`"), "{}", run.err());
    assert_eq!(run.code, 2);
}

#[test]
fn service_with_a_duplicate_key_is_not_explored() {
    let twice = workflow().replace("\"variables\":[]", "\"variables\":[],\"variables\":[]");
    assert_ne!(twice, workflow());
    let form = r#"{ "fields": [], "variables": [], "fields": [] }"#;
    let folder = Folder::with(&[("a/order.workflow.json", twice.as_str()), ("b/order.workflow.json", &workflow())]);
    folder.write("b/order.form.json", form);
    folder.write("c/order.workflow.json", workflow());
    let run = folder.run(&["explore"]).expect_code(2);
    for wanted in [
        "cannot explore a/order.workflow.json: duplicate key `variables` at line 1, column ",
        "cannot explore b/order.workflow.json: duplicate key `fields` at line 1, column 34 of b/order.form.json",
    ] {
        assert!(run.err().contains(wanted), "{}", run.err());
    }
    assert!(run.out().contains("c/order.workflow.json: ") && !run.out().contains("a/order"), "{}", run.out());
    let init = folder.run(&["init", "--scenario", "a/order.workflow.json"]).expect_code(2);
    assert!(init.err().contains("duplicate key `variables`"), "{}", init.err());
}
