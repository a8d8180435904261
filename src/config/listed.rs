//! Every setting of a configuration with its value and origin.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use toml::Table;
use toml::de::{DeTable, DeValue};

use super::Config;
use super::file::ConfigFile;
use super::json::{json_of, number_of};
use super::layers::merged;
use crate::text::source::SourceFile;

/// A key of the configuration, with its effective value.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Dotted, such as `limits.max-depth`. A table with arbitrary keys is one setting.
    pub key: String,
    pub value: Value,
    /// Empty for the default.
    pub origins: Vec<Origin>,
}

/// A line of a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    pub file: PathBuf,
    /// From 1.
    pub line: u32,
}

impl Config {
    /// All settings, sorted by key.
    pub fn settings(&self) -> Vec<Setting> {
        let mut settings = defaults();
        for layer in &self.layers {
            add_origins(&mut settings, &layer.path, &layer.text);
        }
        let merged: Table = merged(&self.layers).read().unwrap_or_default();
        for setting in &mut settings {
            if let Some(value) = value_at(&merged, &setting.key) {
                setting.value = json_of(value);
            }
        }
        settings
    }
}

/// All settings with their defaults. The keys are those of the reader.
fn defaults() -> Vec<Setting> {
    let mut settings = Vec::new();
    if let Ok(Value::Object(keys)) = serde_json::to_value(ConfigFile::default()) {
        flatten("", keys, &mut settings);
    }
    settings.sort_by(|a, b| a.key.cmp(&b.key));
    settings
}

/// The keys of a table are settings if the defaults contain them. A table with arbitrary keys is empty there.
fn flatten(prefix: &str, keys: Map<String, Value>, settings: &mut Vec<Setting>) {
    for (name, value) in keys {
        let key = format!("{prefix}{name}");
        match value {
            Value::Object(inner) if !inner.is_empty() => flatten(&format!("{key}."), inner, settings),
            Value::Null => settings.push(Setting { value: unset(&key), key, origins: Vec::new() }),
            Value::Number(number) => {
                let value = number.as_f64().map_or(Value::Number(number), number_of);
                settings.push(Setting { key, value, origins: Vec::new() });
            }
            value => settings.push(Setting { key, value, origins: Vec::new() }),
        }
    }
}

/// What a missing optional key means.
fn unset(key: &str) -> Value {
    match key {
        "select" => json!(["recommended"]),
        "fail-on" => json!("warning"),
        "documents.roots" => json!([""]),
        _ => Value::Null,
    }
}

/// Adds the places of the settings of a file. A setting that replaces an inherited one also replaces its places.
fn add_origins(settings: &mut [Setting], path: &Path, text: &str) {
    let Ok(table) = DeTable::parse(text) else { return };
    let source = SourceFile::new(path.to_path_buf(), String::new(), text.into());
    for setting in settings {
        let Some(found) = offsets_in(table.get_ref(), &setting.key, text) else { continue };
        if !found.is_joined {
            setting.origins.clear();
        }
        let line = |offset| source.position(u32::try_from(offset).unwrap_or(u32::MAX)).line;
        let origins = found.offsets.into_iter().map(line);
        setting.origins.extend(origins.map(|line| Origin { file: path.to_path_buf(), line }));
    }
}

/// The places of a setting in a file.
struct Found {
    /// In bytes: the key itself, or each `[[…]]` of its tables.
    offsets: Vec<usize>,
    /// Whether it is a list or a table, which adds to that of an extended file.
    is_joined: bool,
}

fn value_at<'t>(table: &'t Table, key: &str) -> Option<&'t toml::Value> {
    match key.split_once('.') {
        None => table.get(key),
        Some((first, rest)) => value_at(table.get(first)?.as_table()?, rest),
    }
}

fn offsets_in(table: &DeTable<'_>, key: &str, text: &str) -> Option<Found> {
    let (first, rest) = key.split_once('.').map_or((key, None), |(first, rest)| (first, Some(rest)));
    let (name, value) = table.iter().find(|(name, _)| name.get_ref().as_ref() == first)?;
    let at_name = vec![name.span().start];
    match (rest, value.get_ref()) {
        (Some(rest), DeValue::Table(inner)) => offsets_in(inner, rest, text),
        (Some(_), _) => None,
        (None, DeValue::Array(array)) => {
            let starts = array.iter().map(|element| element.span().start);
            let is_header = |start: &usize| text.get(*start..).is_some_and(|text| text.starts_with("[["));
            let headers: Vec<usize> = starts.filter(is_header).collect();
            Some(Found { offsets: if headers.is_empty() { at_name } else { headers }, is_joined: true })
        }
        (None, DeValue::Table(_)) => Some(Found { offsets: at_name, is_joined: true }),
        (None, _) => Some(Found { offsets: at_name, is_joined: false }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Layer;

    #[test]
    fn defaults_are_those_that_hold() {
        let value = |key: &str| defaults().into_iter().find(|setting| setting.key == key).unwrap().value;
        assert_eq!(value("select"), json!(["recommended"]));
        assert_eq!(value("fail-on"), json!("warning"));
        assert_eq!(value("baseline"), Value::Null);
        assert_eq!(value("severity"), json!({}));
        assert_eq!(value("limits.min-poll-seconds").to_string(), "30");
        assert_eq!(value("scripts.evaluate"), json!(true));
    }

    #[test]
    fn values_of_every_type_have_their_lines() {
        let text = "\u{feff}ignore = [\r\n  'WF1',\r\n]\r\nlimits = { max-depth = 5, min-poll-seconds = inf }\r\n\
                    [types.activities]\r\nA = { kind = 'leaf' }\r\n[[suppress]]\r\nuntil = 2030-01-02\r\n[[suppress]]\r\n\
                    [scripts]\r\n# x\r\nevaluate = false\r\n[severity]\r\nWF1 = 'info'\r\n";
        let layer = Layer::new("a/wflint.toml".into(), text.to_owned(), 0);
        let config = Config { layers: vec![layer], ..Config::default() };
        let settings = config.settings();
        let found = |key: &str| {
            let setting = settings.iter().find(|setting| setting.key == key).unwrap();
            let lines: Vec<u32> = setting.origins.iter().map(|origin| origin.line).collect();
            (setting.value.clone(), lines)
        };
        assert_eq!(found("ignore"), (json!(["WF1"]), vec![1]));
        assert_eq!(found("limits.max-depth"), (json!(5), vec![4]));
        assert_eq!(found("limits.min-poll-seconds"), (json!("inf"), vec![4]));
        assert_eq!(found("types.activities"), (json!({ "A": { "kind": "leaf" } }), vec![5]));
        assert_eq!(found("suppress"), (json!([{ "until": "2030-01-02" }, {}]), vec![7, 9]));
        assert_eq!(found("scripts.evaluate"), (json!(false), vec![12]));
        assert_eq!(found("severity"), (json!({ "WF1": "info" }), vec![13]));
        assert_eq!(found("exclude"), (json!([]), vec![]));
    }
}
