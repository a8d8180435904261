//! The values of the fields: each is one that the form accepts.

use serde_json::{Value, json};

use crate::support::folder::Folder;

/// The scenario for a workflow with one Status, and a form with these fields; with whether it passes.
fn scenario(fields: &Value, more: &Value) -> (String, bool) {
    let activities = json!([{ "type": "Status", "name": "Say", "status": { "isBound": false, "value": "Done" } }]);
    scenario_of(&activities, fields, more)
}

fn scenario_of(activities: &Value, fields: &Value, variables: &Value) -> (String, bool) {
    let folder = Folder::with(&[]);
    folder.write("a.workflow.json", json!({ "activities": activities, "variables": variables }).to_string());
    folder.write("a.form.json", json!({ "fields": fields, "variables": variables }).to_string());
    let made = folder.run(&["init", "--scenario", "a.workflow.json"]).expect_code(0);
    let run = folder.run(&["simulate", "--quiet"]);
    let text = folder.read("a.scenario.yaml");
    assert!(run.code == 0 || !made.err().is_empty(), "{text}\n{}{}", run.out(), made.err());
    (text, run.code == 0)
}

fn text_field(name: &str, properties: &Value) -> Value {
    json!({ "name": name, "type": "InputText", "required": true, "properties": properties })
}

#[test]
fn patterns_are_matched() {
    let patterns = [
        "^[A-Z]{2}[0-9]+$",
        r"^\d{5}(-\d{4})?$",
        "^(SE|NO|DK)$",
        r"^\+?\d{8,15}$",
        "^.{5,10}$",
        "^.{0,3}$",
        "^[^@]+$",
        r"^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])(?=.*[^\w]).{8,}$",
        r"^(\w)\1$",
        r"^\S+@\S+\.\S+$",
        "^$|^a$",
        r"^(?!A)\w+$",
        r"^[\w\-. ]+$",
        r"^(0[1-9]|1[0-2])\/\d{2}$",
        r"^\d{4}-(0\d|1[0-2])-[0-3]\d$",
        "x",
        "^é+$",
        "^[а-я]{3}$",
        r"^https?:\/\/.+$",
        r"^\u{61}$|^\x62$",
        "^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$",
        r"^(19|20)\d{6}-?\d{4}$",
        "^[^a-z]{3}$",
        "",
        r"^\bA\b$",
        "^(a|b(c|d))+e{3,}$",
        "^[1-9][0-9]{0,2}$",
    ];
    let fields: Vec<Value> = patterns
        .iter()
        .enumerate()
        .map(|(index, pattern)| text_field(&format!("F{index}"), &json!({ "validationpattern": pattern })))
        .collect();
    let (text, passes) = scenario(&json!(fields), &json!([]));
    assert!(passes, "{text}");
}

#[test]
fn pattern_without_a_value_is_said() {
    for pattern in ["^(?=b)a$", "(", "^(a+)+$(?!)"] {
        let fields = json!([text_field("Code", &json!({ "validationpattern": pattern }))]);
        let (text, passes) = scenario(&fields, &json!([]));
        assert!(!passes && text.contains("# - field `Code`: no value was found that matches"), "{text}");
    }
    let optional = json!([{ "name": "Code", "type": "InputText", "properties": { "validationpattern": "^(?=b)a$" } }]);
    let (text, _) = scenario(&optional, &json!([]));
    assert!(text.contains("  Code: \"\"\n"), "{text}");
}

#[test]
fn kinds_of_fields_get_their_values() {
    let item = |value: &str, selected: bool| json!({ "id": 1, "value": value, "selected": selected });
    let fields = json!([
        text_field("Mail", &json!({ "validationtype": 2 })),
        text_field("Other", &json!({ "validationtype": 2 })),
        text_field("Full", &json!({ "validationtype": 1 })),
        text_field("Num", &json!({ "validationtype": 3 })),
        text_field("Alpha", &json!({ "validationtype": 4 })),
        text_field("Given", &json!({ "defaultvalue": { "sv-SE": "Hej", "en-US": "Hello" } })),
        text_field("Delivery date", &json!({})),
        { "name": "File", "type": "InputFile", "required": true },
        { "name": "Choice", "type": "DropDown", "required": true,
          "properties": { "isRestricted": true, "dropdownItems": [item("", false), item("b;c", false), item("d", true)] } },
        { "name": "Who", "type": "DropDown", "required": true,
          "properties": { "isRestricted": true, "isDynamicBind": true, "dataSource": "x/DropDown.ADUser" } },
        { "name": "Section", "type": "FormSection", "fieldsViewModel": { "fields": [
            { "name": "Inside", "type": "TextArea", "required": true },
            { "name": "Check", "type": "CheckBox" }, { "name": "When", "type": "DatePicker" } ] } },
        { "name": "Away", "type": "FormSection", "hidden": true, "fieldsViewModel": { "fields": [
            { "name": "Unseen", "type": "InputText" } ] } },
        { "name": "Fixed", "type": "InputText", "readonly": true, "required": true, "isBound": true, "boundTo": "Id" },
    ]);
    let variables = json!([{ "name": "Id", "id": 1, "variableType": "String" }]);
    let (text, passes) = scenario(&fields, &variables);
    assert!(passes, "{text}");
    for line in [
        "  Mail: anna@example.com",
        "  Full: Anna Example",
        "  Num: \"14\"",
        "  Given: Hello",
        "  Delivery date: \"2024-01-15\"",
        "  File: { file: file.pdf }",
        "  Choice: d",
        "  Who: gro",
        "  Inside: Example 3",
        "  Check: \"true\"",
        "  When: \"2024-01-16\"",
        "variables:\n  Id: Example 4",
    ] {
        assert!(text.contains(&format!("\n{line}\n")), "{line}: {text}");
    }
    for unseen in ["Unseen", "Section:", "Fixed"] {
        assert!(!text.contains(unseen), "{unseen}: {text}");
    }
}

