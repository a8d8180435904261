//! Orders with much of one thing, explored.

use super::{Case, Shape, VARIABLE, given, provider, repeated, status, variable, variables, workflow};

pub const SHAPES: &[Shape] = &[
    ("explored: undefined variables", |number| explored(&reads(number), VARIABLE)),
    ("explored: variables that nothing sets", |number| explored(&reads(number), &variables(number))),
    ("explored: ends after many calls", |number| explored(&repeated(number, |_| provider("X-Y", "")), VARIABLE)),
    ("explored: workflows of one folder", |number| together(number, 0)),
    ("explored: workflows and forms of one folder", |number| together(number, number)),
    ("scenario of many variables", |number| started(&reads(number), &variables(number))),
    ("scenario of many methods", |number| {
        let call = |at| provider(&format!("X-Y{at}"), &given("Prefix", &format!("Z{at}")));
        let outputs = repeated(number, |at| variable(&format!("Z{at}Mail"), at + 1));
        started(&repeated(number, call), &outputs)
    }),
    ("scenario of many parameters", |number| {
        let parameters = repeated(number, |at| given(&format!("P{at}"), "v"));
        started(&provider("X-Y", &parameters), VARIABLE)
    }),
    ("explored: unreached activities", |number| {
        let inside = r#"{"type":"If","name":"i","activities":[{"type":"Terminate","name":"t"}]}"#;
        explored(&repeated(number, |_| format!(r#"{{"type":"Terminate","name":"t"}}, {inside}"#)), "[]")
    }),
    ("compared by diff: removed activities", |number| compared(&reads(number), &status("Known"))),
    ("compared by diff: renamed activities", |number| {
        compared(&reads(number), &repeated(number, |at| status(&format!("y{at}"))))
    }),
    ("compared by diff: short activities with other names", |number| {
        let named = |prefix| {
            let activity = |at| format!(r#"{{"type":"Terminate","name":"{prefix}{at}"}}"#);
            (0..number).map(activity).collect::<Vec<_>>().join(",")
        };
        compared(&named("t"), &named("u"))
    }),
    ("compared by diff: undefined variables", |number| {
        let old = workflow(&reads(number), VARIABLE);
        let new = workflow(&format!("{}, {}", reads(number), status("Known")), VARIABLE);
        Case::default().with("old/a.json", old).with("new/a.json", new).run_by("diff", &["old", "new"])
    }),
];

/// One folder with workflows, each with a variable of its own that it does not set, and with forms of the first.
fn together(workflows: usize, forms: usize) -> Case {
    let workflow = |at| workflow(&status(&format!("x{at}")), &variable(&format!("x{at}"), 1));
    let documents = (0..workflows).map(|at| (format!("w{at}.json"), workflow(at)));
    let form = r#"{"fields":[{"name":"F","type":"InputText","boundTo":"x"}],"variables":[]}"#;
    let forms = (0..forms).map(|at| (format!("w{at}.form.json"), form.to_owned()));
    Case { files: documents.chain(forms).collect(), ..Case::default() }.run_by("explore", &["."])
}

/// One read of each variable.
fn reads(number: usize) -> String {
    repeated(number, |at| status(&format!("x{at}")))
}

fn compared(old: &str, new: &str) -> Case {
    let files = Case::default().with("old/a.json", workflow(old, VARIABLE)).with("new/a.json", workflow(new, VARIABLE));
    files.run_by("diff", &["--no-explore", "old", "new"])
}

/// A first scenario for a workflow.
fn started(activities: &str, variables: &str) -> Case {
    Case::document(workflow(activities, variables)).run_by("init", &["--scenario", "a.json"])
}

fn explored(activities: &str, variables: &str) -> Case {
    Case::document(workflow(activities, variables)).run_by("explore", &["."])
}
