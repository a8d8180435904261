//! Fixes change everything that repeats what they change, also in other files, and are offered only if they apply.

use super::fixes::{fixed, safe, status, with_file, withheld};
use crate::support::folder::{Folder, copy_of};
use serde_json::Value;

/// The personal id `Name` reaches a signing case; workflow and form say that it is not masked (WF614).
fn unmasked(folder: &str) -> [(String, String); 2] {
    let variables = r#""variables": [
    { "name": "Name", "id": 1, "variableType": "String", "isInputParameter": true, "shouldHide": false }
  ]"#;
    let case = r#"{ "name": "Ask", "type": "Provider", "method": "Request-ZPESignDocumentSignature", "providerParameters": [
    { "name": "ZPMediaGuid", "value": { "state": "static", "value": "9f5c1f0e-6a0e-4e0e-8a53-000000000000" } },
    { "name": "DocumentName", "value": { "state": "static", "value": "Contract" } },
    { "name": "PartyName", "value": { "state": "static", "value": "Kim" } },
    { "name": "PartyEmail", "value": { "state": "static", "value": "kim@example.com" } },
    { "name": "PartySSN", "value": { "state": "bound", "boundTo": "Name", "boundToId": 1 } }] }"#;
    let field = r#"{ "name": "Id", "type": "InputText", "isBound": true, "boundTo": "Name" }"#;
    [
        (format!("{folder}order.workflow.json"), format!("{{ \"activities\": [{case}],\n  {variables} }}\n")),
        (format!("{folder}order.form.json"), format!("{{ \"fields\": [{field}],\n  {variables} }}\n")),
    ]
}

const UNMASKED: &[&str] = &["--select", "WF614", "--unsafe-fixes"];

#[test]
fn fix_of_two_files_names_the_other_one_and_changes_both() {
    let [(workflow, text), (form, copy)] = unmasked("");
    let folder = Folder::with(&[(&workflow, &text), (&form, &copy)]);
    let report = folder.run(&[UNMASKED, &["--format", "json"]].concat()).expect_code(1).json();
    let edits = report["diagnostics"][0]["fix"]["edits"].as_array().unwrap().clone();
    let mut files: Vec<_> = edits.iter().map(|edit| edit["file"].as_str()).collect();
    files.sort_unstable();
    assert_eq!(files, [None, Some("order.form.json")]);
    let in_form = edits.iter().find(|edit| edit["file"].is_string()).unwrap();
    assert_eq!(in_form["range"]["start"]["line"], 3, "the range is that of the other file");
    let diff = folder.run(&[UNMASKED, &["--diff"]].concat()).expect_code(1);
    assert!(diff.out().contains("+++ order.form.json") && diff.out().contains("+++ order.workflow.json"));
    let fixed = folder.run(&[UNMASKED, &["--fix"]].concat()).expect_code(0);
    assert!(fixed.out().starts_with("Fixed 1 problem in 2 files.\n"), "{}", fixed.out());
    let cured = |text: &str| text.replace(r#""shouldHide": false"#, r#""shouldHide": true"#);
    assert_eq!((folder.read(&workflow), folder.read(&form)), (cured(&text), cured(&copy)));
}

#[test]
fn fix_of_a_file_that_is_not_named_is_not_offered() {
    let [(workflow, text), (form, copy)] = unmasked("");
    let folder = Folder::with(&[(&workflow, &text), (&form, &copy)]);
    let report = folder.run(&[UNMASKED, &["--fix", "--format", "json", &workflow]].concat()).expect_code(1).json();
    assert_eq!((&report["diagnostics"][0]["fix"], &report["summary"]["fixed"]), (&serde_json::Value::Null, &0.into()));
    assert_eq!((folder.read(&workflow), folder.read(&form)), (text, copy));
}

#[test]
fn fix_that_cannot_be_applied_is_not_offered_but_its_title_is_help() {
    let text = with_file(&[&withheld("If known"), &status("Say", "Name", 99, "")]);
    let folder = Folder::with(&[("a.json", &text)]);
    let output = folder.run(&["--format", "json"]).expect_code(1);
    let report = output.json();
    let found = |index: usize, key: &str| report["diagnostics"][index][key].clone();
    assert_eq!((found(0, "fix"), found(0, "help")), (serde_json::Value::Null, "set `boundTo` to `File`".into()));
    assert_eq!(
        (&found(1, "fix")["title"], found(1, "help")),
        (&"set `boundToId` to 1".into(), serde_json::Value::Null)
    );
    assert_eq!(report["summary"]["fixable"], 1);
    assert!(folder.run(&["."]).out().ends_with("Found 2 errors in 1 file (1 fixable with `--fix`).\n"));
}

#[cfg(unix)]
#[test]
fn no_file_of_a_fix_is_written_if_one_cannot_be() {
    let [(workflow, text), (form, copy)] = unmasked("a/");
    let folder = Folder::with(&[(&workflow, &text), (&form, &copy), ("b/b.json", &safe())]);
    std::fs::set_permissions(folder.file(&form), std::os::unix::fs::PermissionsExt::from_mode(0o444)).unwrap();
    let args = ["--fix", "--unsafe-fixes", "--select", "WF614,WF102"];
    let output = folder.run(&args).expect_code(2);
    assert!(output.err().contains("order.form.json") && output.err().contains("read-only"), "{}", output.err());
    assert_eq!((folder.read(&workflow), folder.read(&form), folder.read("b/b.json")), (text, copy, fixed()));
}

/// The services with editor state, as the platform exports them.
const EXPORTS: [&str; 9] = [
    "examples/approval",
    "examples/sign-directory",
    "examples/sign-json",
    "examples/sign-local-file",
    "examples/sign-upload",
    "tests/corpus/ok/approval",
    "tests/corpus/ok/sign-directory",
    "tests/corpus/ok/sign-file",
    "tests/corpus/ok/sign-json",
];

/// Calls `visit` with every object of a document.
fn objects(value: &mut Value, visit: &mut impl FnMut(&mut serde_json::Map<String, Value>)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| objects(item, visit)),
        Value::Object(members) => {
            visit(members);
            members.values_mut().for_each(|member| objects(member, visit));
        }
        _ => {}
    }
}

