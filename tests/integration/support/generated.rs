//! Scenarios that are generated from workflows and forms: everyone does everything that they can, or nothing at all.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::folder::Folder;

/// A string that every field and parameter accepts.
const TEXT: &str = "19900101-2385";
const MAIL: &str = "anna@example.com";

/// Writes scenarios for every workflow of a folder into its folder `generated`; returns the names of the workflows.
pub fn write_scenarios(folder: &Folder) -> Vec<String> {
    let mut documents = Vec::new();
    for entry in ignore::Walk::new(folder.path()) {
        let path = entry.unwrap().into_path();
        let Some(Ok(document)) = path.is_file().then(|| read(&path)) else { continue };
        let name = path.strip_prefix(folder.path()).unwrap().to_path_buf();
        documents.push((name, document));
    }
    documents.sort_by(|a, b| a.0.cmp(&b.0));
    let mut workflows = Vec::new();
    for (name, document) in &documents {
        if !document["activities"].is_array() || name.extension().is_none_or(|end| end != "json") {
            continue;
        }
        let form = documents.iter().find(|(other, form)| {
            let stem = other.file_name().unwrap().to_string_lossy().split('.').next().unwrap().to_owned();
            let is_named = document.to_string().contains(&format!("\"connectedFormName\":\"{stem}\""));
            other.parent() == name.parent() && form["fields"].is_array() && !is_named
        });
        let is_alone = documents
            .iter()
            .all(|(other, it)| other == name || other.parent() != name.parent() || !it["activities"].is_array());
        let form = form.filter(|_| is_alone);
        for (index, action) in [Some(("sign", "approve")), Some(("reject", "reject")), None].into_iter().enumerate() {
            let scenario = scenario(name, document, form, is_alone, action);
            let file = format!("generated/{}-{index}.scenario.json", workflows.len());
            folder.write(file, scenario.to_string());
        }
        workflows.push(name.display().to_string());
    }
    workflows
}

fn read(path: &Path) -> Result<Value, serde_json::Error> {
    serde_json::from_slice(&std::fs::read(path).unwrap())
}

type Document = (std::path::PathBuf, Value);

fn scenario(
    name: &Path,
    workflow: &Value,
    form: Option<&Document>,
    is_alone: bool,
    action: Option<(&str, &str)>,
) -> Value {
    let mut scenario = Map::new();
    let file = |path: &Path| format!("../{}", path.display());
    scenario.insert("name".into(), json!(name.parent().unwrap().display().to_string()));
    scenario.insert("workflow".into(), json!(file(name)));
    if let Some((path, form)) = form {
        scenario.insert("form".into(), json!(file(path)));
        scenario.insert("submit".into(), fields(&form["fields"]).into());
    } else {
        scenario.insert("variables".into(), given_elsewhere(workflow, is_alone).into());
    }
    scenario.insert("directory".into(), directory(workflow));
    if let Some((signing, approval)) = action {
        let does = |action: &str| json!({ MAIL: { "after": "1h", "action": action } });
        scenario.insert("signing".into(), does(signing));
        let mut approvals = Map::new();
        visit(workflow, &mut |object| {
            if let Some(name) = object["name"].as_str().filter(|_| object["type"] == "Approval") {
                approvals.insert(name.to_owned(), does(approval));
            }
        });
        scenario.insert("approvals".into(), approvals.into());
    }
    scenario.insert("providers".into(), unknown_methods(workflow).into());
    scenario.insert("limits".into(), json!({ "steps": 3000, "virtual-time": "3650d", "script-seconds": 2 }));
    scenario.into()
}

/// A value for every field that accepts one.
fn fields(list: &Value) -> Map<String, Value> {
    let mut filled = Map::new();
    for field in list.as_array().into_iter().flatten() {
        filled.extend(fields(&field["fieldsViewModel"]["fields"]));
        let name = field["name"].as_str().unwrap_or_default().to_owned();
        if name.is_empty() || field["hidden"] == true || field["readonly"] == true {
            continue;
        }
        let properties = &field["properties"];
        let value = match field["type"].as_str() {
            Some("InputFile") => json!({ "file": "a.pdf" }),
            Some("InputText") if properties["validationtype"] == 2 => json!(MAIL),
            Some("DropDown") if properties["isDynamicBind"] == true => json!("anna"),
            Some("DropDown") => properties["dropdownItems"][0]["value"].clone(),
            Some("InputText") => json!(TEXT),
            _ => continue,
        };
        if value.is_string() || value.is_object() {
            filled.insert(name, value);
        }
    }
    filled
}

