//! The limits of redaction: up to them copies of a secret are redacted wherever they are.

use crate::support::folder::Folder;

/// A workflow with masked variables of these lengths, and the value of the first one also as the name of an activity.
fn masked(lengths: impl Iterator<Item = usize>) -> String {
    let value = |at: usize, length: usize| format!("{:-<length$}", format!("v{at:.>6}"));
    let lengths: Vec<usize> = lengths.collect();
    let copy = value(0, lengths[0]);
    let variables: Vec<String> = (0..)
        .zip(&lengths)
        .map(|(at, &length)| {
            let value: String = value(at, length).chars().take(length).collect();
            format!(
                r#"{{ "name": "x{at}", "id": {}, "variableType": "String", "shouldHide": true, "hideAll": true, "value": "{value}" }}"#,
                at + 1
            )
        })
        .collect();
    format!(
        r#"{{ "activities": [{{ "name": "{copy}", "type": "Status" }}], "variables": [
{}] }}"#,
        variables.join(",\n")
    )
}

/// Whether the copy is redacted, and whether an info says that copies are not.
fn redacted(lengths: impl Iterator<Item = usize>) -> (bool, bool) {
    let folder = Folder::with(&[("a.workflow.json", &masked(lengths))]);
    let report = folder.run(&["--format", "json", "--select", "WF414,WF901"]);
    let report = report.json();
    let find = |code: &str| report["diagnostics"].as_array().unwrap().iter().find(|finding| finding["code"] == code);
    let message = find("WF414").unwrap()["message"].as_str().unwrap();
    (!message.contains("v.....0"), find("WF901").is_some_and(|finding| finding["severity"] == "info"))
}

#[test]
fn secrets_that_are_too_long_to_search_for_are_reported() {
    let (all, each) = (1 << 20, 4096);
    let full = || std::iter::repeat_n(each, all / each);
    assert_eq!(redacted(full()), (true, false));
    assert_eq!(redacted(full().chain([1])), (false, true));
    assert_eq!(redacted([each].into_iter()), (true, false));
    assert!(redacted([each + 1].into_iter()).1);
}
