//! What several tests share.

pub mod deep;
pub mod example_services;
pub mod fences;
pub mod fixing;
pub mod folder;
pub mod generated;
pub mod git;
pub mod invariants;
pub mod linted;
pub mod mutation;
pub mod numbers;
pub mod page;
pub mod report_check;
pub mod requests;
pub mod run;
pub mod safe_output;
pub mod samples;
pub mod schema_oracle;
pub mod services;
pub mod slips;
pub mod snapshot;
pub mod strategies;
pub mod tree;
pub mod words;
pub mod workflow_slips;

use std::path::{Path, PathBuf};

use proptest::test_runner::Config as ProptestConfig;
use wflint::config::Config;
use wflint::lint::{self, Baseline, Baselines, Choice, Options, Outcome};
use wflint::project::{self, Request};
use wflint::text::diagnostic::Diagnostic;
use wflint::text::source::SourceFile;

/// The number of generated cases; `PROPTEST_CASES` overrides it.
pub fn cases(number: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    let is_overridden = std::env::var_os("PROPTEST_CASES").is_some();
    ProptestConfig { cases: if is_overridden { default.cases } else { number }, failure_persistence: None, ..default }
}

/// A key as one step of a JSON Pointer (RFC 6901).
pub fn escape_step(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The key that one step of a JSON Pointer names.
pub fn unescape_step(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}

/// The choice of every rule.
pub fn all_rules() -> Vec<Choice> {
    vec![Choice::Select("ALL".to_owned())]
}

/// Lints a folder by all rules, with the `wflint.toml` that lies in it.
pub fn lint_folder(folder: &Path) -> Outcome {
    lint_paths(folder, vec![".".into()])
}

/// Lints some files or folders by all rules.
pub fn lint_paths(folder: &Path, paths: Vec<PathBuf>) -> Outcome {
    lint_by(all_rules(), folder, paths)
}

/// Lints some files or folders by the rules that these choices and the `wflint.toml` select.
pub fn lint_by(choices: Vec<Choice>, folder: &Path, paths: Vec<PathBuf>) -> Outcome {
    let request = Request { current: folder.to_path_buf(), paths, ..Request::default() };
    lint::on_pool(Some(1), || {
        let project = project::find(&request).unwrap();
        let program = Some(env!("CARGO_BIN_EXE_wflint").into());
        let baselines = baselines(&project.configs);
        let options = Options { choices, program, baselines, today: Some(run::TODAY), ..Options::default() };
        lint::lint(&project, &options).unwrap()
    })
    .unwrap()
}

/// The baselines that configurations name.
fn baselines(configs: &[Config]) -> Baselines {
    let mut baselines = Baselines::default();
    for config in configs {
        let index = config.baseline.as_ref().map(|path| {
            let text = std::fs::read_to_string(path).unwrap();
            baselines.all.push(Baseline::parse(path.clone(), &text).unwrap());
            baselines.all.len() - 1
        });
        baselines.of_config.push(index);
    }
    baselines
}

/// The file that a finding is in.
pub fn source_of<'o>(outcome: &'o Outcome, diagnostic: &Diagnostic) -> &'o SourceFile {
    &outcome.sources[&diagnostic.location.file]
}

/// The name of the file that a finding is in.
pub fn file_of<'o>(outcome: &'o Outcome, diagnostic: &Diagnostic) -> &'o str {
    &source_of(outcome, diagnostic).name
}

/// The characters that a finding covers.
pub fn covered<'o>(outcome: &'o Outcome, diagnostic: &Diagnostic) -> &'o str {
    source_of(outcome, diagnostic).text.get(diagnostic.location.span.range()).unwrap()
}
