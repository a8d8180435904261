//! Hovers.

use wflint::lsp::features::hover;

use super::editor::Editor;

fn shown(files: &[(&str, &str)]) -> String {
    let editor = Editor::with(files);
    let (file, offset) = editor.cursor;
    editor.ask(|snapshot| hover(snapshot, file, offset)).map(|hover| hover.markdown).unwrap_or_default()
}

fn in_workflow(activities: &str, variable: &str) -> String {
    let form = r#"{ "fields": [{ "name": "Who", "boundTo": "Name" }] }"#;
    let text = format!("{{ \"activities\": [{activities}], \"variables\": [{variable}] }}");
    shown(&[("order.json", &text), ("form.json", form)])
}

#[test]
fn variable_shows_what_writes_and_reads_it_in_the_order_of_the_flow() {
    let activities = r#"
{ "name": "Later", "type": "Assign", "result": { "isBound": true, "boundTo": "Name" }, "body": "x" },
{ "name": "Ask", "type": "If", "expression": { "type": "EqualityExpression", "operand": "notEqual", "left": { "isBound": true, "boundTo": "Name" }, "right": { "isBound": false, "value": "y" } }, "activities": [
  { "name": "Say", "type": "Status", "status": { "isBound": true, "boundTo": "<|>Name" } },
  { "name": "Script", "type": "Code", "parameters": [{ "name": "n", "value": { "isBound": true, "boundTo": "Name" } }], "script": "Json = n" }
] }"#;
    let variable = r#"{ "name": "Name", "id": 7, "variableType": "String", "isOutputParameter": true }"#;
    assert_eq!(
        in_workflow(activities, variable),
        "`Name`: variable of type `String`, id 7\n\nWritten by:\n\n- field `Who` of form `form`\n- `Later` (`Assign`)\n\n\
         Read by:\n\n- field `Who` of form `form`\n- `Ask` (`If`)\n- `Say` (`Status`)\n- `Script` (`Code`)\n- output parameter\n\n\
         Known here:\n\n- not equal to `\"y\"`, by `Ask` (`If`)"
    );
    assert_eq!(
        in_workflow(&activities.replace("<|>", "").replace("= n\"", "= <|>n\""), variable).lines().next(),
        Some("`Name`: variable of type `String`, id 7")
    );
}

#[test]
fn value_of_a_masked_variable_and_a_secret_are_not_shown() {
    let activities = r#"
{ "name": "Is it", "type": "If", "expression": { "type": "EqualityExpression", "operand": "equal", "left": { "isBound": true, "boundTo": "Code" }, "right": { "isBound": false, "value": "hunter22" } }, "activities": [
  { "name": "Say", "type": "Status", "status": { "isBound": true, "boundTo": "<|>Code" } }
] }"#;
    let found = in_workflow(activities, r#"{ "name": "Code", "id": 7, "shouldHide": true, "value": "hunter22" }"#);
    assert!(
        found.contains("masked") && found.contains("compared by `Is it` (`If`)") && !found.contains("hunter22"),
        "{found}"
    );
    let found = in_workflow(
        &activities.replace("\"Code\"", "\"Password\"").replace("<|>Code", "<|>Password"),
        r#"{ "name": "Password", "id": 7, "value": "hunter22" }"#,
    );
    assert!(found.contains("equal to") && !found.contains("hunter22"), "{found}");
}

const CALL: &str = r#"{ "name": "Status", "type": "Provider", "method": "Get-ZPESignDocumentSignatureStatus", "providerParameters": [{ "name": "Id", "value": { "state": "static", "value": "" } }, { "name": "Idd" }] }"#;

#[test]
fn method_and_parameter_show_what_the_catalog_says() {
    let method = in_workflow(&CALL.replace("\"Get-", "\"<|>Get-"), "");
    assert!(method.starts_with("`Get-ZPESignDocumentSignatureStatus`: method of `esign`"), "{method}");
    assert!(method.contains("- `Id` string, required") && method.contains("- `Status`"), "{method}");
    let parameter = in_workflow(&CALL.replace("\"Id\"", "\"<|>Id\""), "");
    assert!(
        parameter.starts_with("`Id`: parameter of `Get-ZPESignDocumentSignatureStatus`, string, required"),
        "{parameter}"
    );
    let parameter = in_workflow(&CALL.replace("\"Idd\"", "\"<|>Idd\""), "");
    assert_eq!(parameter, "`Idd`: unknown parameter of `Get-ZPESignDocumentSignatureStatus`");
    let parameter = in_workflow(&CALL.replace("\"Idd\"", "\"<|>Idd\"").replace("Get-", "Own-"), "");
    assert_eq!(parameter, "`Idd`: parameter of `Own-ZPESignDocumentSignatureStatus`, which no catalog has");
}

#[test]
fn rule_in_a_configuration_shows_what_it_reports() {
    let in_config =
        |text: &str| shown(&[("order.json", r#"{ "activities": [], "variables": [] }"#), ("wflint.toml", text)]);
    let found = in_config("ignore = [\"WF<|>404\"]\n");
    assert!(found.starts_with("[WF404 ") && found.contains("/rules/WF404-"), "{found}");
    assert!(in_config("[severity]\n<|>unknown-variable = \"info\"\n").starts_with("[WF101 unknown-variable]"));
    assert!(in_config("select = [\"<|>WF10\"]\n").starts_with("`WF10` selects:\n\n- WF101 unknown-variable\n"));
    assert_eq!(in_config("select = [\"<|>WFX\"]\n"), "");
    assert_eq!(in_config("sel<|>ect = [\n"), "");
}

#[test]
fn variable_in_a_scenario_shows_the_same() {
    let workflow = r#"{ "activities": [], "variables": [{ "name": "Name", "id": 7, "isInputParameter": true }] }"#;
    let found =
        shown(&[("order.json", workflow), ("a.scenario.yaml", "workflow: order.json\nvariables: { N<|>ame: x }\n")]);
    assert_eq!(found, "`Name`: variable, id 7\n\nWritten by:\n\n- input parameter");
}
