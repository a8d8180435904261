//! Checkstyle's XML, read by an XML parser.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::support::folder::Folder;
use crate::support::samples::{ERROR, FINE, INFO, WARNING};

/// The elements with their attributes, in order.
fn elements(xml: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut reader = Reader::from_str(xml);
    let mut elements = Vec::new();
    let read = |element: &BytesStart<'_>| {
        let attributes = element.attributes().map(|attribute| {
            let attribute = attribute.unwrap();
            let value = attribute.normalized_value(XmlVersion::Explicit1_0).unwrap().into_owned();
            (String::from_utf8(attribute.key.as_ref().to_vec()).unwrap(), value)
        });
        (String::from_utf8(element.name().as_ref().to_vec()).unwrap(), attributes.collect())
    };
    loop {
        match reader.read_event().unwrap() {
            Event::Start(element) | Event::Empty(element) => elements.push(read(&element)),
            Event::Eof => return elements,
            _ => {}
        }
    }
}

fn attribute<'a>(element: &'a (String, Vec<(String, String)>), key: &str) -> &'a str {
    element.1.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value)
}

#[test]
fn findings_are_errors_of_their_files() {
    let folder = Folder::with(&[("a.json", ERROR), ("b.json", WARNING), ("c.json", INFO), ("d.json", FINE)]);
    let output = folder.run(&["--format", "checkstyle", "--select", "ALL"]).expect_code(1);
    let elements = elements(output.out());
    let names: Vec<&str> = elements.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["checkstyle", "file", "error", "file", "error", "file", "error"]);
    assert_eq!(attribute(&elements[0], "version"), "4.3");
    assert_eq!(attribute(&elements[1], "name"), "a.json");
    let error = &elements[2];
    let place = [attribute(error, "line"), attribute(error, "column"), attribute(error, "severity")];
    assert_eq!((place, attribute(error, "source")), (["2", "93", "error"], "wflint.WF101"));
    assert!(attribute(error, "message").starts_with("undefined variable `Nobody`"));
    assert_eq!([attribute(&elements[4], "severity"), attribute(&elements[6], "severity")], ["warning", "info"]);
}

#[test]
fn report_without_findings_is_an_empty_element() {
    let output = Folder::with(&[("d.json", FINE)]).run(&["--format", "checkstyle"]).expect_code(0);
    assert_eq!(elements(output.out()).len(), 1);
}

#[test]
fn strings_of_documents_stay_attributes() {
    let name = "<b a=\\\"1\\\">]]>&amp;'";
    let folder = Folder::with(&[("a&'<.json", &ERROR.replace("Nobody", name))]);
    let output = folder.run(&["--format", "checkstyle"]).expect_code(1);
    let elements = elements(output.out());
    assert_eq!(elements.len(), 3);
    assert_eq!(attribute(&elements[1], "name"), "a&'<.json");
    assert!(attribute(&elements[2], "message").contains("`<b a=\"1\">]]>&amp;'`"), "{elements:?}");
}
