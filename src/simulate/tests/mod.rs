//! What runs hold, and what they share.

use std::sync::Arc;

use super::{Request, Session, load};
use crate::config::Config;
use crate::files::boundary::Boundary;
use crate::files::read::Unsaved;
use crate::lint::pool;
use crate::project::ConfigSource;
use crate::text::suggest::Suggester;

/// A workflow whose variables have these names.
fn workflow(activities: &str, variables: &[String]) -> String {
    let variables = variables.iter().enumerate();
    let variables =
        variables.map(|(id, name)| format!(r#"{{ "name": "{name}", "id": {id}, "variableType": "String" }}"#));
    let variables: Vec<String> = variables.collect();
    format!(r#"{{ "activities": [{activities}], "variables": [{}] }}"#, variables.join(","))
}

/// Calls a function with the session of a folder with these files.
fn with_session(files: &[(String, String)], test: impl FnOnce(&Session<'_>)) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let current = folder.path().canonicalize().unwrap();
    let (config, boundary, unsaved) = (ConfigSource::Isolated, Boundary::default(), Unsaved::default());
    let loaded = load(&Request { paths: vec![current.clone()], current, config, boundary, unsaved }).unwrap();
    assert!(loaded.problems.is_empty() && loaded.unreadable.is_empty());
    let (suggester, fallback) = (Suggester::default(), Config::default());
    test(&Session::new(&loaded, &suggester, &fallback));
}

fn scenario(name: &str, workflow: &str) -> (String, String) {
    (format!("{name}.scenario.yaml"), format!("workflow: {workflow}\n"))
}

#[test]
fn plans_of_one_workflow_share_what_is_prepared() {
    let empty = workflow("", &[]);
    let mut files = vec![("a.json".to_owned(), empty.clone()), ("b.json".to_owned(), empty)];
    files.extend((0..300).map(|at| scenario(&format!("s{at}"), if at % 2 == 0 { "a.json" } else { "b.json" })));
    with_session(&files, |session| {
        let plans = session.plans(&session.scenarios(), &pool(Some(1)).unwrap());
        assert_eq!(plans.len(), 300);
        let mut programs: Vec<_> = plans.iter().map(|plan| Arc::as_ptr(&plan.program)).collect();
        programs.sort_unstable();
        programs.dedup();
        assert_eq!(programs.len(), 2);
    });
}
