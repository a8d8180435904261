//! Completes the snippet of a page into a document, so that pages show only what matters.
//!
//! A snippet is a whole document, an array of activities or fields, or one of them. Where it has no
//! `variables`, every variable that it uses is declared; those that an Assign or a provider writes
//! are outputs of the workflow, so that a snippet need not use them. The text of the snippet is left
//! unchanged.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::catalog::Catalog;
use crate::graph::placeholders;

/// Completes the files of an example, each with its name and text; `fixed` ones, if any, replace those of the same name,
/// with the same variables.
pub fn complete(files: &[(String, String)], fixed: &[(String, String)]) -> Vec<(String, String)> {
    let mut variables = Variables::default();
    for (name, text) in files {
        if let Ok(value) = serde_json::from_str::<Value>(text) {
            variables.collect(name, &value);
        }
    }
    let replaced = files.iter().map(|(name, text)| {
        let fixed = fixed.iter().find(|(fixed, _)| fixed == name).map(|(_, text)| text);
        (name, fixed.unwrap_or(text))
    });
    replaced
        .map(|(name, text)| {
            let completed = complete_one(text, &variables);
            let name = if name.is_empty() { usual_name(&completed) } else { name.as_str() };
            (name.to_owned(), completed)
        })
        .collect()
}

fn usual_name(text: &str) -> &'static str {
    match serde_json::from_str::<Value>(text) {
        Ok(value) if value.get("fields").is_some() => "order.form.json",
        Ok(value) if value.get("Parties").is_some() => "case.json",
        _ => "order.workflow.json",
    }
}

fn complete_one(text: &str, variables: &Variables) -> String {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return text.to_owned() };
    let list = match &value {
        Value::Array(items) => list_of(items.first()),
        Value::Object(members) if members.contains_key("type") => list_of(Some(&value)),
        _ => None,
    };
    match (&value, list) {
        (Value::Array(_), Some(list)) => format!("{{\"{list}\": {text}, \"variables\": {}}}", variables.list()),
        (_, Some(list)) => format!("{{\"{list}\": [{text}], \"variables\": {}}}", variables.list()),
        (Value::Object(members), None)
            if (members.contains_key("activities") || members.contains_key("fields"))
                && !members.contains_key("variables") =>
        {
            let body = text.trim_end().strip_suffix('}').unwrap_or_default();
            format!("{body}, \"variables\": {}}}", variables.list())
        }
        _ => text.to_owned(),
    }
}

const FIELDS: [&str; 4] = ["InputText", "InputFile", "FormSection", "DropDown"];

fn list_of(item: Option<&Value>) -> Option<&'static str> {
    let item = item?;
    let is_field =
        string(item, "type").is_some_and(|name| FIELDS.contains(&name)) || item.get("fieldsViewModel").is_some();
    item.is_object().then_some(if is_field { "fields" } else { "activities" })
}

fn string<'v>(object: &'v Value, key: &str) -> Option<&'v str> {
    object.get(key)?.as_str()
}

/// Names of variables, each with its id and type.
#[derive(Default)]
struct Variables {
    all: BTreeMap<String, (Option<i64>, &'static str)>,
    /// The outputs of the workflow.
    outputs: BTreeSet<String>,
}

impl Variables {
    fn add(&mut self, name: &str, id: Option<i64>, kind: &'static str) {
        if name.is_empty() || Catalog::built_in().is_common_output(name) {
            return;
        }
        let known = self.all.entry(name.to_owned()).or_insert((id, kind));
        known.0 = known.0.or(id);
        if kind == "File" {
            known.1 = kind;
        }
    }

    fn collect(&mut self, file: &str, value: &Value) {
        if file.ends_with(".toml") || value.get("Parties").is_some() {
            return;
        }
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.collect(file, item)),
            Value::Object(members) => {
                self.collect_bound(value);
                self.collect_outputs(value);
                if let Some(body) = members.get("body").and_then(Value::as_str) {
                    placeholders(body, |_| false).for_each(|placeholder| self.add(placeholder.name, None, "String"));
                }
                if let Some(name) = members.get("result").and_then(|result| string(result, "boundTo")) {
                    self.outputs.insert(name.to_owned());
                }
                if members.get("type") == Some(&json!("Code")) {
                    self.add("Json", None, "String");
                }
                members.values().for_each(|member| self.collect(file, member));
            }
            _ => {}
        }
    }

    fn collect_bound(&mut self, object: &Value) {
        let Some(name) = string(object, "boundTo") else { return };
        let id = object.get("boundToId").and_then(Value::as_i64).filter(|&id| id != 0);
        let field = string(object, "type").filter(|name| FIELDS.contains(name));
        self.add(name, id, if field == Some("InputFile") { "File" } else { "String" });
        // What a field fills may be used elsewhere.
        let is_field = field.is_some();
        if is_field && !name.is_empty() {
            self.outputs.insert(name.to_owned());
        }
    }

    fn collect_outputs(&mut self, activity: &Value) {
        let parameters = activity.get("providerParameters").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let value = |name: &str, key: &str| {
            let found = parameters.iter().find(|parameter| string(parameter, "name") == Some(name));
            found.and_then(|parameter| string(parameter.get("value")?, key)).unwrap_or_default()
        };
        let given = |name| value(name, "value");
        self.add(value("ZPMediaGuid", "boundTo"), None, "File");
        let Some(method) = string(activity, "method").and_then(|name| Catalog::built_in().method(name)) else {
            return;
        };
        let prefix = given("Prefix");
        for output in &method.outputs {
            let fixed = output.name.iter().map(String::as_str);
            let asked = given("Property").split(',').map(str::trim).filter(|name| !name.is_empty());
            let mut asked: Vec<&str> = asked.filter(|_| output.per_entry_of.is_some()).collect();
            if asked.is_empty() {
                asked.extend(output.default.iter().map(String::as_str));
            }
            for name in fixed.chain(asked) {
                let name = format!("{prefix}{name}");
                self.add(&name, None, "String");
                self.outputs.insert(name);
            }
        }
    }

    fn list(&self) -> String {
        let taken: Vec<i64> = self.all.values().filter_map(|(id, _)| *id).collect();
        let mut free = (9001..).filter(|id| !taken.contains(id));
        let list: Vec<Value> = self
            .all
            .iter()
            .map(|(name, (id, kind))| {
                let id = id.or_else(|| free.next());
                if self.outputs.contains(name) {
                    json!({ "name": name, "id": id, "variableType": kind, "isOutputParameter": true })
                } else {
                    json!({ "name": name, "id": id, "variableType": kind })
                }
            })
            .collect();
        Value::from(list).to_string()
    }
}