fn read(folder: &Folder, name: &str) -> Value {
    serde_json::from_str(&folder.read(name)).unwrap()
}

fn json_files(folder: &Folder) -> Vec<String> {
    folder.names().into_iter().filter(|name| name.ends_with(".json")).collect()
}

fn change(folder: &Folder, visit: &mut impl FnMut(&mut serde_json::Map<String, Value>)) {
    for name in json_files(folder) {
        let mut document = read(folder, &name);
        objects(&mut document, visit);
        folder.write(&name, serde_json::to_string_pretty(&document).unwrap());
    }
}

fn found(folder: &Folder) -> Vec<String> {
    let report = folder.run(&["--no-scripts", "--select", "ALL", "--format", "json", "."]).json();
    let codes = report["diagnostics"].as_array().unwrap().iter().map(|finding| finding["code"].as_str().unwrap());
    codes.map(str::to_owned).collect()
}

fn fix(folder: &Folder) {
    folder.run(&["--no-scripts", "--select", "ALL", "--fix", "--unsafe-fixes", "--quiet", "."]);
}

#[test]
fn renamed_variable_of_an_export_is_fixed_with_everything_that_repeats_its_name() {
    let mut tried = 0;
    for service in EXPORTS {
        let original = copy_of(service);
        let workflow = read(&original, "order.workflow.json");
        for variable in workflow["variables"].as_array().unwrap() {
            let old = variable["name"].as_str().unwrap();
            if old == "Json" {
                continue; // No fix changes a script, which sets this one.
            }
            let new = format!("{old}X");
            let folder = copy_of(service);
            change(&folder, &mut |object| {
                // The declarations, and the fields of the form, have the new name; everything else has the old one.
                let key = if object.contains_key("variableType") { "name" } else { "boundTo" };
                let is_field = object.contains_key("displayName") && object.contains_key("size");
                if object.get(key).and_then(Value::as_str) == Some(old) && (key == "name" || is_field) {
                    object.insert(key.to_owned(), Value::from(new.as_str()));
                }
            });
            let before = found(&folder);
            // The name of an output cannot change, nor does a fix change scripts.
            let is_renamed = before.iter().any(|code| code == "WF101" || code == "WF306");
            if !is_renamed || before.iter().any(|code| code == "WF301") {
                continue;
            }
            tried += 1;
            fix(&folder);
            let after = found(&folder);
            let left: Vec<_> =
                after.iter().filter(|code| ["WF101", "WF111", "WF306", "WF207"].contains(&code.as_str())).collect();
            assert!(left.is_empty(), "{service}, {old}: {before:?}, then {after:?}");
            let mut fixed = read(&folder, "order.workflow.json");
            objects(&mut fixed, &mut |object| {
                let own = object.get("ownBoundVariables").and_then(Value::as_array);
                assert!(own.is_none_or(|own| !own.contains(&Value::from(old))), "{service}, {old}: {object:?}");
            });
        }
    }
    assert!(tried >= 15, "{tried}");
}

