//! Values that no report shows are not shown here.

use serde_json::json;

use super::data::{changes, lines, workflow};

#[test]
fn secrets_and_masked_values_are_hidden_on_both_sides() {
    let document = |secret: &str, pin: &str, script: &str, is_masked: bool| {
        workflow(
            &json!([
                { "name": "Code", "type": "Code", "script": format!("var a = {script};\nvar password = \"{secret}\";") },
                { "name": "Assign", "type": "Assign", "result": { "isBound": true, "boundTo": "DbPassword" }, "body": secret },
                { "name": "Status", "type": "Status", "statusTranslations": { "en-US": format!("for {secret}") } }
            ]),
            &json!([
                { "name": "DbPassword", "id": 1, "variableType": "String", "value": secret },
                { "name": "Pin", "id": 2, "variableType": "String", "value": pin, "shouldHide": is_masked, "hideAll": is_masked }
            ]),
        )
    };
    let (old, new) = (document("hunter2hunter2", "1234", "1", false), document("changed0secret", "4321", "2", true));
    let found = lines(&changes(&old, &new));
    let text = found.join("\n");
    for hidden in ["hunter2", "changed0secret", "1234", "4321"] {
        assert!(!text.contains(hidden), "{hidden}: {text}");
    }
    assert!(text.contains("var a = 1;") && text.contains("var a = 2;") && text.contains("•••"), "{text}");
    assert!(found.contains(&"changed variable DbPassword value: \"•••\" → \"•••\"".to_owned()), "{text}");
}