/// Variables that get their values from outside: without an order form those that no activity writes,
/// and those that another workflow of the service may write.
fn given_elsewhere(workflow: &Value, is_alone: bool) -> Map<String, Value> {
    let mut written: Vec<String> = vec!["Json".into()];
    let mut prefixes: Vec<String> = Vec::new();
    visit(workflow, &mut |object| {
        for target in ["result", "approvalResult", "providerResult"] {
            written.extend(object[target]["boundTo"].as_str().map(str::to_owned));
        }
        // What a method that no catalog has writes is not known.
        if object["method"].as_str().is_some_and(|method| method.contains("-ZP")) {
            let parameters = object["providerParameters"].as_array().into_iter().flatten();
            let prefix = parameters.into_iter().find(|one| one["name"] == "Prefix");
            prefixes.extend(prefix.and_then(|one| one["value"]["value"].as_str()).map(str::to_owned));
        }
    });
    let names = workflow["variables"].as_array().into_iter().flatten().filter_map(|one| one["name"].as_str());
    let is_written = |name: &&str| {
        let has_prefix = |name: &str| prefixes.iter().any(|prefix| !prefix.is_empty() && name.starts_with(prefix));
        is_alone && (written.iter().any(|one| one == name) || has_prefix(name))
    };
    names.filter(|name| !is_written(name)).map(|name| (name.to_owned(), json!(TEXT))).collect()
}

/// One person who is everything: user, manager's subordinate, and member of every group.
fn directory(workflow: &Value) -> Value {
    let person = |name: &str, account: &str| {
        json!({
            "dn": format!("CN={name},DC=example,DC=com"), "sAMAccountName": account, "displayName": name,
            "mail": MAIL, "mobile": "+46 70 000 00 01", "telephoneNumber": "+46 8 000 00 01",
            "manager": "CN=Erik,DC=example,DC=com", "member": "CN=Anna,DC=example,DC=com",
        })
    };
    let mut entries = vec![person("Anna", "anna"), person("Erik", "erik"), person("All", TEXT)];
    let mut known = BTreeSet::new();
    visit(workflow, &mut |object| {
        let Some(identity) = object["value"]["value"].as_str().filter(|_| object["name"] == "Identity") else { return };
        if known.insert(identity.to_owned()) && !identity.is_empty() {
            let mut entry = person(&format!("Group {}", known.len()), identity);
            if identity.contains('=') {
                entry["dn"] = json!(identity);
            }
            entries.push(entry);
        }
    });
    for group in ["Approvers-Finance", "Approvers-Sales", "Approvers-Production", "Finance"] {
        if known.insert(group.to_owned()) {
            entries.push(person(group, group));
        }
    }
    entries.into()
}

/// The outputs of methods that are not simulated: every variable that their prefix allows.
fn unknown_methods(workflow: &Value) -> Map<String, Value> {
    let mut methods = Map::new();
    let names: Vec<&str> =
        workflow["variables"].as_array().into_iter().flatten().filter_map(|one| one["name"].as_str()).collect();
    visit(workflow, &mut |object| {
        let Some(method) = object["method"].as_str().filter(|method| !method.contains("-ZP")) else { return };
        let parameters = object["providerParameters"].as_array().into_iter().flatten();
        let prefix = parameters.into_iter().find(|one| one["name"] == "Prefix");
        let prefix = prefix.and_then(|one| one["value"]["value"].as_str()).unwrap_or_default();
        let outputs: Map<String, Value> = names
            .iter()
            .filter_map(|name| Some((name.strip_prefix(prefix)?.to_owned(), json!(TEXT))))
            .filter(|(name, _)| !name.is_empty())
            .collect();
        methods.insert(method.to_owned(), vec![json!({ "outputs": outputs }); 50].into());
    });
    methods
}

fn visit(value: &Value, look: &mut impl FnMut(&Value)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| visit(item, look)),
        Value::Object(members) => {
            look(value);
            members.values().for_each(|member| visit(member, look));
        }
        _ => {}
    }
}
