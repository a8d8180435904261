//! Completions, also in texts that are being typed.

use wflint::lsp::features::{Completion, CompletionKind, completions};

use super::editor::Editor;

fn found(editor: &Editor) -> Vec<Completion> {
    let (file, offset) = editor.cursor;
    editor.ask(|snapshot| completions(snapshot, file, offset))
}

fn labels(editor: &Editor) -> Vec<String> {
    found(editor).into_iter().map(|found| found.label).collect()
}

/// The text after the completion with a label.
fn completed(editor: &Editor, label: &str) -> String {
    let all = found(editor);
    let found = all.iter().find(|found| found.label == label).unwrap_or_else(|| panic!("{label} in {all:?}"));
    let mut edits = found.additional.clone();
    let file = editor.cursor.0;
    edits.push(wflint::text::diagnostic::Edit { file, span: found.span, new_text: found.new_text.clone() });
    edits.sort_by_key(|edit| edit.span);
    editor.edited(&edits).remove(&file).unwrap()
}

/// The variables that need no declaration.
const SYSTEM: [&str; 5] =
    ["System.Order.Cost", "System.Order.MonthlyCost", "System.Order.Quantity", "ZPActivityStatus", "ZPErrorCode"];

const VARIABLES: &str = r#""variables": [
  { "name": "Who", "id": 1, "variableType": "String" },
  { "name": "Paper", "id": 2, "variableType": "File" },
  { "name": "ESignStatus", "id": 3 }
] }"#;

/// A workflow of one activity, or a part of one.
fn workflow(activity: &str) -> Editor {
    Editor::with(&[("order.json", &format!("{{ \"activities\": [\n{activity}\n], {VARIABLES}"))])
}

fn binding(parameter: &str, binding: &str) -> Editor {
    workflow(&format!(
        r#"{{ "name": "R", "type": "Provider", "method": "Request-ZPESignDocumentSignature", "providerParameters": [{{ "name": "{parameter}", "value": {binding} }}] }}"#
    ))
}

#[test]
fn variables_of_the_kind_that_fits_come_first() {
    let bound = r#"{ "state": "bound", "boundTo": "<|>" }"#;
    let all = labels(&binding("PartyName", bound));
    assert_eq!(all[..3], ["ESignStatus", "Who", "Paper"]);
    assert_eq!(all[3..], SYSTEM);
    assert_eq!(labels(&binding("ZPMediaGuid", bound))[0], "Paper");
    let field = r#"{ "fields": [{ "name": "F", "type": "InputFile", "isBound": true, "boundTo": "<|>" }], "variables": [{ "name": "A" }, { "name": "B", "variableType": "File" }] }"#;
    assert_eq!(labels(&Editor::with(&[("form.json", field)]))[..2], ["B", "A"]);
}

