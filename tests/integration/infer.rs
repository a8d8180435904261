//! `wflint catalog infer`: what calls show of methods that no catalog has.

mod contents;
mod property;

use serde_json::{Value, json};

use crate::support::folder::Folder;

/// A provider activity with these parameters.
fn call(name: &str, method: &str, parameters: &[Value]) -> Value {
    json!({
        "name": name, "type": "Provider", "method": method, "methodId": 7, "package": "acme", "module": "Activity.Box",
        "stopOnError": true, "providerParameters": parameters,
    })
}

fn fixed(name: &str, value: &str) -> Value {
    json!({ "id": 1, "name": name, "providerParameterType": "string", "required": false,
            "value": { "state": "static", "value": value } })
}

fn bound(name: &str, variable: &str) -> Value {
    json!({ "id": 1, "name": name, "providerParameterType": "string", "required": true,
            "value": { "state": "bound", "boundTo": variable } })
}

fn status(variable: &str) -> Value {
    json!({ "name": format!("Say {variable}"), "type": "Status", "status": { "isBound": true, "boundTo": variable } })
}

/// A workflow, and the form that fills some of its variables.
fn service(activities: &[Value], variables: &[&str], filled: &[&str]) -> Folder {
    let variables: Vec<Value> = variables
        .iter()
        .zip(1..)
        .map(|(name, id)| json!({ "name": name, "id": id, "realId": id, "variableType": "String" }))
        .collect();
    let fields: Vec<Value> = filled
        .iter()
        .map(|name| {
            json!({ "name": name, "type": "InputText", "displayName": { "en-US": name }, "isBound": true, "boundTo": name })
        })
        .collect();
    let folder = Folder::with(&[]);
    let workflow = json!({ "activities": activities, "variables": variables });
    folder.write("order.workflow.json", serde_json::to_string_pretty(&workflow).unwrap());
    folder.write("order.form.json", json!({ "fields": fields, "variables": variables }).to_string());
    folder
}

/// The printed catalog, and what is listed.
fn inferred(folder: &Folder) -> (String, String) {
    let output = folder.run(&["catalog", "infer"]).expect_code(0);
    (output.out().to_owned(), output.err().to_owned())
}

/// The findings of a lint: rule, file and place.
fn findings(folder: &Folder) -> Vec<(String, String, String)> {
    let report = folder.run(&["--format", "json", "--select", "ALL"]).json();
    let text = |finding: &Value, key: &str| finding[key].as_str().unwrap().to_owned();
    let all = report["diagnostics"].as_array().unwrap().iter();
    all.map(|it| (text(it, "code"), text(it, "file"), text(it, "pointer"))).collect()
}

/// Infers catalogs, and holds that they bring no new finding but about contradictions; a second run changes nothing.
fn check_property(folder: &Folder) {
    let before = findings(folder);
    let output = folder.run(&["catalog", "infer", "--output", "inferred"]);
    if output.code != 0 || !folder.file("inferred").is_dir() {
        assert!(!before.iter().any(|(code, ..)| code == "WF202") || output.code == 2, "{}", output.err());
        return;
    }
    let written: Vec<(String, String)> = names(folder).into_iter().map(|name| (folder.read(&name), name)).collect();
    assert!(folder.run(&["catalog", "infer", "--output", "inferred"]).expect_code(0).out().is_empty());
    for (text, name) in &written {
        assert_eq!(*text, folder.read(name), "a second run changes no byte");
    }
    let config = folder.file("wflint.toml");
    let own = if config.exists() { folder.read("wflint.toml") } else { String::new() };
    let (head, catalogs) = match own.split_once("catalogs = [") {
        Some((head, rest)) => (head.to_owned(), format!("catalogs = [\"inferred/*.toml\", {rest}")),
        None => (String::new(), format!("catalogs = [\"inferred/*.toml\"]\n{own}")),
    };
    folder.write("wflint.toml", head + &catalogs);
    let after = findings(folder);
    let is_new =
        |it: &&(String, String, String)| !before.contains(it) && !["WF203", "WF205", "WF208"].contains(&it.0.as_str());
    let new: Vec<_> = after.iter().filter(is_new).collect();
    let catalogs: String = written.into_iter().map(|(text, _)| text).collect();
    assert!(new.is_empty(), "{new:?}\n{}\n{catalogs}", output.err());
    assert!(!after.iter().any(|(code, ..)| code == "WF202"), "{after:?}\n{catalogs}");
    assert!(folder.run(&["catalog", "infer", "--output", "inferred"]).expect_code(0).out().is_empty());
}

fn names(folder: &Folder) -> Vec<String> {
    let entries = std::fs::read_dir(folder.file("inferred")).unwrap();
    entries.map(|entry| format!("inferred/{}", entry.unwrap().file_name().to_str().unwrap())).collect()
}
