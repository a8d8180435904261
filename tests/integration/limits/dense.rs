//! Documents of very many short values (docs/limits.md).

use wflint::common::limits::{max_objects, max_values};
use wflint::document::{Document, Limits, SyntaxErrorKind};

use crate::support::folder::Folder;

/// The most of an element that an array may have, by the limit of a document of so many bytes.
fn most(element: &str, limit: impl Fn(usize) -> usize) -> usize {
    let length = |number: usize| number * (element.len() + 1) + 1;
    (limit(0)..2 * limit(0)).take_while(|&number| number <= limit(length(number))).last().unwrap()
}

fn array(element: &str, number: usize) -> String {
    format!("[{}]", vec![element; number].join(","))
}

fn refusal(text: String) -> Option<SyntaxErrorKind> {
    Document::parse(text, Limits::default()).err().map(|error| error.kind)
}

#[test]
fn documents_may_have_so_many_objects() {
    let most = most("{}", max_objects);
    assert_eq!(refusal(array("{}", most)), None);
    assert_eq!(refusal(array("{}", most + 1)), Some(SyntaxErrorKind::TooMany("objects")));
}

#[test]
fn documents_may_have_so_many_values() {
    // The array is a value, too.
    let most = most("0", max_values) - 1;
    assert_eq!(refusal(array("0", most)), None);
    assert_eq!(refusal(array("0", most + 2)), Some(SyntaxErrorKind::TooMany("values")));
}

#[test]
fn keys_on_a_path_may_have_so_many_bytes() {
    let limit = wflint::common::limits::MAX_PATH_BYTES;
    // Beside each other they may have more.
    let nested = |inner: usize| format!(r#"{{ "a": 1, "{}": [{{ "{}": 1 }}] }}"#, "b".repeat(1000), "c".repeat(inner));
    assert_eq!(refusal(nested(limit - 1000)), None);
    assert_eq!(refusal(nested(limit - 999)), Some(SyntaxErrorKind::TooMany("bytes of keys around a value")));
    let one = |length: usize| format!(r#"{{ "{}": 1, "{}": 1 }}"#, "b".repeat(length), r"c".repeat(length));
    assert_eq!(refusal(one(limit)), None);
    assert_eq!(refusal(one(limit + 1)), Some(SyntaxErrorKind::TooMany("bytes of keys around a value")));
}

#[test]
fn a_document_of_too_long_keys_is_reported_and_fails() {
    let text = format!(r#"{{ "activities": [{{ "{}": 1 }}], "variables": [] }}"#, "k".repeat(5000));
    let folder = Folder::with(&[("a.json", &text)]);
    for arguments in [&["."][..], &["--select", "WF404", "."]] {
        let output = folder.run(arguments).expect_code(1);
        assert!(output.out().contains("WF002") && output.out().contains("bytes of keys"), "{}", output.out());
    }
    assert!(folder.run(&["--show-files"]).out().contains("(WF002)"));
}

#[test]
fn a_document_of_too_many_objects_is_reported_and_fails() {
    let folder = Folder::with(&[("a.json", &format!(r#"{{ "activities": {} }}"#, array("{}", 100_000)))]);
    for arguments in [&["."][..], &["--select", "WF404", "."], &["--ignore", "WF1,WF2", "."]] {
        let output = folder.run(arguments).expect_code(1);
        assert!(output.out().contains("too many objects"), "{}", output.out());
    }
}