#[test]
fn id_is_set_along_with_the_name() {
    for (before, after) in [
        (
            r#"{ "boundToId": 0, "state": "bound", "boundTo": "P<|>x" }"#,
            r#"{ "boundToId": 2, "state": "bound", "boundTo": "Paper" }"#,
        ),
        (
            r#"{ "state": "bound", "boundTo": "<|>", "boundToId": 17 }"#,
            r#"{ "state": "bound", "boundTo": "Paper", "boundToId": 2 }"#,
        ),
        (r#"{ "state": "bound", "boundTo": "<|>" }"#, r#"{ "state": "bound", "boundTo": "Paper" }"#),
        (r#"{ "state": "bound", "boundTo": <|> }"#, r#"{ "state": "bound", "boundTo": "Paper" }"#),
    ] {
        let text = completed(&binding("ZPMediaGuid", before), "Paper");
        assert!(text.contains(after), "{text}");
    }
    let text = completed(
        &workflow(
            r#"{ "left": { "boundToId": 1 } }, { "name": "S", "type": "Status", "status": { "isBound": true, "boundTo": "<|>" } }"#,
        ),
        "Who",
    );
    assert!(text.contains(r#""boundTo": "Who", "boundToId": 1 }"#), "{text}");
}

#[test]
fn placeholders_are_completed_in_texts() {
    for (before, after) in [
        ("a {<|>", "a {Who}"),
        ("a {W<|>", "a {Who}"),
        ("a {W<|>x} b", "a {Who} b"),
        (r"\n{<|>} {Paper}", r"\n{Who} {Paper}"),
        (r#"{\"Name\": \"{<|>\"}"#, r#"{\"Name\": \"{Who}\"}"#),
    ] {
        let assign = |body: &str| format!(r#"{{ "name": "A", "type": "Assign", "body": "{body}" }}"#);
        let text = completed(&workflow(&assign(before)), "Who");
        assert!(text.contains(&assign(after)), "{text}");
    }
    assert_eq!(labels(&workflow(r#"{ "name": "A", "type": "Assign", "body": "{Who} <|>" }"#)), [""; 0]);
    let assign = |body: &str| format!(r#"{{ "name": "A", "type": "Assign", "body": "{body}" }}"#);
    let text = completed(&workflow(&assign("{System.Order.C<|>}")), "System.Order.Cost");
    assert!(text.contains(&assign("{System.Order.Cost}")), "{text}");
    let other = r#"{ "activities": [], "variables": [{ "name": "First \"Name\"", "id": 1 }] }"#;
    let typed = format!(r#"{{ "activities": [{}], "variables": [] }}"#, assign("{first <|>na} {x}"));
    let editor = Editor::with(&[("order.json", &typed), ("other.json", other)]);
    assert_eq!(labels(&editor), ["First \"Name\""]);
    let text = completed(&editor, "First \"Name\"");
    assert!(text.contains(&assign(r#"{First \"Name\"} {x}"#)), "{text}");
}

#[test]
fn known_values_are_completed() {
    for (activity, wanted) in [
        (
            r#"{ "type": "<|>" }"#,
            vec!["Approval", "Assign", "Code", "Event", "If", "Provider", "Sequence", "Status", "Terminate", "While"],
        ),
        (r#"{ "type": "If", "expression": { "operand": "<|>" } }"#, vec!["equal", "notEqual"]),
        (r#"{ "type": "Assign", "result": { "isBound": <|> } }"#, vec!["false", "true"]),
        (r#"{ "type": "Assign", "result": { "state": "b<|>" } }"#, vec!["bound", "notSet", "static"]),
        (r#"{ "type": "Event", "event": "<|>" }"#, vec!["OnForeachApprove", "OnForeachReject"]),
        (r#"{ "type": "Status", "statusTranslations": { "<|>": "x" } }"#, vec!["en-US"]),
        (
            r#"{ "type": "Provider", "method": "Get-ZPADUser", "providerParameters": [{ "name": "Property", "value": { "state": "static", "value": "Mail, <|>" } }] }"#,
            vec!["DisplayName", "Mobile"],
        ),
        (
            r#"{ "type": "Provider", "method": "Get-ZPADManager", "providerParameters": [{ "name": "Depth" }, { "name": "<|>" }, { "name": "Last" }] }"#,
            vec!["DomainController", "Identity", "LDAPFilter", "Prefix", "Property"],
        ),
        (r#"{ "type": "Provider", "stopOnError": true, "<|>" }"#, vec!["activities"]),
    ] {
        let found = labels(&workflow(activity));
        if wanted == ["activities"] {
            assert!(found.contains(&"method".to_owned()) && !found.contains(&"stopOnError".to_owned()), "{found:?}");
            assert!(!found.contains(&"script".to_owned()), "{found:?}");
        } else {
            assert_eq!(found, wanted, "{activity}");
        }
    }
    let methods = found(&workflow(r#"{ "type": "Provider", "method": "<|>" }"#));
    assert!(methods.iter().all(|found| found.kind == CompletionKind::Method && found.detail.is_some()));
    assert_eq!(methods.len(), 6);
}

#[test]
fn statuses_are_completed_in_a_condition_on_a_case() {
    let lookup = r#"{ "name": "L", "type": "Provider", "method": "Get-ZPESignDocumentSignatureStatus", "providerParameters": [{ "name": "Prefix", "value": { "state": "static", "value": "ESign" } }] }"#;
    let condition = |name: &str| {
        format!(
            r#"{lookup}, {{ "type": "If", "expression": {{ "left": {{ "isBound": true, "boundTo": "{name}" }}, "right": {{ "isBound": false, "value": "<|>" }} }} }}"#
        )
    };
    assert_eq!(labels(&workflow(&condition("ESignStatus"))), ["Draft", "Finished", "Rejected", "Sent"]);
    assert_eq!(labels(&workflow(&condition("Who"))), [""; 0]);
}

#[test]
fn form_and_names_in_a_scenario_are_completed() {
    let order = format!(
        "{{ \"activities\": [{{ \"name\": \"Ask\", \"type\": \"Approval\", \"connectedFormName\": \"\" }}], {VARIABLES}"
    );
    let names = |scenario: &str| labels(&Editor::with(&[("order.json", &order), ("a.scenario.json", scenario)]));
    assert_eq!(names(r#"{ "variables": { "Who": "", "<|>" } }"#), ["ESignStatus", "Paper"]);
    assert_eq!(names(r#"{ "approvals": { <|> } }"#), ["Ask"]);
    assert_eq!(
        names(r#"{ "expect": { "outcome": "<|>" } }"#),
        ["completed", "failed", "refused", "stuck", "terminated"]
    );
    let with_form = order.replace("\"connectedFormName\": \"\"", "\"connectedFormName\": \"<|>\"");
    assert_eq!(
        labels(&Editor::with(&[("order.json", &with_form), ("AForm.form.json", "{ \"fields\": [] }")])),
        ["AForm"]
    );
}

#[test]
fn text_that_is_being_typed_is_completed() {
    for (text, wanted) in [
        (
            "{ \"activities\": [{ \"type\": \"Assign\", \"result\": { \"isBound\": true, \"boundTo\": \"<|>\n",
            "ZPActivityStatus",
        ),
        ("{ \"activities\": [{ \"type\": \"Ass<|>\n  \"name\": \"A\" }]", "Assign"),
        ("{ \"activities\": [{ \"name\": \"A\", \"ty<|>", "type"),
        ("{ \"activities\": [{ \"name\": \"A\", <|>", "type"),
    ] {
        let editor = Editor::with(&[("order.json", text)]);
        assert!(labels(&editor).contains(&wanted.to_owned()), "{text}: {:?}", labels(&editor));
    }
    let editor = Editor::with(&[("order.json", "{ \"activities\": [{ \"type\": \"Ass<|>\n  \"name\": \"A\" }]")]);
    assert!(completed(&editor, "Assign").contains("\"type\": \"Assign\"\n"));
}

#[test]
fn nothing_is_completed_where_a_comma_or_a_colon_is_missing() {
    for text in [
        r#"{ "activities": [{ "name": "A", "type": "Terminate"<|>}] }"#,
        r#"{ "activities": [{ "name": "A"<|>, "type": "Terminate" }] }"#,
        r#"{ "activities": [{ "name"<|>: "A" }] }"#,
        r#"{ "activities": [{ "name": <|>"A" }] }"#,
        r#"{ "activities": [{ <|>"name": "A" }] }"#,
        r#"{ "activities": [<|>{ "name": "A" }] }"#,
        r#"{ "activities": [{ "name": "A", "type": "Terminate"<|>"#,
    ] {
        let editor = Editor::with(&[("order.json", text)]);
        assert_eq!(labels(&editor), [""; 0], "{text}");
    }
    let editor = Editor::with(&[("order.json", r#"{ "activities": [{ "name": "A", "type": <|>}] }"#)]);
    assert!(completed(&editor, "Assign").contains(r#""type": "Assign"}"#));
}

#[test]
fn a_common_output_that_is_declared_is_completed_once() {
    let text = r#"{ "activities": [{ "type": "Status", "status": { "isBound": true, "boundTo": "<|>" } }], "variables": [{ "name": "ZPActivityStatus", "id": 9 }] }"#;
    let mut found = labels(&Editor::with(&[("order.json", text)]));
    found.sort_unstable();
    assert_eq!(found, SYSTEM);
}

#[test]
fn variables_of_the_last_good_version_are_completed() {
    let good = workflow(r#"{ "name": "A", "type": "Sequence" }"#);
    let typed = workflow(r#"{ "name": "A", "type": "Assign", "body": "{<|> }"#);
    let (file, offset) = typed.cursor;
    let names = typed.ask_after(&good, |snapshot| completions(snapshot, file, offset));
    assert_eq!(
        names.iter().map(|found| found.label.as_str()).collect::<Vec<_>>(),
        [
            "ESignStatus",
            "Who",
            "Paper",
            "System.Order.Cost",
            "System.Order.MonthlyCost",
            "System.Order.Quantity",
            "ZPActivityStatus",
            "ZPErrorCode"
        ]
    );
}

const SERVICE: &str = r#"{ "activities": [
  { "name": "Ask", "type": "Approval" },
  { "name": "Find", "type": "Provider", "method": "Get-ZPADUser" }
], "variables": [{ "name": "Who", "id": 1 }, { "name": "State", "id": 2 }] }"#;

fn beside(name: &str, text: &str) -> Editor {
    Editor::with(&[("order.json", SERVICE), (name, text)])
}

#[test]
fn names_in_yaml_scenarios_are_completed() {
    for (text, wanted) in [
        ("workflow: order.json\nvariables: { Who: x, <|> }\n", vec!["State"]),
        ("workflow: order.json\nvariables:\n  Who: x\n  <|>\n", vec!["State"]),
        ("expect:\n  variables:\n    St<|>\n    Who: x\n", vec!["State"]),
        ("expect:\n  outcome: <|>\n", vec!["completed", "failed", "refused", "stuck", "terminated"]),
        ("approvals:\n  <|>", vec!["Ask"]),
        ("faults:\n  - { method: <|> }\n", vec!["Get-ZPADUser"]),
        ("limits: { <|> }\n", vec!["script-seconds", "steps", "virtual-time"]),
        ("variables: { 'St<|>' }", vec!["State", "Who"]),
    ] {
        assert_eq!(labels(&beside("a.scenario.yaml", text)), wanted, "{text}");
    }
    let form = r#"{ "fields": [{ "name": "Reason", "type": "InputText" }], "variables": [] }"#;
    let with_form = |name: &str, scenario: &str| {
        labels(&Editor::with(&[("order.json", SERVICE), ("order.form.json", form), (name, scenario)]))
    };
    for scenario in [
        "workflow: order.json\nform: order.form.json\nsubmit:\n  <|>\n",
        "submit:\n  <|>\n\n# The form\nform: order.form.json\n",
        "submit:\n  Other: x\n  <|>\nvariables:\n  State: x\nform: order.form.json\n",
        "submit: { <|> }\nform: order.form.json\n",
    ] {
        assert_eq!(with_form("a.scenario.yaml", scenario), ["Reason"], "{scenario}");
    }
    assert_eq!(with_form("a.scenario.toml", "form = 'order.form.json'\n[submit]\n<|>\n"), ["Reason"]);
    // A key of another object is not that of the scenario.
    assert_eq!(with_form("a.scenario.yaml", "submit:\n  <|>\nexpect:\n  form: x\n"), ["State", "Who"]);
    let editor = beside("a.scenario.yaml", "variables:\n  S<|>: x\n");
    assert_eq!(completed(&editor, "State"), "variables:\n  State: x\n");
}

#[test]
fn names_of_tables_are_completed() {
    let labels = |text: &str| labels(&beside("wflint.toml", text));
    let all = labels("fail-on = 'info'\n[<|>\n");
    for name in ["explore", "fmt", "law", "scripts", "severity", "suppress"] {
        assert!(all.contains(&name.to_owned()), "{name}: {all:?}");
    }
    assert!(!all.contains(&"select".to_owned()) && !all.contains(&"fail-on".to_owned()), "{all:?}");
    let lists = labels("[[<|>]]\n");
    assert!(lists.contains(&"law".to_owned()) && !lists.contains(&"fmt".to_owned()), "{lists:?}");
    // A table is there once, entries of a list are many.
    let others = labels("[fmt]\n[[law]]\n[<|>]\n");
    assert!(others.contains(&"law".to_owned()) && !others.contains(&"fmt".to_owned()), "{others:?}");
    assert_eq!(labels("[explore.<|>"), ["assume", "fields"]);
    assert!(!labels("select = [\n  'WF101',\n[<|>\n]\n").contains(&"fmt".to_owned()));
    for (text, wanted) in [("[f<|>\n", "[fmt]\n"), ("[f<|>] # the layout\n", "[fmt] # the layout\n")] {
        assert_eq!(completed(&beside("wflint.toml", text), "fmt"), wanted);
    }
    assert_eq!(completed(&beside("wflint.toml", "[la<|>"), "law"), "[[law]]");
}

#[test]
fn names_in_toml_are_completed() {
    for (text, wanted) in [
        ("[[law]]\nname = 'l'\nexpect.variables.<|>\n", vec!["State", "Who"]),
        ("[[law]]\nname = 'l'\nwhen = { variables = { Who = 'x', <|> } }\n", vec!["State"]),
        ("[types.activities]\nX = { kind = 'leaf', writes = ['<|>'] }\n", vec!["State", "Who"]),
        ("[[suppress]]\nactivity = \"<|>\"\n", vec!["Ask", "Find"]),
        ("fail-on = \"<|>\"\n", vec!["error", "info", "never", "warning"]),
    ] {
        assert_eq!(labels(&beside("wflint.toml", text)), wanted, "{text}");
    }
    assert!(labels(&beside("wflint.toml", "select = [\n  \"WF1\",\n  \"<|>\"\n]\n")).contains(&"WF101".to_owned()));
    assert_eq!(labels(&beside("wflint.toml", "[fmt]\n<|>")), labels(&beside("wflint.toml", "[fmt]\n<|>\n")));
    assert!(labels(&beside("wflint.toml", "[fmt]\n<|>")).contains(&"indent".to_owned()));
    assert!(labels(&beside("wflint.toml", "fail-on = 'info'\n<|>\n")).contains(&"select".to_owned()));
    assert_eq!(
        completed(&beside("wflint.toml", "[severity]\nWF1<|> = 'info'\n"), "WF101"),
        "[severity]\nWF101 = 'info'\n"
    );
    assert_eq!(labels(&beside("a.scenario.toml", "workflow = 'order.json'\n[variables]\n<|>\n")), ["State", "Who"]);
}
