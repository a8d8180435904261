//! What a method writes.

use serde::Deserialize;

/// What a method writes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Output {
    /// A fixed name, without the prefix.
    pub name: Option<String>,
    /// The parameter whose entries are the names of the outputs.
    pub per_entry_of: Option<String>,
    /// Entries that are always returned.
    #[serde(default)]
    pub default: Vec<String>,
    /// Its values, if it is the status of a signing case.
    #[serde(default)]
    pub statuses: Vec<Status>,
    /// One sentence, shown to users.
    pub description: Option<String>,
}

impl Output {
    /// One output with a fixed name.
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: Some(name.into()),
            per_entry_of: None,
            default: Vec::new(),
            statuses: Vec::new(),
            description: None,
        }
    }
}

/// One status of a signing case.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Status {
    pub value: String,
    /// The case never leaves this status.
    pub terminal: bool,
    /// The plug-in documents it: a loop that waits for the case must handle it.
    #[serde(default)]
    pub documented: bool,
}
