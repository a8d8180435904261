//! Much in a report, of each format.

use super::folders::many;
use super::{
    Case, Shape, VARIABLE, assign, bound, case_lookup, decision, provider, repeated, status, variable, variables,
    workflow,
};

pub const SHAPES: &[Shape] = &[
    ("json", |number| undefined(number).run_with(&["--format", "json"])),
    ("concise", |number| undefined(number).run_with(&["--format", "concise"])),
    ("github", |number| undefined(number).run_with(&["--format", "github"])),
    ("gitlab", |number| undefined(number).run_with(&["--format", "gitlab"])),
    ("junit", |number| undefined(number).run_with(&["--format", "junit"])),
    ("rdjson", |number| mismatched(number).run_with(&["--format", "rdjson"])),
    ("checkstyle", |number| undefined(number).run_with(&["--format", "checkstyle"])),
    ("azure", |number| undefined(number).run_with(&["--format", "azure"])),
    ("markdown", |number| undefined(number).run_with(&["--format", "markdown"])),
    ("sarif", |number| mismatched(number).run_with(&["--format", "sarif"])),
    ("sarif of many files", |number| {
        many(number, "/a.json", |at| workflow(&status(&format!("x{at}")), VARIABLE)).run_with(&["--format", "sarif"])
    }),
    ("sarif with flows", |number| {
        // A variable is unset on the way past each of the Ifs, and each loop has a status that nothing handles.
        let part = |at| {
            let taken = decision("If", "Known", &format!("v{at}"), &assign(&format!("x{at}"), "v"));
            let waiting = decision("While", "PStatus", "Finished", &case_lookup("P"));
            format!("{taken}, {}, {waiting}", status(&format!("x{at}")))
        };
        let declared = format!("{VARIABLE}, {}, {}", variable("PStatus", number + 2), variables(number));
        Case::document(workflow(&repeated(number, part), &declared)).run_with(&["--format", "sarif"])
    }),
    ("sarif with tainted flows", |number| {
        let copy = |at| {
            let next = format!("x{}", at + 1);
            format!("{}, {}", assign(&next, &format!("{{x{at}}}")), provider("Get-ZPADUser", &filter(&next)))
        };
        let masked = r#"{ "name": "x0", "id": 1, "variableType": "String", "shouldHide": true }"#;
        let declared = repeated(number, |at| variable(&format!("x{}", at + 1), at + 2));
        Case::document(workflow(&repeated(number, copy), &format!("{masked}, {declared}")))
            .run_with(&["--format", "sarif"])
    }),
    ("findings in one line", |number| {
        let case = undefined(number);
        let text = case.files.iter().map(|(_, text)| text.replace('\n', "")).collect::<String>();
        Case::document(text).run_with(&["--format", "json"])
    }),
    ("statistics", |number| undefined(number).run_with(&["--statistics"])),
    ("a formatted document", |number| undefined(number).run_by("fmt", &["--diff", "."])),
    ("formatted documents", |number| {
        many(number, "/a.json", |_| workflow(&status("Known"), VARIABLE)).run_by("fmt", &["--check", "."])
    }),
    ("a drawing", |number| undefined(number).run_by("graph", &["a.json"])),
];

/// A workflow with so many undefined variables.
pub fn undefined(number: usize) -> Case {
    let activity = |at| format!(r#"{{ "name": "S{at}", "type": "Status", "status": {} }}"#, bound(&format!("x{at}")));
    Case::document(workflow(&repeated(number, activity), VARIABLE))
}

/// A binding whose id is that of no variable, which has a fix.
pub fn mismatch(at: usize) -> String {
    let status = format!(r#"{{ "isBound": true, "boundTo": "x{at}", "boundToId": 999999 }}"#);
    format!(r#"{{ "name": "S{at}", "type": "Status", "status": {status} }}"#)
}

pub fn mismatched(number: usize) -> Case {
    Case::document(workflow(&repeated(number, mismatch), &variables(number)))
}

/// A filter that contains the value of a variable.
fn filter(variable: &str) -> String {
    format!(r#"{{ "name": "LDAPFilter", "value": {{ "state": "bound", "boundTo": "{variable}" }} }}"#)
}
