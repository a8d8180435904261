//! The settings of the client: `initializationOptions`, and `workspace/didChangeConfiguration`.

use std::path::PathBuf;

use serde_json::Value;

use crate::config::Config;
use crate::lint::{Choice, check_selection};

/// The name of the settings in those of a client.
pub const SECTION: &str = "wflint";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The `wflint.toml` for all files, relative to the folder of the workspace.
    pub configuration: Option<PathBuf>,
    pub select: Vec<String>,
    pub ignore: Vec<String>,
    /// Whether unsafe fixes are offered.
    pub unsafe_fixes: bool,
    /// Whether the scripts of Code activities are run.
    pub run_scripts: bool,
    /// Whether findings are shown for documents that are not open.
    pub workspace_diagnostics: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            configuration: None,
            select: Vec::new(),
            ignore: Vec::new(),
            unsafe_fixes: true,
            run_scripts: true,
            workspace_diagnostics: false,
        }
    }
}

impl Settings {
    /// Reads settings, alone or under the name of the section. What is missing, or has the wrong type, has its default.
    pub fn new(value: &Value) -> Self {
        let value = value.get(SECTION).filter(|section| section.is_object()).unwrap_or(value);
        let flag = |name: &str, default: bool| value.get(name).and_then(Value::as_bool).unwrap_or(default);
        let list = |name: &str| match value.get(name) {
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            Some(Value::String(list)) => {
                list.split(',').map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
            }
            _ => Vec::new(),
        };
        let configuration = value.get("configuration").and_then(Value::as_str).filter(|path| !path.is_empty());
        Self {
            configuration: configuration.map(PathBuf::from),
            select: list("select"),
            ignore: list("ignore"),
            unsafe_fixes: flag("unsafeFixes", true),
            run_scripts: flag("runScripts", true),
            workspace_diagnostics: flag("workspaceDiagnostics", false),
        }
    }

    /// As `--select` and `--ignore`.
    /// Drops the rules that are unknown, so that the others hold; returns the first error.
    pub fn drop_unknown_rules(&mut self) -> Option<String> {
        let mut error = None;
        let mut is_known = |choice: Choice| {
            let checked = check_selection(&Config::default(), &[choice]);
            checked.map_err(|reason| error.get_or_insert(reason).clone()).is_ok()
        };
        self.select.retain(|rule| is_known(Choice::Select(rule.clone())));
        self.ignore.retain(|rule| is_known(Choice::Ignore(rule.clone())));
        error
    }

    pub fn choices(&self) -> Vec<Choice> {
        let select = self.select.iter().cloned().map(Choice::Select);
        select.chain(self.ignore.iter().cloned().map(Choice::Ignore)).collect()
    }
}
