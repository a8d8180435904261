//! `schemas/config.schema.json` and the reader accept the same configurations.

use serde_json::{Value, json};

use crate::config::accept_mutant::accepted_mutant;
use crate::config::file::{ConfigFile, check};
use crate::config::json::json_of;
use crate::config::law::law;
use crate::config::layers::{Layer, Places, merged};
use crate::config::suppress::suppression;
use crate::config::{Config, FILE_NAME};
use crate::files::toml_file::read_recovering;

/// The keys at the top.
fn known_keys() -> Vec<String> {
    expected("unknown-key = 1\n").unwrap()
}

/// The keys of a table; `None` for another kind of value, and for a table of free names.
fn known_keys_of_table(key: &str) -> Option<Vec<String>> {
    expected(&format!("[{key}]\nunknown-key = 1\n"))
}

/// The keys of an entry of an array of tables; `None` for another kind of value.
fn known_keys_of_entries(key: &str) -> Option<Vec<String>> {
    expected(&format!("[[{key}]]\nunknown-key = 1\n"))
}

/// The names that are expected in place of the unknown key.
fn expected(text: &str) -> Option<Vec<String>> {
    let error = toml::from_str::<ConfigFile>(text).err()?;
    let (_, names) = error.message().strip_prefix("unknown field `unknown-key`")?.split_once("expected ")?;
    Some(names.split('`').skip(1).step_by(2).map(str::to_owned).collect())
}

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
            for name in keys.iter().filter_map(|name| Some((name, known_keys_of_table(&format!("{key}.{name}"))?))) {
                assert_lists(&part["properties"][name.0], name.1);
            }
            assert_lists(part, keys);
        }
        if let Some(keys) = known_keys_of_entries(&key) {
            parts += 1;
            let definition = part["items"]["$ref"].as_str().unwrap().strip_prefix('#').unwrap();
            assert_lists(schema.pointer(definition).unwrap(), keys);
        }
    }
    for (key, other) in [("when", "ends"), ("expect", "people")] {
        let mut keys = expected(&format!("[[law]]\nname = 'a'\n{key} = {{ unknown-key = 1 }}\n")).unwrap();
        keys.retain(|key| key != other);
        assert_lists(&schema["$defs"]["law"]["properties"][key], keys);
    }
    assert!(parts >= 6, "tables and arrays of tables were not found: {parts}");
}

#[test]
fn every_key_of_the_reader_is_a_setting_and_no_other() {
    let mut wanted = Vec::new();
    for key in known_keys() {
        let Some(inner) = known_keys_of_table(&key) else {
            wanted.push(key);
            continue;
        };
        for name in inner.iter().map(|name| format!("{key}.{name}")) {
            match known_keys_of_table(&name) {
                Some(inner) => wanted.extend(inner.iter().map(|inner| format!("{name}.{inner}"))),
                None => wanted.push(name),
            }
        }
    }
    // Editors read it, and nothing else.
    wanted.retain(|key| key != "$schema");
    wanted.sort();
    let listed: Vec<String> = Config::default().settings().into_iter().map(|setting| setting.key).collect();
    assert_eq!(listed, wanted);
    for key in ["limits.max-depth", "types.activities", "explore.fields", "explore.assume.failures", "law"] {
        assert!(listed.contains(&key.to_owned()), "{key}");
    }
}

#[test]
fn defaults_of_the_schema_are_those_that_hold() {
    let schema = schema();
    for setting in Config::default().settings() {
        let pointer = format!("/properties/{}/default", setting.key.replace('.', "/properties/"));
        let value = schema.pointer(&pointer).unwrap_or(&Value::Null);
        assert_eq!(value, &setting.value, "{}", setting.key);
    }
}

