//! Renaming, one place at a time.

use wflint::lsp::features::{prepare_rename, rename};

use super::editor::Editor;

/// The texts of the files that a renaming changes, or why it is refused.
fn renamed(files: &[(&str, &str)], new: &str) -> Result<Vec<String>, String> {
    let editor = Editor::with(files);
    let (file, offset) = editor.cursor;
    let edits = editor.ask(|snapshot| rename(snapshot, file, offset, new))?;
    Ok(editor.edited(&edits).into_values().collect())
}

/// As [`renamed`], of one workflow with these activities and variables.
fn in_workflow(activities: &str, variables: &[&str], new: &str) -> Result<String, String> {
    let [before, after] = frame(variables);
    let texts = renamed(&[("order.json", &format!("{before}{activities}{after}"))], new)?;
    Ok(texts.concat().replace(&before, "").split_once("], \"variables\"").unwrap().0.to_owned())
}

fn frame(variables: &[&str]) -> [String; 2] {
    let variables: Vec<String> =
        (1..).zip(variables).map(|(id, name)| format!("{{ \"name\": \"{name}\", \"id\": {id} }}")).collect();
    ["{ \"activities\": [".to_owned(), format!("], \"variables\": [{}] }}", variables.join(", "))]
}

#[test]
fn variable_is_renamed_in_all_files() {
    let [before, after] = frame(&["Who"]);
    let assign = r#"{ "name": "A", "type": "Assign", "body": "\n{W<|>ho}{Who} Who", "assignedVariables": [{ "isBound": true, "boundTo": "Who" }], "ownBoundVariables": ["Who"] }"#;
    let texts = renamed(
        &[
            ("order.json", &format!("{before}{assign}{after}")),
            ("form.json", r#"{ "fields": [{ "name": "Who", "boundTo": "Who" }], "variables": [{ "name": "Who" }] }"#),
            (
                "a.scenario.yaml",
                "workflow: order.json\nvariables: { Who: a, \"Who\": b }\nexpect:\n  variables: {'Who': c}\n",
            ),
            ("b.scenario.json", r#"{ "workflow": "order.json", "submit": { "Who": "Who" } }"#),
            ("c.scenario.toml", "workflow = 'order.json'\nsubmit = { Who = 'x' }\n"),
            (
                "wflint.toml",
                "[types.activities]\nX = { kind = 'leaf', writes = ['Who'] }\n[[law]]\nname = 'l'\nexpect.variables.Who = 'x'\n",
            ),
        ],
        "Åse",
    );
    assert_eq!(
        texts.unwrap(),
        [
            r#"{ "fields": [{ "name": "Who", "boundTo": "Åse" }], "variables": [{ "name": "Åse" }] }"#,
            r#"{ "activities": [{ "name": "A", "type": "Assign", "body": "\n{Åse}{Åse} Who", "assignedVariables": [{ "isBound": true, "boundTo": "Åse" }], "ownBoundVariables": ["Åse"] }], "variables": [{ "name": "Åse", "id": 1 }] }"#,
            "workflow: order.json\nvariables: { Åse: a, \"Åse\": b }\nexpect:\n  variables: {'Åse': c}\n",
            r#"{ "workflow": "order.json", "submit": { "Åse": "Who" } }"#,
            "workflow = 'order.json'\nsubmit = { \"Åse\" = 'x' }\n",
            "[types.activities]\nX = { kind = 'leaf', writes = ['Åse'] }\n[[law]]\nname = 'l'\nexpect.variables.\"Åse\" = 'x'\n",
        ]
    );
}

/// A Code activity whose parameter `P` is bound to `Who`.
fn code(parameter: &str, script: &str) -> String {
    format!(
        r#"{{ "name": "C", "type": "Code", "parameters": [{{ "name": "{parameter}", "value": {{ "isBound": true, "boundTo": "Wh<|>o" }} }}], "script": "{script}" }}"#
    )
}

#[test]
fn parameter_of_a_script_is_renamed_with_its_uses_where_the_script_allows_it() {
    for (script, new, wanted) in [
        (r"Json = Who + \n \u0057ho;", "New", Some(r"Json = New + \n New;")),
        ("Json = f({ Who, a: Who.Who, Who: 1 })", "New", Some("Json = f({ Who: New, a: New.Who, Who: 1 })")),
        ("Json = `${Who}` + 'Who' /* Who */", "New", Some("Json = `${New}` + 'Who' /* Who */")),
        ("function f(Who) { return Who } Json = f(1)", "New", None),
        ("Json = Who", "a-b", None),
        ("Json = Who", "class", None),
        ("var New = 1; Json = Who", "New", None),
        ("Json = Who + New", "New", None),
        ("Json = eval('Who')", "New", None),
        ("Json = this.Who", "New", None),
        ("Json = (", "New", None),
    ] {
        let found = in_workflow(&code("Who", script), &["Who"], new).unwrap();
        let parameter = if wanted.is_some() { new } else { "Who" };
        let expected = code(parameter, wanted.unwrap_or(script)).replace("Wh<|>o", new);
        assert_eq!(found, expected, "{script}");
    }
    let found = in_workflow(&code("p", "Json = p"), &["Who"], "New").unwrap();
    assert_eq!(found, code("p", "Json = p").replace("Wh<|>o", "New"));
}

const CALLS: &str = r#"
{ "name": "R", "type": "Provider", "method": "Request-ZPESignDocumentSignature", "providerParameters": [{ "name": "Prefix", "value": { "state": "static", "value": "ESign" } }] },
{ "name": "S", "type": "Provider", "method": "Get-ZPESignDocumentSignatureStatus", "providerParameters": [{ "name": "Id", "value": { "state": "bound", "boundTo": "ESignId" } }, { "name": "Prefix", "value": { "state": "static", "value": "ESign" } }], "allProviderParameters": [{ "name": "Prefix", "value": { "state": "static", "value": "ESign" } }] },
{ "name": "T", "type": "Status", "status": { "isBound": true, "boundTo": "ESignStatus" } }"#;

#[test]
fn prefix_is_renamed_with_all_its_outputs() {
    let activities = CALLS.replacen("\"ESign\"", "\"ES<|>ign\"", 1);
    let found = in_workflow(&activities, &["ESignId", "ESignStatus", "ESigner"], "Case").unwrap();
    assert_eq!(
        found,
        CALLS.replace("ESign\"", "Case\"").replace("ESignId", "CaseId").replace("ESignStatus", "CaseStatus")
    );
}

#[test]
fn a_name_with_dots_and_blanks_is_quoted_where_it_has_to_be() {
    let [before, after] = frame(&["Who"]);
    let assign = r#"{ "name": "A", "type": "Assign", "body": "{W<|>ho}" }"#;
    let yaml = "workflow: order.json\nvariables: { Who: a, \"Who\": b }\nexpect: { variables: { 'Who': c } }\n";
    let texts = renamed(
        &[
            ("order.json", &format!("{before}{assign}{after}")),
            ("a.scenario.yaml", yaml),
            ("c.scenario.toml", "workflow = 'order.json'\nvariables = { Who = 'x' }\n"),
        ],
        "A.b 'C'",
    );
    let texts = texts.unwrap();
    assert!(texts[0].contains("{A.b 'C'}") && texts[0].contains("\"A.b 'C'\""), "{}", texts[0]);
    let yaml = "variables: { \"A.b 'C'\": a, \"A.b 'C'\": b }\nexpect: { variables: { 'A.b ''C''': c } }\n";
    assert!(texts[1].contains(yaml), "{}", texts[1]);
    assert!(texts[2].contains("{ \"A.b 'C'\" = 'x' }"), "{}", texts[2]);
}

#[test]
fn refusals_say_why() {
    let refusal =
        |activities: &str, variables: &[&str], new: &str| in_workflow(activities, variables, new).unwrap_err();
    let say = |name: &str| {
        format!(r#"{{ "name": "A", "type": "Status", "status": {{ "isBound": true, "boundTo": "{name}<|>" }} }}"#)
    };
    let with = |activities: &str| format!("{CALLS}, {activities}");
    for (activities, new, wanted) in [
        (say("Missing"), "New", "undefined variable `Missing`"),
        (say("Who"), "Other", "`Other` is taken"),
        (say("Who"), "a{b", "`a{b` cannot be in a placeholder: expected a name without braces"),
        (say("Who"), " ", "` ` cannot be in a placeholder: expected a name without braces"),
        (say("Who"), "ZPActivityStatus", "`ZPActivityStatus` is taken"),
        (with(&say("Who")), "ESignStatus", "`ESignStatus` is taken"),
        (say("ZPActivityStatus"), "New", "`ZPActivityStatus` is a system variable, which the platform names"),
        (
            with(&say("ESignId")),
            "New",
            "`ESignId` is an output with the prefix `ESign`; rename the value of the prefix, with all its outputs",
        ),
        (CALLS.replacen("\"ESign\"", "\"ESign<|>\"", 1), "Othe", "`OtheId` is taken"),
        (
            CALLS.replacen("\"ESign\"", "\"ESign<|>\"", 1),
            "a}",
            "`a}` cannot be in a placeholder: expected a name without braces",
        ),
        (
            format!("{}, {}", code("p", "Json = p").replace("<|>", ""), say("Json")),
            "New",
            "`Json` holds the results of scripts, which the platform names",
        ),
        (
            code("p", "Json = p<|>").replace("Wh<|>o", "Who"),
            "New",
            "`p` is a parameter of the script, bound to `Who`; rename the variable where it is bound",
        ),
        (
            say("Who").replace("<|>", "").replace("Status\"", "Sta<|>tus\""),
            "New",
            "expected the name of a variable, or the prefix of outputs",
        ),
        (
            say("Who").replace("<|>", "").replace("\"A\"", "\"<|>A\""),
            "New",
            "only variables and prefixes of outputs can be renamed",
        ),
    ] {
        assert_eq!(refusal(&activities, &["Who", "Other", "ESignId", "ESignStatus", "Json", "OtheId"], new), wanted);
    }
}

#[test]
fn shared_configuration_is_not_changed_for_another_service() {
    let editor = Editor::with(&[
        ("order.json", r#"{ "activities": [], "variables": [{ "name": "W<|>ho", "id": 1 }] }"#),
        ("wflint.toml", "[types.activities]\nX = { kind = 'leaf', writes = ['Who'] }\n"),
    ]);
    let other = Editor::with(&[("x.json", r#"{ "activities": [], "variables": [{ "name": "Who", "id": 1 }] }"#)]);
    let (file, offset) = editor.cursor;
    let found = editor.ask_beside(&other, |snapshot| rename(snapshot, file, offset, "New"));
    assert_eq!(found.unwrap_err(), "wflint.toml names `Who`, which x.json has, too");
}

#[test]
fn name_is_prepared_without_quotes_and_braces() {
    for (text, wanted) in [
        (r#"{ "activities": [{ "name": "A", "type": "Assign", "body": "{<|>Who}" }] }"#, "{«Who»}"),
        (r#"{ "activities": [], "variables": [{ "name": "Who<|>", "id": 1 }] }"#, "\"«Who»\""),
    ] {
        let editor = Editor::with(&[("order.json", text)]);
        let (file, offset) = editor.cursor;
        let found = editor.ask(|snapshot| prepare_rename(snapshot, file, offset)).unwrap();
        assert_eq!(found.name, "Who");
        let shown = editor.show(wflint::lsp::features::FileSpan { file, span: found.span });
        assert!(shown.contains(wanted), "{shown}");
    }
}

#[test]
fn nothing_is_renamed_while_a_scenario_cannot_be_read() {
    let files = [
        ("order.json", r#"{ "activities": [], "variables": [{ "name": "W<|>ho", "id": 1 }] }"#),
        ("a.scenario.yaml", "workflow: order.json\nbad: [\n"),
    ];
    let reason = renamed(&files, "Whom").unwrap_err();
    assert!(reason.contains("a.scenario.yaml cannot be read"), "{reason}");
}
