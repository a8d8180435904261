//! `[documents] roots`: documents inside of other JSON.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use crate::support::cases;
use crate::support::example_services::EXAMPLE_SERVICES;
use crate::support::fixing::Texts;
use crate::support::folder::{Folder, copy_of};
use crate::support::mutation::{Change, changes};
use crate::support::run::run_cli;
use crate::support::samples::{ERROR, FINE, MISMATCH};
use crate::support::slips::{Slip, slips};
use crate::support::strategies::layout;
use crate::support::tree::{Layout, Tree};

const CONFIG: &str = "[documents]\nroots = ['/none', '/export/1/work~1flow', '']\n";
/// One line, so that places in the document move by its length in the first line alone.
const BEFORE: &str =
    r#"{ "é": { "Parties": 1 }, "name": "outside", "type": "If", "export": [{ "activities": {} }, { "work/flow": "#;
const AFTER: &str = r#" }], "password": "x y", "variables": [] }"#;
const POINTER: &str = "/export/1/work~1flow";

fn wrapped(text: &str) -> String {
    format!("{BEFORE}{text}{AFTER}")
}

/// Moves the places of a JSON report.
fn shift(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(shift),
        Value::Object(members) => {
            if let Some(Value::String(pointer)) = members.get_mut("pointer") {
                pointer.insert_str(0, POINTER);
            }
            if let (Some(offset), Some(line)) = (members.get("offset").and_then(Value::as_u64), members.get("line")) {
                let is_first = line == 1;
                members.insert("offset".to_owned(), json!(offset + BEFORE.len() as u64));
                let column =
                    members["column"].as_u64().unwrap() + if is_first { BEFORE.chars().count() as u64 } else { 0 };
                members.insert("column".to_owned(), json!(column));
            }
            if let Some(Value::String(reason)) = members.get_mut("fixWithheld") {
                *reason = reason.replacen(" at /", &format!(" at {POINTER}/"), 1);
            }
            members.values_mut().for_each(shift);
        }
        _ => {}
    }
}

fn folder(texts: &Texts, wrap: fn(&str) -> String) -> Folder {
    let folder = Folder::with(&[("wflint.toml", CONFIG)]);
    for (name, text) in texts {
        folder.write(name, wrap(text));
    }
    folder
}

/// A service of the examples with mistakes in one document.
fn with_mistakes(service: &Texts, at: usize, slips: &[Slip], changes: &[Change], layout: Layout) -> Texts {
    let mut texts = service.clone();
    let at = at % texts.len();
    let text = texts.values_mut().nth(at).unwrap();
    let mut document = Tree::parse(text);
    for slip in slips {
        slip.apply(&mut document);
    }
    for change in changes {
        change.apply(&mut document);
    }
    document.write(layout).trim_start_matches('\u{feff}').clone_into(text);
    texts
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn wrapped_documents_have_the_same_findings_and_fixes(
        service in select(&EXAMPLE_SERVICES[..]), at in 0..4usize, slips in slips(),
        changes in prop_oneof![2 => Just(Vec::new()), 1 => changes()], layout in layout(),
    ) {
        let texts = with_mistakes(&service, at, &slips, &changes, layout);
        let (plain, inside) = (folder(&texts, str::to_owned), folder(&texts, wrapped));
        let report = |folder: &Folder, args: &[&str]| folder.run(&[&["--format", "json"], args].concat());
        let mut outside = report(&plain, &[]).json();
        let found = report(&inside, &[]).json();
        // A change may turn a document into something else, in which wflint looks for one that is wrapped.
        let all = [&outside, &found].into_iter().flat_map(|report| report["diagnostics"].as_array().unwrap());
        let codes: Vec<&Value> = all.map(|it| &it["code"]).collect();
        prop_assume!(!codes.iter().any(|code| ["WF001", "WF002", "WF003"].contains(&code.as_str().unwrap())));
        shift(&mut outside);
        prop_assert_eq!(&found["diagnostics"], &outside["diagnostics"]);
        prop_assert_eq!(&found["summary"], &outside["summary"]);
        for folder in [&plain, &inside] {
            report(folder, &["--fix", "--unsafe-fixes"]);
        }
        for name in texts.keys() {
            prop_assert_eq!(inside.read(name), wrapped(&plain.read(name)));
        }
    }
}