fn is_read(text: &str) -> bool {
    let layers = [Layer::new(FILE_NAME.into(), text.to_owned(), 0)];
    let (_, problems) = read_recovering::<ConfigFile>(text);
    let Some(file) = merged(&layers).read::<ConfigFile>() else { return false };
    let places = Places(&layers);
    let mut services = file.service.iter().map(toml::Spanned::get_ref);
    problems.is_empty()
        && check(&file).is_empty()
        && file.explore.check().is_empty()
        && file.law.iter().all(|entry| law(entry, places).is_ok())
        && file.accept_mutant.iter().all(|entry| accepted_mutant(entry, places).is_ok())
        && file.suppress.iter().all(|entry| suppression(entry, places).is_ok())
        && services.all(|service| service.workflow.is_some() || !service.forms.is_empty())
}

fn is_valid(text: &str) -> bool {
    let value = json_of(&toml::Value::Table(text.parse().unwrap()));
    jsonschema::options().should_validate_formats(true).build(&schema()).unwrap().is_valid(&value)
}

/// What the page calls the type of a key.
fn type_name(part: &Value) -> String {
    let words = |values: &Value| -> Vec<String> {
        values.as_array().unwrap().iter().map(|value| format!("`{}`", value.as_str().unwrap())).collect()
    };
    let bounds = [("minimum", "at least"), ("exclusiveMinimum", "more than"), ("maximum", "at most")];
    let bounds = bounds.iter().filter_map(|(key, word)| Some(format!(", {word} {}", part.get(*key)?)));
    match part["type"].as_str() {
        _ if part["enum"].is_array() => format!("one of {}", words(&part["enum"]).join(", ")),
        Some("array") if part["items"]["$ref"].is_string() => "array of tables".to_owned(),
        Some("object") => "table".to_owned(),
        Some(number @ ("number" | "integer")) => format!("{number}{}", bounds.collect::<String>()),
        Some("array") => "array of strings".to_owned(),
        Some(other) => other.to_owned(),
        None => "array of strings".to_owned(),
    }
}

const PAGES: &str =
    concat!(include_str!("../../../docs/configuration.md"), include_str!("../../../docs/configuration-runs.md"));

#[test]
fn page_has_a_section_of_every_key_with_its_type_default_and_example() {
    let mut found = Vec::new();
    for section in PAGES.split("\n### `").skip(1) {
        let (key, rest) = section.split_once('`').unwrap();
        let facts = rest.lines().find(|line| !line.is_empty()).unwrap();
        let (facts, used_by) = facts.split_once(" · Used by: ").unwrap();
        assert!(!used_by.is_empty(), "{key}");
        let example = rest.split("```toml\n").nth(1).unwrap_or_else(|| panic!("{key} has an example"));
        let example: toml::Table = example.split("```").next().unwrap().parse().unwrap();
        let set = key.split('.').try_fold(&toml::Value::Table(example), |value, key| value.get(key)).is_some();
        assert!(set, "the example of {key} sets it");
        found.push((key.to_owned(), facts.to_owned()));
    }
    let schema = schema();
    let wanted = Config::default().settings();
    let wanted = wanted.iter().map(|setting| {
        let part = schema.pointer(&format!("/properties/{}", setting.key.replace('.', "/properties/"))).unwrap();
        let default = if setting.value.is_null() { "none".to_owned() } else { format!("`{}`", setting.value) };
        (setting.key.clone(), format!("Type: {} · Default: {default}", type_name(part)))
    });
    let mut wanted: Vec<_> = wanted.collect();
    wanted.sort();
    found.sort();
    assert_eq!(found, wanted);
}

#[test]
fn examples_of_the_page_are_valid() {
    let blocks: Vec<&str> = PAGES.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= 5);
    for block in blocks {
        assert!(is_read(block) && is_valid(block), "{block}");
    }
}

/// Checks that both accept a string, or neither.
fn assert_agreement(cases: &[(&str, bool)]) {
    for &(text, is_fine) in cases {
        assert_eq!(is_read(text), is_fine, "the reader: {text}");
        assert_eq!(is_valid(text), is_fine, "the schema: {text}");
    }
}

