//! What a method writes.

use serde::Deserialize;

/// What a method writes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Output {
    /// A fixed name, to which the prefix is added.
    pub name: Option<String>,
    /// The parameter whose entries name the outputs.
    pub per_entry_of: Option<String>,
    /// Outputs that exist whatever that parameter says.
    #[serde(default)]
    pub default: Vec<String>,
    /// The values it takes, when it is a case's status.
    #[serde(default)]
    pub statuses: Vec<Status>,
    /// What it holds.
    pub description: Option<String>,
}

/// One value of a case's status.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Status {
    /// The text.
    pub value: String,
    /// Whether the case stays in it for good.
    pub terminal: bool,
    /// Whether the plug-in documents it, so that a waiting loop must handle it.
    #[serde(default)]
    pub documented: bool,
}
