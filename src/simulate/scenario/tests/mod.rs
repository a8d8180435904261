//! Tests of reading scenarios.

mod hostile;
mod messages;
mod schema;
mod whole;

use super::{Problem, Scenario, ScenarioSyntax, read};
use crate::text::source::{SourceFile, Span};

const SYNTAXES: [ScenarioSyntax; 3] = [ScenarioSyntax::Yaml, ScenarioSyntax::Json, ScenarioSyntax::Toml];

fn yaml(text: &str) -> Scenario {
    read(text, ScenarioSyntax::Yaml).unwrap_or_else(|problems| panic!("{}", show(text, &problems)))
}

/// The source of a span.
fn slice(text: &str, span: Span) -> String {
    text.get(span.range()).unwrap().to_owned()
}

/// Each problem as `line:column pointer: message` with its help behind a dash.
fn show(text: &str, problems: &[Problem]) -> String {
    let source = SourceFile::new("s".into(), "s".to_owned(), text.into());
    let line = |problem: &Problem| {
        let position = source.position(problem.location.span.start);
        let help = problem.help.as_ref().map_or_else(String::new, |help| format!(" - {help}"));
        format!("{}:{} {}: {}{help}\n", position.line, position.column, problem.location.pointer, problem.message)
    };
    problems.iter().map(line).collect()
}

/// The problems of an invalid scenario.
fn problems(text: &str, syntax: ScenarioSyntax) -> String {
    match read(text, syntax) {
        Ok(scenario) => panic!("accepted: {scenario:?}"),
        Err(problems) => show(text, &problems),
    }
}