#[test]
fn schema_and_reader_accept_the_same_values() {
    assert_agreement(&[
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
    ]);
}

#[test]
fn schema_and_reader_accept_the_same_accepted_findings() {
    let entry = "rule = 'WF1'\nfile = 'a'\n";
    assert_agreement(&[
        (&format!("[[suppress]]\n{entry}activity = 'A'\nreason = 'x'\nuntil = 2030-01-01"), true),
        (&format!("[[suppress]]\n{entry}pointer = ''\nreason = 'x'"), true),
        ("[[suppress]]\nlaw = 'ends'\nfile = 'a'\nactivity = 'A'\nreason = 'x'", true),
        (&format!("[[suppress]]\n{entry}law = 'ends'\nactivity = 'A'\nreason = 'x'"), false),
        ("[[suppress]]\nfile = 'a'\nactivity = 'A'\nreason = 'x'", false),
        (&format!("[[suppress]]\n{entry}pointer = '/a'\nreason = 'x'"), true),
        (&format!("[[suppress]]\n{entry}pointer = 'a'\nreason = 'x'"), false),
        (&format!("[[suppress]]\n{entry}activity = 'A'\nreason = ' '"), false),
        (&format!("[[suppress]]\n{entry}reason = 'x'"), false),
        (&format!("[[suppress]]\n{entry}activity = 'A'"), false),
        (&format!("[[suppress]]\n{entry}activity = 'A'\nreason = 'x'\nuntil = 2030-01-01T00:00:00Z"), false),
        ("[[accept-mutant]]\nfile = 'a'\nactivity = 'A'\nreason = 'x'", true),
        ("[[accept-mutant]]\nfile = '**/a'\npointer = ''\nmutation = 'drop-activity'\nreason = 'x'", true),
        ("[[accept-mutant]]\nfile = 'a'\npointer = '/a~1\\n'\nactivity = 'A'\nreason = 'x'", true),
        ("[[accept-mutant]]\nfile = 'a'\npointer = '/a~'\nreason = 'x'", false),
        ("[[accept-mutant]]\nfile = 'a'\npointer = 'a'\nreason = 'x'", false),
        ("[[accept-mutant]]\nfile = 'a'\nactivity = 'A'\nmutation = 'drop'\nreason = 'x'", false),
        ("[[accept-mutant]]\nfile = 'a'\nactivity = 'A'\nreason = ' '", false),
        ("[[accept-mutant]]\nfile = 'a'\nactivity = 'A'", false),
        ("[[accept-mutant]]\nfile = 'a'\nreason = 'x'", false),
        ("[[accept-mutant]]\nactivity = 'A'\nreason = 'x'", false),
        ("[[accept-mutant]]\nfile = 'a'\nactivity = 'A'\nreason = 'x'\nuntil = 2030-01-01", false),
    ]);
}

#[test]
fn schema_and_reader_accept_the_same_services_and_explorations() {
    assert_agreement(&[
        ("[[service]]\nname = 'a'\nworkflow = 'a.json'", true),
        ("[[service]]\nname = 'a'\nforms = ['*.json']", true),
        ("[[service]]\nname = 'a'\nforms = []", false),
        ("[[service]]\nname = 'a'", false),
        ("[[service]]\nforms = ['*.json']", false),
        ("[[service]]\nname = 'a'\nforms = ['a']\nform = 'a'", false),
        (
            "[explore]\nmax-states = 1\nfields = { A = ['', 'x'] }\ndirectory = 'a.ldif'\nskip-laws = ['ends', '!reached']",
            true,
        ),
        ("[explore]\nmax-states = 0", false),
        ("[explore]\nmax-states = '1'", false),
        ("[explore]\nfields = { A = [] }", false),
        ("[explore]\nfields = { A = 'x' }", false),
        ("[explore]\nfields = { A = [1] }", false),
        ("[explore]\nassume = { failures = true, empty-lookups = false, never-acts = true }", true),
        ("[explore]\nassume = { failure = true }", false),
        ("[explore]\nassume = { failures = 'no' }", false),
        ("[explore]\nassume = false", false),
        ("[explore]\ndirectory = ['a.ldif']", false),
        ("[explore]\nskip-laws = ['end']", false),
        ("[explore]\nskip-laws = 'ends'", false),
        ("[explore]\nmax-state = 1", false),
    ]);
}

