//! The settings of the client: `initializationOptions`, and `workspace/didChangeConfiguration`.

use std::path::PathBuf;

use serde_json::Value;

use super::outbox::TraceLevel;
use crate::config::{Config, may_be_own};
use crate::lint::{Choice, check_selection};
use crate::text::quote;

/// The name of the settings in those of a client.
pub const SECTION: &str = "wflint";

/// The names of all settings. That of the program is read by the editor's side.
const NAMES: [&str; 10] = [
    "configuration", "select", "ignore", "unsafeFixes", "runScripts", "ownRules", "inlayHints", "workspaceDiagnostics",
    "trace", "path",
];

/// An option for servers of JSON, which editors send to wflint where it takes the place of one.
const OPTION_OF_JSON: &str = "provideFormatter";

/// Characters of a string that a message shows.
const MAX_SHOWN: usize = 40;

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
    /// Whether the user's own rules are run.
    pub own_rules: bool,
    pub inlay_hints: bool,
    /// Whether findings are shown for documents that are not open.
    pub workspace_diagnostics: bool,
    /// `None` if it is left to the protocol.
    pub trace: Option<TraceLevel>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            configuration: None,
            select: Vec::new(),
            ignore: Vec::new(),
            unsafe_fixes: true,
            run_scripts: true,
            own_rules: true,
            inlay_hints: true,
            workspace_diagnostics: false,
            trace: None,
        }
    }
}

impl Settings {
    /// Whether these are settings of the server: they have its section, or one of its settings.
    pub fn is_in(value: &Value) -> bool {
        value.get(SECTION).is_some() || NAMES.iter().any(|name| value.get(name).is_some())
    }

    /// Reads settings, alone or under the name of the section. Missing settings, and those of the wrong type, get their
    /// defaults; unknown rules are dropped. Also returns the problems. Alone they may be among settings of other
    /// servers, unless `is_own`.
    pub fn read(value: &Value, is_own: bool) -> (Self, Vec<String>) {
        let section = value.get(SECTION);
        let is_own = is_own || section.is_some();
        let value = section.unwrap_or(value);
        let mut reader = Reader { value, problems: Vec::new() };
        if !value.is_object() && !value.is_null() {
            reader.problems.push(format!("invalid settings: expected an object, found {}", found(value)));
        }
        let defaults = Self::default();
        let settings = Self {
            configuration: reader.string("configuration").map(PathBuf::from),
            select: reader.rules("select", Choice::Select),
            ignore: reader.rules("ignore", Choice::Ignore),
            unsafe_fixes: reader.flag("unsafeFixes", defaults.unsafe_fixes),
            run_scripts: reader.flag("runScripts", defaults.run_scripts),
            own_rules: reader.flag("ownRules", defaults.own_rules),
            inlay_hints: reader.flag("inlayHints", defaults.inlay_hints),
            workspace_diagnostics: reader.flag("workspaceDiagnostics", defaults.workspace_diagnostics),
            trace: reader.trace(),
        };
        if is_own {
            reader.reject_unknown();
        }
        (settings, reader.problems)
    }

    /// As `--select` and `--ignore`.
    pub fn choices(&self) -> Vec<Choice> {
        let select = self.select.iter().cloned().map(Choice::Select);
        select.chain(self.ignore.iter().cloned().map(Choice::Ignore)).collect()
    }
}

struct Reader<'v> {
    value: &'v Value,
    problems: Vec<String>,
}

impl<'v> Reader<'v> {
    /// A setting; `null` is as if it was missing, and a value that cannot be read is a problem.
    fn get<T>(&mut self, name: &str, expected: &str, read: impl FnOnce(&'v Value) -> Option<T>) -> Option<T> {
        let value = self.value.get(name).filter(|value| !value.is_null())?;
        let read = read(value);
        if read.is_none() {
            self.reject(name, expected, value);
        }
        read
    }

    fn reject(&mut self, name: &str, expected: &str, value: &Value) {
        self.problems.push(format!("invalid setting `{name}`: expected {expected}, found {}", found(value)));
    }

    fn reject_unknown(&mut self) {
        let names = self.value.as_object().into_iter().flatten().map(|(name, _)| name);
        let unknown = names.filter(|name| !NAMES.contains(&name.as_str()) && *name != OPTION_OF_JSON);
        self.problems.extend(unknown.map(|name| format!("unknown setting {}", quote(name))));
    }

    fn flag(&mut self, name: &str, default: bool) -> bool {
        self.get(name, "a boolean", Value::as_bool).unwrap_or(default)
    }

    fn string(&mut self, name: &str) -> Option<&'v str> {
        self.get(name, "a string", Value::as_str).filter(|text| !text.is_empty())
    }

    /// Visual Studio Code has an object there, for its own use.
    fn trace(&mut self) -> Option<TraceLevel> {
        let read = |value: &Value| if value.is_object() { Some(None) } else { TraceLevel::of(value).map(Some) };
        self.get("trace", "`off`, `messages` or `verbose`", read).flatten()
    }

    /// Selectors of rules: an array of strings, or one string with commas.
    fn rules(&mut self, name: &str, choice: impl Fn(String) -> Choice) -> Vec<String> {
        let read = |value: &'v Value| match value {
            Value::String(list) => Some(list.split(',').map(|word| word.trim().into()).collect()),
            Value::Array(list) => Some(list.clone()),
            _ => None,
        };
        let list: Vec<Value> = self.get(name, "an array of strings", read).unwrap_or_default();
        let mut rules: Vec<String> = Vec::new();
        for rule in list.iter().filter(|rule| *rule != "") {
            match rule.as_str() {
                Some(rule) => rules.push(rule.to_owned()),
                None => self.reject(name, "strings", rule),
            }
        }
        rules.retain(|rule| match check_selection(&Config::default(), &[choice(rule.clone())], &[]) {
            Ok(()) => true,
            // Which rules of the user's own there are differs between folders.
            Err(_) if may_be_own(rule) => true,
            Err(reason) => {
                self.problems.push(reason);
                false
            }
        });
        rules
    }
}

/// A value for a message; a long one is described.
fn found(value: &Value) -> String {
    match value {
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) if text.chars().count() > MAX_SHOWN => "a string".to_owned(),
        other => other.to_string(),
    }
}