#[test]
fn values_fit_the_parameters_that_take_them() {
    let bound =
        |name: &str, variable: &str| json!({ "name": name, "value": { "state": "bound", "boundTo": variable } });
    let activities = json!([{
        "type": "Provider", "name": "Ask", "method": "Request-ZPESignDocumentSignature", "stopOnError": true,
        "providerParameters": [
            bound("DocumentName", "D"), bound("PartyName", "N"), bound("PartyEmail", "E"), bound("PartySSN", "P"),
            bound("ExpireAfterDays", "X"), bound("ConnectionURI", "U") ]
    }]);
    let names = ["D", "N", "E", "P", "X", "U"];
    let field =
        |name: &str| json!({ "name": name, "type": "InputText", "required": true, "isBound": true, "boundTo": name });
    let fields: Vec<Value> = names.iter().map(|name| field(name)).collect();
    let variables: Vec<Value> =
        names.iter().zip(1..).map(|(name, id)| json!({ "name": name, "id": id, "variableType": "String" })).collect();
    let (text, passes) = scenario_of(&activities, &json!(fields), &json!(variables));
    assert!(passes, "{text}");
    assert!(text.contains("  P: \"19900101-2385\"\n") && text.contains("  X: \"14\"\n"), "{text}");
    let danish = json!({ "validationpattern": "^\\d{6}-\\d{4}$" });
    let mut fields = fields;
    fields[3]["properties"] = danish;
    let (text, passes) = scenario_of(&activities, &json!(fields), &json!(variables));
    assert!(passes && text.contains("  P: \"010190-1230\"\n"), "{text}");
}

#[test]
fn odd_names_are_quoted() {
    let long = "\u{1}".repeat(512);
    let names = [
        "- a", "a: b", "a #b", "\"", "'", "\\", "a\nb", "\u{0}\u{1b}[31m", "\u{202e}x\u{feff}", "~", "null", "yes",
        "1.10", "{a}", "[a]", "*a", "&a", "!a", "%a", "@a", "`a`", "? a", "---", " ", " a ", "<<", "😀",
        "\u{85}\u{2028}", "::error::x", "##[error]", &long,
    ];
    let fields: Vec<Value> = names.iter().map(|name| text_field(name, &json!({}))).collect();
    let (text, passes) = scenario(&json!(fields), &json!([]));
    assert!(passes, "{text}");
    let is_hidden = |one: char| (one.is_control() && one != '\n') || "\u{202e}\u{feff}\u{2028}".contains(one);
    assert!(!text.contains(is_hidden), "{text:?}");
}

#[test]
fn name_that_a_scenario_cannot_hold_is_said() {
    let fields = json!([text_field(&"n".repeat(513), &json!({})), text_field("A", &json!({}))]);
    let (text, passes) = scenario(&fields, &json!([]));
    assert!(!passes && text.contains("nnn…` cannot be filled in: its name is too long\n"), "{text}");
}

#[test]
fn fields_that_share_a_name_are_filled_once() {
    let hidden = json!({ "name": "A", "type": "InputText", "hidden": true });
    let (text, passes) = scenario(&json!([text_field("A", &json!({})), text_field("A", &json!({}))]), &json!([]));
    assert!(passes && text.matches("  A: ").count() == 1, "{text}");
    let (text, passes) = scenario(&json!([{ "name": "A", "type": "InputText" }, hidden]), &json!([]));
    assert!(passes && !text.contains("  A: "), "{text}");
}

#[test]
#[ignore = "slow: `.ci/full slow`"]
fn form_with_ten_thousand_fields_is_filled() {
    let field = |index: usize| match index % 3 {
        0 => text_field(&format!("F{index}"), &json!({ "validationpattern": "^[A-Z]{2}\\d+$" })),
        1 => text_field(&format!("F{index}"), &json!({ "validationtype": 2 })),
        _ => {
            json!({ "name": format!("F{index}"), "type": "DropDown", "properties": { "isRestricted": true, "isDynamicBind": true } })
        }
    };
    let fields: Vec<Value> = (0..10_000).map(field).collect();
    let (text, passes) = scenario(&json!(fields), &json!([]));
    assert_eq!(text.lines().filter(|line| line.starts_with("  F")).count(), 10_000);
    assert!(passes, "{}", text.get(..2000).unwrap_or(&text));
}