#[test]
fn emptied_arrays_of_an_export_are_restored() {
    let mut tried = 0;
    for service in EXPORTS {
        let folder = copy_of(service);
        let mut is_changed = false;
        change(&folder, &mut |object| {
            // What is shown is no longer a placeholder, so that its entry and its bound variable are stale.
            if object.get("assignedVariables").and_then(Value::as_array).is_some_and(|entries| !entries.is_empty()) {
                object.insert("body".to_owned(), Value::from("Done"));
                is_changed = true;
            }
        });
        if is_changed {
            assert!(found(&folder).contains(&"WF307".to_owned()), "{service}");
            fix(&folder);
            let after = found(&folder);
            assert!(!after.iter().any(|code| code == "WF307" || code == "WF111"), "{service}: {after:?}");
            tried += 1;
        }
    }
    assert!(tried >= 3, "{tried}");
}

#[test]
fn flags_of_an_export_are_restored_in_all_copies() {
    let mut tried = 0;
    for service in EXPORTS {
        for (flag, rule) in
            [("required", "WF208"), ("isAdditional", "WF209"), ("hasValue", "WF219"), ("shouldHide", "WF614")]
        {
            let (original, folder) = (copy_of(service), copy_of(service));
            change(&folder, &mut |object| {
                // Of parameters, or of variables.
                let is_meant = object.contains_key("providerParameterType") || object.contains_key("shouldHide");
                if let Some(Value::Bool(flag)) = object.get_mut(flag).filter(|_| is_meant) {
                    *flag = false;
                }
            });
            if found(&folder).contains(&rule.to_owned()) {
                tried += 1;
                fix(&folder);
                for name in json_files(&folder) {
                    let is_restored = read(&folder, &name) == read(&original, &name);
                    assert!(is_restored, "{service}, {flag}: {name}: {:?}", found(&folder));
                }
            }
        }
    }
    assert!(tried >= 12, "{tried}");
}

/// `Wait` would look at a variable that no lookup writes. So its variable is renamed, and both keep their bindings.
#[test]
fn fix_of_one_variable_counts_for_all_its_uses() {
    let bound = r#"{ "isBound": true, "boundTo": "NdaStatus", "boundToId": 1 }"#;
    let look = r#"{ "name": "Look", "type": "Provider", "method": "Get-ZPESignDocumentSignatureStatus", "providerParameters": [
      { "name": "Id", "value": { "state": "static", "value": "1" } },
      { "name": "Prefix", "value": { "state": "static", "value": "Nda" } } ] }"#;
    let text = format!(
        r#"{{ "activities": [ {{ "name": "Wait", "type": "While", "ownBoundVariables": ["NdaStatus"],
    "expression": {{ "operand": "notEqual", "left": {bound}, "right": {{ "isBound": false, "value": "Finished" }} }},
    "iterationDelaySeconds": {{ "isBound": false, "value": 300 }}, "activities": [ {look},
    {{ "name": "Tell", "type": "Status", "ownBoundVariables": ["NdaStatus"], "status": {bound} }} ] }} ],
  "variables": [ {{ "name": "NdaState", "id": 1, "variableType": "String" }} ] }}
"#
    );
    let folder = Folder::with(&[("order.workflow.json", &text)]);
    folder.run(&["--fix", "--unsafe-fixes"]).expect_code(0);
    let fixed = folder.read("order.workflow.json");
    assert!(fixed.contains(r#"{ "name": "NdaStatus", "id": 1,"#) && !fixed.contains("NdaState\""), "{fixed}");
}