#[test]
fn schema_and_reader_accept_the_same_laws() {
    for (keys, is_fine) in [
        ("expect = { ends = true }", true),
        ("when = { people = 'act' }\nexpect = { ends = true }\nbefore = { A = 'B' }\nservices = ['a/**']", true),
        ("expect = { outcome = 'stuck', variables = { A = 'x', B = 1, C = true }, failure = 'x' }", true),
        ("expect = { statuses = ['...', '*a*'], approvals = { A = 'timed-out' } }", true),
        ("expect = { statuses = [], mails = [{ to = 'a@b.c', kind = 'sign-request' }, { kind = 'finished' }] }", true),
        ("expect = { calls = { A = 0, B = 1, C = { at-least = 1 }, D = { at-least = 0, at-most = 1 } } }", true),
        ("", false),
        ("when = { outcome = 'completed' }", false),
        ("expect = {}", false),
        ("before = {}", false),
        ("when = {}\nbefore = { A = 'B' }", false),
        ("expect = { variables = {} }", false),
        ("expect = { approvals = {} }", false),
        ("expect = { calls = {} }", false),
        ("expect = { mails = [] }", false),
        ("expect = { mails = [{}] }", true),
        ("before = { A = ['B'] }", false),
        ("before = 'A'", false),
        ("services = []\nexpect = { ends = true }", false),
        ("services = 'a'\nexpect = { ends = true }", false),
        ("expect = { ends = false }", false),
        ("expect = { ends = 'true' }", false),
        ("expect = { people = 'act' }", false),
        ("when = { ends = true }\nexpect = { ends = true }", false),
        ("when = { people = 'sign' }\nexpect = { ends = true }", false),
        ("expect = { outcome = 'refused' }", false),
        ("expect = { outcomes = 'failed' }", false),
        ("expect = { elapsed = '1d' }", false),
        ("expect = { variables = { A = 1.5 } }", false),
        ("expect = { variables = { A = ['x'] } }", false),
        ("expect = { statuses = 'a' }", false),
        ("expect = { approvals = { A = 'approve' } }", false),
        ("expect = { mails = [{ kind = 'sent' }] }", false),
        ("expect = { mails = [{ from = 'a' }] }", false),
        ("expect = { calls = { A = 2 } }", false),
        ("expect = { calls = { A = -1 } }", false),
        ("expect = { calls = { A = {} } }", false),
        ("expect = { calls = { A = { at-least = 2 } } }", false),
        ("expect = { calls = { A = { least = 1 } } }", false),
        ("expect = { calls = { A = 'once' } }", false),
        ("expect = { failure = 1 }", false),
        ("expects = { ends = true }", false),
    ] {
        let text = format!("[[law]]\nname = 'a'\n{keys}\n");
        assert_eq!(is_read(&text), is_fine, "the reader: {text}");
        assert_eq!(is_valid(&text), is_fine, "the schema: {text}");
    }
    for (name, is_fine) in [("'a b'", true), ("' '", false), ("'ends'", false), ("'no-fault'", false), ("1", false)] {
        let text = format!("[[law]]\nname = {name}\nexpect = {{ ends = true }}\n");
        assert_eq!(is_read(&text), is_fine, "the reader: {text}");
        assert_eq!(is_valid(&text), is_fine, "the schema: {text}");
    }
    // Only the reader compares the two bounds.
    assert!(!is_read("[[law]]\nname = 'a'\nexpect = { calls = { A = { at-least = 1, at-most = 0 } } }\n"));
}
