//! The parser accepts exactly the JSON of RFC 8259, and reads it as `serde_json` does.

mod suite;

use proptest::prelude::*;
use serde_json::Value;
use wflint::document::{Document, Limits, NodeId, NodeKind, SyntaxErrorKind};

fn parse(text: &str) -> Result<Document, (SyntaxErrorKind, u32)> {
    Document::parse(text, Limits::default()).map_err(|error| (error.kind, error.offset))
}

/// Texts that every parser must accept (RFC 8259).
const VALID: [&str; 44] = [
    "[]",
    "{}",
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "-1.5",
    "1e5",
    "1E+5",
    "1e-5",
    "0.1",
    "123.456e78",
    "\"\"",
    "\"a\"",
    " \t\r\n[ ] \t\r\n",
    "[1,2,3]",
    "[[[]]]",
    "{\"a\":1}",
    "{\"a\":{\"b\":[null]}}",
    "{\"\":0}",
    "{\"a\":1,\"a\":2}",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
    "\"\\u0041\"",
    "\"\\u00e9\"",
    "\"\\ud83d\\ude00\"",
    "\"\\u0000\"",
    "\"é😀\"",
    "\"\u{7f}\"",
    "\"\u{2028}\"",
    "[1e400]",
    "[-1e400]",
    "[123456789012345678901234567890]",
    "[0e1]",
    "[0e+1]",
    "[1.0e-10]",
    "{\"a\\u0062\": 1}",
    "\u{feff}{}",
    "\u{feff} []",
    "[\"long text with no escape in it at all\"]",
    "[\"seven77\"]",
    "[\"eight888\"]",
    "[\"nine99999\"]",
];

/// Texts that every parser must reject.
const INVALID: [&str; 62] = [
    "",
    " ",
    "[",
    "]",
    "{",
    "}",
    "[1,]",
    "[,1]",
    "[1,,2]",
    "[1 2]",
    "[1",
    "[1,",
    "{,}",
    "{\"a\"}",
    "{\"a\":}",
    "{\"a\" 1}",
    "{\"a\":1,}",
    "{\"a\":1",
    "{\"a\":1,",
    "{a:1}",
    "{1:1}",
    "{'a':1}",
    "{\"a\":1 \"b\":2}",
    "nul",
    "truE",
    "False",
    "nan",
    "NaN",
    "Infinity",
    "-",
    "+1",
    "01",
    "-01",
    "1.",
    ".1",
    "1.e1",
    "1e",
    "1e+",
    "0x10",
    "1_000",
    "--1",
    "1-1",
    "\"",
    "\"a",
    "\"\\\"",
    "\"\\x41\"",
    "\"\\u12\"",
    "\"\\u12g4\"",
    "\"\\ud800\"",
    "\"\\udc00\"",
    "\"\\ud800\\u0041\"",
    "\"a\nb\"",
    "\"a\tb\"",
    "\"\u{0}\"",
    "[] []",
    "{} x",
    "[1]]",
    "/*c*/[]",
    "[]//c",
    "\u{feff}\u{feff}{}",
    "[\"a\u{1}\"]",
    "\"long text, then a control character \u{1f}\"",
];

#[test]
fn valid_json_is_accepted() {
    for text in VALID {
        assert!(parse(text).is_ok(), "{text:?}: {:?}", parse(text).err());
    }
}

#[test]
fn invalid_json_is_rejected() {
    for text in INVALID {
        assert!(parse(text).is_err(), "{text:?}");
    }
}

#[test]
fn error_is_at_the_first_invalid_character() {
    for (text, offset) in [
        ("[1,]", 3),
        ("{\"a\" 1}", 5),
        ("[1 2]", 3),
        ("{\"a\": tru}", 6),
        ("\"ab\\x\"", 3),
        ("[01]", 2),
        ("[", 1),
        ("\u{feff}[1,]", 6),
        ("[\"a\n\"]", 3),
        ("{} x", 3),
    ] {
        assert_eq!(parse(text).err().map(|error| error.1), Some(offset), "{text:?}");
    }
}

#[test]
fn depth_counts_arrays_and_objects() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(parse(&nested(128)).is_ok());
    assert_eq!(parse(&nested(129)).err(), Some((SyntaxErrorKind::TooDeep, 128)));
    let deep = Document::parse(nested(100_000), Limits { depth: 256, ..Limits::default() });
    assert_eq!(deep.err().map(|error| error.kind), Some(SyntaxErrorKind::TooDeep));
}

/// A document read back into a `Value`; of duplicate keys the last counts.
fn value(document: &Document, node: NodeId) -> Value {
    match document.kind(node) {
        NodeKind::Null => Value::Null,
        NodeKind::True => Value::Bool(true),
        NodeKind::False => Value::Bool(false),
        NodeKind::Number => serde_json::from_str(document.number(node).unwrap()).unwrap(),
        NodeKind::String => Value::from(document.string(node).unwrap()),
        NodeKind::Array => document.children(node).map(|item| value(document, item)).collect(),
        NodeKind::Object => document
            .children(node)
            .map(|member| (document.key(member).unwrap().to_owned(), value(document, member)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
    }
}

fn agree(text: &str) -> Result<(), TestCaseError> {
    let (ours, theirs) = (parse(text), serde_json::from_str::<Value>(text));
    // A number that no float holds is JSON all the same.
    if theirs.as_ref().is_err_and(|error| error.to_string().contains("number out of range")) {
        return Ok(());
    }
    match (&ours, &theirs) {
        (Ok(document), Ok(theirs)) => prop_assert_eq!(&value(document, document.root()), theirs),
        (ours, theirs) => prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{:?}: {:?}", text, theirs),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parser_agrees_with_serde_json_on_json_characters(text in r#"[\[\]{},:"\\ue0-9.+\-a-f\n truEnls]{0,24}"#) {
        agree(&text)?;
    }

    #[test]
    fn parser_agrees_with_serde_json_on_strings(inside in r#"([ -~é😀]|\\["\\/bfnrtu]|[0-9a-f]{4}|\\ud[89ab][0-9a-f]{2}){0,20}"#) {
        agree(&format!("\"{inside}\""))?;
        agree(&format!("{{\"{inside}\": \"{inside}\"}}"))?;
    }

    #[test]
    fn every_value_is_at_its_span(text in r#"(\[|\{"a": ?|1|"x\\n"|,| |\]|\})*"#) {
        if let Ok(document) = parse(&text) {
            for pointer in ["", "/0", "/1", "/a", "/0/0", "/a/0", "/0/a"] {
                if let Some(node) = document.resolve(pointer) {
                    let part = document.slice(document.span(node));
                    prop_assert_eq!(value(&document, node), serde_json::from_str::<Value>(part).unwrap());
                    prop_assert_eq!(document.pointer(node), pointer);
                }
            }
        }
    }
}
