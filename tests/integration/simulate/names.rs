//! Names in a scenario that nothing has.

use serde_json::json;

use super::order::{approval, order, provider, simulate};

#[test]
fn name_that_nothing_has_is_an_error_with_a_suggestion() {
    let folder =
        order(&json!([approval("Approve", 60), provider("Create", "New-Mailbox", &[])]), &["State", "Approved"]);
    for (scenario, message) in [
        ("submit: { Stat: x }", "undefined variable `Stat`; did you mean `State`?"),
        ("variables: { Stat: x }", "undefined variable `Stat`; did you mean `State`?"),
        ("expect: { variables: { Stat: x } }", "undefined variable `Stat`; did you mean `State`?"),
        ("approvals: { Aprove: {} }", "unknown Approval `Aprove`; did you mean `Approve`?"),
        ("approvals: { Create: {} }", "unknown Approval `Create`"),
        ("expect: { approvals: { Aprove: approved } }", "unknown Approval `Aprove`; did you mean `Approve`?"),
        ("faults: [{ method: New-Mailbx, error: x }]", "unknown method `New-Mailbx`; did you mean `New-Mailbox`?"),
        ("faults: [{ method: Get-ZPADUsr, error: x }]", "unknown method `Get-ZPADUsr`; did you mean `Get-ZPADUser`?"),
        ("expect: { calls: { New-Mailbx: 0 } }", "unknown method `New-Mailbx`; did you mean `New-Mailbox`?"),
    ] {
        let output = simulate(&folder, scenario, "human").expect_code(2);
        assert!(output.err().contains(message), "{scenario}: {}", output.err());
    }
}

#[test]
fn names_of_the_platform_and_of_the_catalog_are_known() {
    let folder = order(&json!([]), &["State"]);
    let scenario = "variables: { ZPActivityStatus: x, State: y }\n\
                    faults: [{ method: Get-ZPADUser, error: x }]\n\
                    expect: { variables: { ZPActivityStatus: x }, calls: { Get-ZPADUser: 0 } }";
    simulate(&folder, scenario, "human").expect_code(0);
}

#[test]
fn field_that_the_form_does_not_have_is_an_error() {
    let folder = order(&json!([]), &["Name"]);
    let field = json!({ "name": "Name", "type": "InputText", "isBound": true, "boundTo": "Name" });
    folder.write("order.form.json", json!({ "fields": [field], "variables": [] }).to_string());
    let output = simulate(&folder, "form: order.form.json\nsubmit: { Nme: x }", "human").expect_code(2);
    assert!(output.err().contains("unknown field `Nme`; did you mean `Name`?"), "{}", output.err());
    // The others still run.
    folder.write("b.scenario.yaml", "workflow: order.workflow.json\n");
    let output = simulate(&folder, "form: order.form.json\nsubmit: { Nme: x }", "human").expect_code(2);
    assert!(output.out().contains("b.scenario.yaml") && output.out().contains("1 scenario passed"), "{}", output.out());
}

#[test]
fn suggestions_for_a_hostile_scenario_end_after_a_budget() {
    let variables: Vec<String> = (0..3000).map(|index| format!("LongVariableName{index:05}")).collect();
    let folder = order(&json!([]), &variables.iter().map(String::as_str).collect::<Vec<_>>());
    let unknown: Vec<String> = (0..90).map(|index| format!("LongVariableNome{index:05}: x")).collect();
    let output = simulate(&folder, &format!("variables: {{ {} }}", unknown.join(", ")), "human").expect_code(2);
    assert_eq!(output.err().matches("undefined variable").count(), 90);
    let suggested = output.err().matches("did you mean").count();
    assert!((1..90).contains(&suggested), "{suggested} suggestions");
}
