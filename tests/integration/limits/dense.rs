//! Documents of very many short values (docs/limits.md).

use wflint::document::{Document, Limits, SyntaxErrorKind};

use crate::support::folder::Folder;

/// The most of an element that an array may have, when any document may have `least` of it, and one more for `bytes`.
fn most(element: &str, least: usize, bytes: usize) -> usize {
    let length = |number: usize| number * (element.len() + 1) + 1;
    let fits = |number: &usize| *number <= least + length(*number) / bytes;
    (least..2 * least).take_while(fits).last().unwrap()
}

fn array(element: &str, number: usize) -> String {
    format!("[{}]", vec![element; number].join(","))
}

fn refusal(text: String) -> Option<SyntaxErrorKind> {
    Document::parse(text, Limits::default()).err().map(|error| error.kind)
}

#[test]
fn documents_may_have_so_many_objects() {
    let most = most("{}", 64 << 10, 32);
    assert_eq!(refusal(array("{}", most)), None);
    assert_eq!(refusal(array("{}", most + 1)), Some(SyntaxErrorKind::TooMany("objects")));
}

#[test]
fn documents_may_have_so_many_values() {
    // The array is a value, too.
    let most = most("0", 2 << 20, 16) - 1;
    assert_eq!(refusal(array("0", most)), None);
    assert_eq!(refusal(array("0", most + 2)), Some(SyntaxErrorKind::TooMany("values")));
}

#[test]
fn a_document_of_too_many_objects_is_reported_and_fails() {
    let folder = Folder::with(&[("a.json", &format!(r#"{{ "activities": {} }}"#, array("{}", 100_000)))]);
    for arguments in [&["."][..], &["--select", "WF404", "."], &["--ignore", "ALL", "."]] {
        let output = folder.run(arguments).expect_code(1);
        assert!(output.out().contains("too many objects"), "{}", output.out());
    }
}
