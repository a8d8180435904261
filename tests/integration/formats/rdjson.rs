//! The Reviewdog Diagnostic Format: columns count bytes, and suggestions are fixes.

use serde_json::Value;

use crate::support::folder::{Folder, copy_of};
use crate::support::samples::ERROR;

fn diagnostics(folder: &Folder) -> Vec<Value> {
    folder.run(&["--format", "rdjson"]).json()["diagnostics"].as_array().unwrap().clone()
}

/// The offset of a position, as reviewdog counts.
fn offset(text: &str, position: &Value) -> usize {
    let number = |key: &str| usize::try_from(position[key].as_u64().unwrap()).unwrap() - 1;
    let line_start: usize = text.split_inclusive('\n').take(number("line")).map(str::len).sum();
    line_start + number("column")
}

#[test]
fn columns_count_bytes() {
    let text = ERROR.replace("\"Say\"", "\"é😀\"");
    let folder = Folder::with(&[("a.json", &text)]);
    let found = &diagnostics(&folder)[0];
    let range = &found["location"]["range"];
    assert_eq!(&text[offset(&text, &range["start"])..offset(&text, &range["end"])], "\"Nobody\"");
    assert_eq!((&found["severity"], &found["code"]["value"]), (&"ERROR".into(), &"WF101".into()));
    assert_eq!(found["location"]["path"], "a.json");
}

#[test]
fn suggestion_is_the_whole_fix() {
    let folder = copy_of("examples/broken");
    let mut suggestions = 0;
    let report = folder.run(&["--format", "json"]).json();
    for (found, own) in diagnostics(&folder).iter().zip(report["diagnostics"].as_array().unwrap()) {
        for suggestion in found["suggestions"].as_array().into_iter().flatten() {
            suggestions += 1;
            let file = found["location"]["path"].as_str().unwrap();
            let before = folder.read(file);
            let mut suggested = before.clone();
            let range = &suggestion["range"];
            let bytes = offset(&before, &range["start"])..offset(&before, &range["end"]);
            suggested.replace_range(bytes, suggestion["text"].as_str().unwrap());
            let mut fixed = before.clone();
            for edit in own["fix"]["edits"].as_array().unwrap().iter().rev() {
                let at = |end: &str| usize::try_from(edit["range"][end]["offset"].as_u64().unwrap()).unwrap();
                fixed.replace_range(at("start")..at("end"), edit["newText"].as_str().unwrap());
            }
            assert_eq!(suggested, fixed, "{found:#}");
        }
    }
    assert!(suggestions > 1, "{suggestions}");
}
