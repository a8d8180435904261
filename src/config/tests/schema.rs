//! `schemas/config.schema.json` and the reader accept the same configurations.

use serde_json::{Value, json};

use super::known_keys::{known_keys, known_keys_of_entries, known_keys_of_table};
use crate::config::file::{ConfigFile, check, invalid_root, suppression};
use crate::config::listed::json_of;

fn schema() -> Value {
    let schema = crate::schema::SCHEMAS.iter().find(|schema| schema.name == "config").unwrap();
    serde_json::from_str(schema.text).unwrap()
}

/// The keys that a part of the schema lists, and that it refuses others.
#[track_caller]
fn assert_lists(part: &Value, mut keys: Vec<String>) {
    assert_eq!(part["additionalProperties"], json!(false), "{keys:?}");
    let listed: Vec<&String> = part["properties"].as_object().unwrap().keys().collect();
    let mut listed: Vec<String> = listed.into_iter().cloned().collect();
    listed.sort();
    keys.sort();
    assert_eq!(listed, keys);
}

#[test]
fn schema_lists_the_keys_of_the_reader_and_no_others() {
    let schema = schema();
    let mut parts = 1;
    assert_lists(&schema, known_keys());
    for key in known_keys() {
        let part = &schema["properties"][&key];
        if let Some(keys) = known_keys_of_table(&key) {
            parts += 1;
            assert_lists(part, keys);
        }
        if let Some(keys) = known_keys_of_entries(&key) {
            parts += 1;
            let definition = part["items"]["$ref"].as_str().unwrap().strip_prefix('#').unwrap();
            assert_lists(schema.pointer(definition).unwrap(), keys);
        }
    }
    assert!(parts >= 6, "tables and arrays of tables were not found: {parts}");
}

#[test]
fn defaults_of_the_schema_are_those_that_hold() {
    let schema = schema();
    for setting in crate::config::Config::default().settings() {
        let pointer = format!("/properties/{}/default", setting.key.replace('.', "/properties/"));
        let value = schema.pointer(&pointer).unwrap_or(&Value::Null);
        assert_eq!(value, &setting.value, "{}", setting.key);
    }
}

fn is_read(text: &str) -> bool {
    let Ok(file) = toml::from_str::<ConfigFile>(text) else { return false };
    let services = file.service.iter().map(toml::Spanned::get_ref);
    check(&file).is_ok()
        && invalid_root(&file).is_none()
        && file.suppress.iter().all(|entry| suppression(entry, 0).is_ok())
        && services.clone().all(|service| service.workflow.is_some() || !service.forms.is_empty())
}

fn is_valid(text: &str) -> bool {
    let value = json_of(&toml::Value::Table(text.parse().unwrap()));
    jsonschema::options().should_validate_formats(true).build(&schema()).unwrap().is_valid(&value)
}

#[test]
fn page_lists_every_key_with_its_default() {
    let page = include_str!("../../../docs/configuration.md");
    let cells = |line: &str| {
        let mut cells = line.strip_prefix("| `")?.split('|').map(|cell| cell.trim().trim_matches('`').to_owned());
        Some((cells.next()?, cells.next()?))
    };
    let mut found: Vec<(String, String)> = page.lines().filter_map(cells).collect();
    let default = |value: &Value| if value.is_null() { String::new() } else { value.to_string() };
    let settings = crate::config::Config::default().settings();
    let mut wanted: Vec<_> = settings.iter().map(|setting| (setting.key.clone(), default(&setting.value))).collect();
    wanted.sort();
    found.sort();
    assert_eq!(found, wanted);
}

#[test]
fn examples_of_the_page_are_valid() {
    let page = include_str!("../../../docs/configuration.md");
    let blocks: Vec<&str> = page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= 5);
    for block in blocks {
        assert!(is_read(block) && is_valid(block), "{block}");
    }
}

#[test]
fn documented_configuration_is_valid() {
    let readme = include_str!("../../../README.md");
    let blocks = readme.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let blocks: Vec<&str> = blocks.filter(|block| block.contains("[per-file-ignores]")).collect();
    assert_eq!(blocks.len(), 1);
    assert!(is_read(blocks[0]) && is_valid(blocks[0]));
}

