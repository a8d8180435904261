//! Inputs of any size: much of one thing each. `growth` measures their time, `memory` their memory.

mod documents;
mod explorations;
mod faults;
mod flows;
mod folders;
mod modules;
pub mod process;
mod repeats;
mod reports;
mod runs;
mod scripts;
mod settings;

use std::path::Path;

/// A run of the command line on a folder.
#[derive(Default)]
pub struct Case {
    /// Paths in the folder, with their contents.
    pub files: Vec<(String, String)>,
    pub arguments: Vec<&'static str>,
    /// The subcommand; lint without one.
    pub subcommand: Option<&'static str>,
}

/// What there is much of, and a case with so many of it.
pub type Shape = (&'static str, fn(usize) -> Case);

pub fn shapes() -> impl Iterator<Item = Shape> {
    let shapes = [documents::SHAPES, flows::SHAPES, repeats::SHAPES, folders::SHAPES, runs::SHAPES, scripts::SHAPES];
    shapes
        .into_iter()
        .chain([settings::SHAPES, reports::SHAPES, explorations::SHAPES, faults::SHAPES, modules::SHAPES])
        .flatten()
        .copied()
}

impl Case {
    /// One document.
    fn document(text: String) -> Self {
        Self { files: vec![("a.json".to_owned(), text)], ..Self::default() }
    }

    fn with(mut self, path: impl Into<String>, text: impl Into<String>) -> Self {
        self.files.push((path.into(), text.into()));
        self
    }

    fn run_with(self, arguments: &[&'static str]) -> Self {
        Self { arguments: arguments.to_vec(), ..self }
    }

    /// A run of a subcommand.
    fn run_by(self, subcommand: &'static str, arguments: &[&'static str]) -> Self {
        Self { subcommand: Some(subcommand), ..self.run_with(arguments) }
    }

    /// The command line on the folder, without the name of the program.
    pub fn arguments(&self, jobs: usize) -> Vec<String> {
        let jobs = self.subcommand.is_none().then(|| ["--jobs".to_owned(), jobs.to_string(), ".".to_owned()]);
        let words = self.subcommand.into_iter().map(str::to_owned).chain(jobs.into_iter().flatten());
        words.chain(self.arguments.iter().map(|argument| (*argument).to_owned())).collect()
    }

    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        for (path, text) in &self.files {
            let path = folder.join(path);
            if let Some(parent) = path.parent() {
                std::fs::create_dir_all(parent)?;
            }
            std::fs::write(path, text)?;
        }
        Ok(())
    }
}

const VARIABLE: &str = r#"{ "name": "Known", "id": 1, "variableType": "String" }"#;

fn repeated(number: usize, item: impl Fn(usize) -> String) -> String {
    (0..number).map(item).collect::<Vec<_>>().join(",\n")
}

fn workflow(activities: &str, variables: &str) -> String {
    format!(r#"{{ "activities": [{activities}], "variables": [{variables}] }}"#)
}

fn bound(name: &str) -> String {
    format!(r#"{{ "isBound": true, "boundTo": "{name}" }}"#)
}

fn status(variable: &str) -> String {
    format!(r#"{{ "name": "S", "type": "Status", "status": {} }}"#, bound(variable))
}

fn assign(to: &str, body: &str) -> String {
    format!(r#"{{ "name": "A", "type": "Assign", "result": {}, "body": "{body}" }}"#, bound(to))
}

fn variable(name: &str, id: usize) -> String {
    format!(r#"{{ "name": "{name}", "id": {id}, "variableType": "String" }}"#)
}

fn variables(number: usize) -> String {
    repeated(number, |at| variable(&format!("x{at}"), at + 1))
}

fn given(name: &str, value: &str) -> String {
    format!(r#"{{ "name": "{name}", "value": {{ "state": "static", "value": "{value}" }} }}"#)
}

fn provider(method: &str, parameters: &str) -> String {
    format!(r#"{{ "name": "L", "type": "Provider", "method": "{method}", "providerParameters": [{parameters}] }}"#)
}

fn code(name: &str, script: &str) -> String {
    format!(r#"{{ "name": "{name}", "type": "Code", "script": "{script}" }}"#)
}

fn field(variable: &str) -> String {
    format!(r#"{{ "name": "F{variable}", "type": "InputText", "isBound": true, "boundTo": "{variable}" }}"#)
}

fn form(fields: &str, variables: &str) -> String {
    format!(r#"{{ "fields": [{fields}], "variables": [{variables}] }}"#)
}

fn decision(kind: &str, variable: &str, value: &str, inside: &str) -> String {
    format!(
        r#"{{ "name": "D", "type": "{kind}", "expression": {{ "type": "EqualityExpression", "operand": "notEqual",
            "left": {}, "right": {{ "isBound": false, "value": "{value}" }} }}, "activities": [{inside}] }}"#,
        bound(variable)
    )
}

fn lookup(prefix: &str, properties: &str) -> String {
    let parameters = [given("Identity", "me"), given("Prefix", prefix), given("Property", properties)].join(", ");
    provider("Get-ZPADUser", &parameters)
}

fn case_lookup(prefix: &str) -> String {
    provider("Get-ZPESignDocumentSignatureStatus", &[given("Id", "1"), given("Prefix", prefix)].join(", "))
}
