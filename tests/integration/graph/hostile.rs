//! Names that a reader of a format acts on are text in it.

use serde_json::json;

use super::{FORMATS, checked_svg, draw};
use crate::support::folder::Folder;

/// What readers of HTML, XML, Mermaid and dot act on, and what shows nothing.
pub const HOSTILE: [&str; 22] = [
    "</script><img src=x onerror=alert(1)>",
    "]]><svg onload='x'>",
    "\"]",
    "\"} click a0 href \"javascript:x\"",
    "%%{init: {\"theme\": \"dark\"}}%%",
    "%% comment",
    "`code` and \"`markdown`\"",
    "one\ntwo\r\nthree\u{2028}four",
    "\u{202e}reversed\u{2069}",
    "#quot; #35; &amp; &#60;b&#62; &lt;",
    "style x fill:#fff;",
    "classDef y fill:#000;",
    "end",
    "subgraph a",
    "---\ntitle: x\n---",
    "a --> b; a -->|x| b",
    "\\N \\G \\l \\\" \\",
    "$$x^2$$",
    "fa:fa-ban",
    "",
    " ",
    "\u{0}\u{1b}[31m\u{fffe}\u{ffff}",
];

/// A workflow in which every kind of activity has this name and shows it wherever it shows anything.
pub fn workflow(name: &str) -> String {
    let bound = json!({ "isBound": true, "boundTo": name });
    let text = json!({ "isBound": false, "value": name });
    let expression = json!({ "type": "EqualityExpression", "operand": "equal", "left": bound, "right": text });
    json!({
        "activities": [
            { "name": name, "type": "Provider", "method": name, "activities": [] },
            { "name": name, "type": "Code", "parameters": [{ "name": name, "value": text }], "script": name },
            { "name": name, "type": "Approval", "required": name, "timeout": text, "onTimeout": name,
              "assignees": [{ "type": "Parameter", "parameter": text }],
              "activities": [
                  { "name": name, "type": "Event", "event": name, "activities": [] },
                  { "name": name, "type": "Event", "event": name, "activities": [
                      { "name": name, "type": "Status", "status": text }
                  ] }
              ] },
            { "name": name, "type": "While", "expression": expression, "iterationDelaySeconds": text,
              "activities": [
                  { "name": name, "type": "If", "expression": expression, "activities": [
                      { "name": name, "type": "Terminate" }
                  ] }
              ] },
            { "name": name, "type": "Sequence", "activities": [
                { "name": name, "type": "Assign", "result": bound, "body": name }
            ] },
            { "name": name, "type": name, "activities": [{ "name": name, "type": "Assign" }] }
        ],
        "variables": [{ "name": name, "id": 1 }]
    })
    .to_string()
}

#[test]
fn hostile_names_are_text_in_every_format() {
    for name in HOSTILE.into_iter().map(str::to_owned).chain(["m".repeat(5000), "long words ".repeat(900)]) {
        let folder = Folder::with(&[("a.json", &workflow(&name))]);
        for format in FORMATS {
            let output = draw(&folder, format).expect_code(0);
            let shown = output.out();
            // Plain text has no markup.
            assert!(format == "text" || !shown.contains("<img") && !shown.contains("<b>"), "{shown}");
            assert!(format != "mermaid" || !shown.contains("%%"), "{shown}");
            assert!(shown.len() < 200_000, "{format}: {} bytes", shown.len());
            if format == "svg" {
                let svg = checked_svg(shown);
                let titles = svg.descendants().filter(|node| node.has_tag_name("title")).count();
                assert_eq!(svg.descendants().filter(|node| node.has_tag_name("g")).count() + 1, titles);
            }
        }
    }
}

#[test]
fn hostile_file_name_is_text_too() {
    for name in ["a\"]%%{init}.json", "<b>&.json", "a\nb.json"] {
        let folder = Folder::with(&[(name, r#"{"activities": [], "variables": []}"#)]);
        for format in FORMATS {
            let output = folder.run(&["graph", name, "--format", format]).expect_code(0);
            assert!(format != "mermaid" || !output.out().contains("%%"), "{}", output.out());
            assert!(format == "text" || !output.out().contains("<b>"), "{}", output.out());
        }
    }
}