#[test]
fn schema_and_reader_accept_the_same_values() {
    let entry = "rule = 'WF1'\nfile = 'a'\n";
    for (text, is_fine) in [
        ("", true),
        ("select = ['ALL']\nbaseline = 'b.json'", true),
        ("selct = []", false),
        ("select = 'ALL'", false),
        ("ignore = [1]", false),
        ("baseline = []", false),
        ("fail-on = 'never'", true),
        ("fail-on = 'fatal'", false),
        ("[severity]\nWF1 = 'info'", true),
        ("[severity]\nWF1 = 'never'", false),
        ("[per-file-ignores]\n'a/**' = ['WF1']", true),
        ("[per-file-ignores]\n'a/**' = 'WF1'", false),
        ("[types]\nactivities = { A = 'leaf', B = { kind = 'container', writes = true } }\nfields = ['A']", true),
        ("[types]\nactivities = { A = { kind = 'leaf', writes = ['X'] } }", true),
        ("[types]\nactivities = { A = 'tree' }", false),
        ("[types]\nactivities = { A = { writes = true } }", false),
        ("[types]\nactivities = { A = { kind = 'leaf', writes = 'X' } }", false),
        ("[types]\nactivities = { A = { kind = 'leaf', reads = true } }", false),
        ("[types]\nevents = []", false),
        ("extend = 'a.toml'", true),
        ("extend = ['a.toml']", false),
        ("[documents]\nroots = ['', '/a', '/a~1b/~0', '!/c', '!']", true),
        ("[documents]\nroots = ['a']", false),
        ("[documents]\nroots = ['/~']", false),
        ("[documents]\nroots = ['/a~2']", false),
        ("[documents]\nroots = '/a'", false),
        ("[documents]\nroot = ['/a']", false),
        ("[limits]\nmin-poll-seconds = 0\nscript-seconds = 0.5\nmax-file-mib = 1024\nmax-depth = 256", true),
        ("[limits]\nmin-poll-seconds = 60.5\nmax-activities = 0\nmax-nesting = 8\nmax-branches = 20", true),
        ("[limits]\nmin-poll-seconds = -1", false),
        ("[limits]\nscript-seconds = 0", false),
        ("[limits]\nscript-seconds = 86401", false),
        ("[limits]\nmax-file-mib = 0", false),
        ("[limits]\nmax-file-mib = 1025", false),
        ("[limits]\nmax-depth = 257", false),
        ("[limits]\nmax-depth = 1.5", false),
        ("[limits]\nmax-nesting = -1", false),
        ("[scripts]\nevaluate = 'no'", false),
        (&format!("[[suppress]]\n{entry}activity = 'A'\nreason = 'x'\nuntil = 2030-01-01"), true),
        (&format!("[[suppress]]\n{entry}pointer = ''\nreason = 'x'"), true),
        (&format!("[[suppress]]\n{entry}pointer = '/a'\nreason = 'x'"), true),
        (&format!("[[suppress]]\n{entry}pointer = 'a'\nreason = 'x'"), false),
        (&format!("[[suppress]]\n{entry}activity = 'A'\nreason = ' '"), false),
        (&format!("[[suppress]]\n{entry}reason = 'x'"), false),
        (&format!("[[suppress]]\n{entry}activity = 'A'"), false),
        (&format!("[[suppress]]\n{entry}activity = 'A'\nreason = 'x'\nuntil = 2030-01-01T00:00:00Z"), false),
        ("[[service]]\nname = 'a'\nworkflow = 'a.json'", true),
        ("[[service]]\nname = 'a'\nforms = ['*.json']", true),
        ("[[service]]\nname = 'a'\nforms = []", false),
        ("[[service]]\nname = 'a'", false),
        ("[[service]]\nforms = ['*.json']", false),
        ("[[service]]\nname = 'a'\nforms = ['a']\nform = 'a'", false),
    ] {
        assert_eq!(is_read(text), is_fine, "the reader: {text}");
        assert_eq!(is_valid(text), is_fine, "the schema: {text}");
    }
}
