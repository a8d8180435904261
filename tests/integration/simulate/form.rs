//! Fields that nobody fills in.

use serde_json::{Value, json};

use super::order::{order, run};
use crate::support::folder::Folder;

fn field(name: &str, more: &Value) -> Value {
    let mut field = json!({ "name": name, "type": "InputText", "isBound": true, "boundTo": name });
    field.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    field
}

fn with_field(more: &Value) -> Folder {
    let folder = order(&json!([]), &["Code"]);
    let variables = json!([{ "name": "Code", "id": 1, "variableType": "String" }]);
    folder.write("order.form.json", json!({ "fields": [field("Code", more)], "variables": variables }).to_string());
    folder
}

const DEFAULT: &str = "defaultvalue";

#[test]
fn field_that_is_left_out_is_empty_whatever_its_variable_was() {
    let folder = with_field(&json!({}));
    let report = run(&folder, "form: order.form.json\nvariables: { Code: old }\nexpect: { variables: { Code: '' } }");
    assert_eq!(report["passed"], true, "{}", report["expectations"]);
}

#[test]
fn hidden_and_readonly_fields_keep_their_variable_or_take_their_default() {
    for key in ["hidden", "readonly"] {
        // The pattern does not apply to them.
        let pattern = json!({ "validationpattern": "^[0-9]+$" });
        let folder = with_field(&json!({ key: true, "required": true, "properties": pattern }));
        let scenario = "form: order.form.json\nvariables: { Code: old }\nexpect: { variables: { Code: old } }";
        let report = run(&folder, scenario);
        assert_eq!(report["passed"], true, "{key}: {}", report["expectations"]);
        let report = run(&folder, "form: order.form.json\nexpect: { outcome: refused, failure: '`Code`' }");
        assert_eq!(report["passed"], true, "{key}: {}", report["expectations"]);
        let properties = json!({ "validationpattern": "^[0-9]+$", DEFAULT: { "en-US": "new" } });
        let folder = with_field(&json!({ key: true, "required": true, "properties": properties }));
        let scenario = "form: order.form.json\nvariables: { Code: old }\nexpect: { variables: { Code: new } }";
        let report = run(&folder, scenario);
        assert_eq!(report["passed"], true, "{key}: {}", report["expectations"]);
    }
}
