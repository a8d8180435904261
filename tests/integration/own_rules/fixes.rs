//! Fixes of own rules are tried as others.

use super::findings::folder;

fn rule(fix: &str) -> String {
    format!(
        "export default {{ create(context) {{ return {{ Activity(activity) {{\n\
         if (activity.name !== 'TODO') return;\n\
         const parent = context.parent(activity);\n\
         context.report({{ node: activity, message: 'm', fix: {{ title: 'fix it', {fix} }} }}); }} }}; }} }};"
    )
}

#[test]
fn fixes_are_unsafe_unless_the_rule_says_otherwise() {
    let folder = folder("", &rule("set: { name: 'Done' }"));
    folder.run(&["--fix"]).expect_code(1);
    assert!(folder.read("order.workflow.json").contains("TODO"));
    folder.run(&["--fix", "--unsafe-fixes"]).expect_code(0);
    assert!(folder.read("order.workflow.json").contains(r#"{ "name": "Done", "type""#));
    let safe = self::folder("", &rule("safe: true, set: { name: 'Done' }"));
    safe.run(&["--fix"]).expect_code(0);
    assert!(safe.read("order.workflow.json").contains(r#""name": "Done""#));
}

#[test]
fn fixes_set_remove_and_insert() {
    let fixed = |fix: &str| {
        let folder = folder("", &rule(fix));
        folder.run(&["--fix", "--unsafe-fixes"]);
        folder.read("order.workflow.json")
    };
    let both = fixed("set: { name: 'Done', note: { a: [1, 'x'] } }, remove: ['status']");
    assert!(both.contains("TODO"), "a Status without a status has a finding: {both}");
    let added = fixed("set: { name: 'Done', id: 5 }");
    assert!(added.contains(r#""name": "Done""#) && added.contains(r#""id": 5"#), "{added}");
    let inserted = fixed(
        "set: { name: 'Done' }, insert: { into: parent.activities, at: 1, value: \
         { name: 'Between', type: 'Status', status: { isBound: false, value: 'x' } } }",
    );
    let place = |word: &str| inserted.find(word).unwrap_or_else(|| panic!("{word}: {inserted}"));
    assert!(place("Done") < place("Between") && place("Between") < place("LATER"), "{inserted}");
}

#[test]
fn fixes_that_do_not_help_are_withheld() {
    for fix in ["set: { note: 1 }", "set: { name: 'Done', type: 'Provder' }"] {
        let report = folder("", &rule(fix)).run(&["--format", "json", "--select", "ORG,WF006"]).json();
        let found = report["diagnostics"].as_array().unwrap().iter().find(|it| it["code"] == "ORG101").unwrap().clone();
        assert!(found["fix"].is_null() && found["fixWithheld"].is_string(), "{fix}: {found:#}");
    }
}

#[test]
fn fixes_that_add_a_finding_of_another_rule_are_withheld() {
    // wflint has nothing to say of the timeout before, and WF503 afterwards, beside it.
    let rule = "export default { create(context) { return { Approval(node) {\n\
                if (node.timeout.value <= 86400) return;\n\
                context.report({ node, message: 'm', fix: { title: 't', safe: true, set: { timeout: { ...node.timeout, value: 86400 } } } });\n\
                } }; } };";
    let example = folder("", rule);
    let workflow =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/approval/order.workflow.json"));
    example.write("order.workflow.json", workflow.unwrap());
    let report = example.run(&["--format", "json", "--select", "ORG"]).json();
    let found = &report["diagnostics"][0];
    let withheld = found["fixWithheld"].as_str().unwrap_or_default();
    assert!(found["fix"].is_null() && withheld.contains("would add WF503"), "{found:#}");
}