#[test]
fn first_pointer_that_holds_a_document_counts() {
    let both = format!(r#"{{ "activities": [], "variables": [], "inner": {ERROR} }}"#);
    let uncertain = format!(r#"{{ "fields": ["a"], "inner": {ERROR} }}"#);
    for (roots, text, found) in [
        ("['', '/inner']", &both, &[][..]),
        ("['/inner', '']", &both, &["a.json WF101 error"]),
        ("['/none', '/inner']", &both, &["a.json WF101 error"]),
        ("['', '/inner']", &uncertain, &["a.json WF101 error"]),
        ("['/inner']", &uncertain, &["a.json WF101 error"]),
    ] {
        let folder = Folder::with(&[("a.json", text), ("b.json", &format!("{{ \"inner\": {FINE} }}"))]);
        folder.write("wflint.toml", format!("[documents]\nroots = {roots}"));
        for args in [&["."][..], &["a.json", "b.json"]] {
            assert_eq!(folder.found(args), found, "{roots} {args:?}");
        }
    }
}

#[test]
fn document_elsewhere_gets_a_hint() {
    let folder = Folder::with(&[("a.json", &wrapped(FINE)), ("b.json", FINE)]);
    let report = |args: &[&str]| folder.run(&[&["--format", "json"], args].concat()).json()["diagnostics"][0].clone();
    for (args, severity) in [(&["."][..], "warning"), (&["a.json"], "error")] {
        let finding = report(args);
        assert_eq!((&finding["code"], &finding["severity"]), (&json!("WF003"), &json!(severity)));
        let help = finding["help"].as_str().unwrap();
        assert!(help.contains(&format!("add `\"{POINTER}\"` to `roots` under `[documents]`")), "{help}");
    }
    folder.write("wflint.toml", format!("[documents]\nroots = ['{POINTER}']"));
    let finding = report(&["."]);
    assert_eq!((&finding["file"], &finding["severity"]), (&json!("b.json"), &json!("warning")));
    assert!(finding["help"].as_str().unwrap().contains("add `\"\"` to `roots`"), "{finding}");
    folder.write("wflint.toml", CONFIG);
    assert_eq!(folder.found(&["."]), [""; 0]);
    let listed = folder.run(&["--show-files", "a.json"]).expect_code(0);
    assert!(listed.out().starts_with("a.json: workflow of service"), "{}", listed.out());
    folder.write("a.json", wrapped(&FINE.replace("activities", "Activities")));
    let finding = report(&["."]);
    assert!(finding["message"].as_str().unwrap().contains("expected the key `activities`"), "{finding}");
}

#[test]
fn baselines_and_suppressions_use_the_pointers_of_the_file() {
    let folder = Folder::with(&[("wflint.toml", CONFIG), ("a.json", &wrapped(ERROR))]);
    folder.run(&["--baseline", "known.json", "--write-baseline"]).expect_code(0);
    assert!(folder.read("known.json").contains(r#""around": ["Say"], "member": "status/boundTo""#));
    assert_eq!(folder.found(&["--baseline", "known.json"]), [""; 0]);
    let pointer = format!("{POINTER}/activities/0/status/boundTo");
    folder.write(
        "wflint.toml",
        format!("{CONFIG}[[suppress]]\nrule = 'WF101'\nfile = 'a.json'\npointer = '{pointer}'\nreason = 'x'\n"),
    );
    assert_eq!(folder.found(&["."]), [""; 0]);
}

#[test]
fn standard_input_may_be_wrapped() {
    let folder = Folder::with(&[("wflint.toml", CONFIG)]);
    for args in [&["-"][..], &["-", "--stdin-filename", "new.json"]] {
        let args = [&["--fix", "--unsafe-fixes"], args].concat();
        let plain = run_cli(&args, folder.path(), MISMATCH.as_bytes());
        let inside = run_cli(&args, folder.path(), wrapped(MISMATCH).as_bytes());
        assert_ne!(plain.out(), MISMATCH);
        assert_eq!((inside.out(), inside.code), (wrapped(plain.out()).as_str(), plain.code));
    }
}

#[test]
fn scenarios_run_wrapped_documents() {
    for service in ["approval", "sign-json"] {
        let source = format!("examples/{service}");
        let (plain, inside) = (copy_of(&source), copy_of(&source));
        let people =
            std::fs::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/people.ldif")).unwrap();
        for folder in [&plain, &inside] {
            for name in folder.names().iter().filter(|name| name.ends_with(".yaml")) {
                folder.write(name, folder.read(name).replace("../people.ldif", "people.ldif"));
            }
            folder.write("people.ldif", &people);
            folder.write("wflint.toml", CONFIG);
        }
        for name in inside.names().iter().filter(|name| name.ends_with(".json")) {
            inside.write(name, wrapped(&inside.read(name)));
        }
        let [wanted, found] = [&plain, &inside].map(|folder| folder.run(&["--simulate"]).expect_code(0));
        assert_eq!(found.out(), wanted.out());
        let mut wanted = plain.run(&["--simulate", "--format", "json"]).json();
        shift(&mut wanted);
        // An event that is at no activity has an empty pointer.
        let wanted = wanted.to_string().replace(&format!("\"pointer\":\"{POINTER}\""), "\"pointer\":\"\"");
        let wanted: Value = serde_json::from_str(&wanted).unwrap();
        assert_eq!(inside.run(&["--simulate", "--format", "json"]).json(), wanted);
    }
}

#[test]
fn invalid_roots_are_rejected_with_their_place() {
    for (roots, wanted) in [
        ("['', 'data']", "2:14: invalid JSON Pointer `data`"),
        ("['/a~']", "2:10: invalid JSON Pointer `/a~`"),
        ("[]", "2:9: `roots` has no pointer"),
        ("['!']", "2:9: `roots` has no pointer"),
        ("'/data'", "2:9: expected an array"),
        ("[1]", "2:10: expected a string"),
    ] {
        let folder = Folder::with(&[("wflint.toml", &format!("[documents]\nroots = {roots}")), ("a.json", FINE)]);
        let error = folder.run::<&str>(&[]).expect_code(2);
        assert!(error.err().contains(&format!("wflint.toml:{wanted}")), "{roots}: {}", error.err());
    }
}

#[test]
fn stable_form_keeps_what_is_around_a_document() {
    let folder = Folder::with(&[("wflint.toml", CONFIG), ("a.json", &wrapped(MISMATCH))]);
    folder.run(&["fmt", "."]).expect_code(0);
    let [before, after] = [wrapped(MISMATCH), folder.read("a.json")];
    assert_ne!(before, after);
    let [before, after] = [before, after].map(|text| serde_json::from_str::<Value>(&text).unwrap());
    assert_eq!(before, after);
}
