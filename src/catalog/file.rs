//! The format of a catalog file.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::method::Method;

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct CatalogFile {
    #[serde(default, rename = "$schema")]
    pub _schema: IgnoredAny,
    pub plugin: String,
    pub package: Option<String>,
    pub module: Option<String>,
    #[serde(default)]
    pub common_outputs: Vec<NamedVariable>,
    #[serde(default)]
    pub system_variables: Vec<NamedVariable>,
    #[serde(default)]
    pub script_globals: Vec<String>,
    #[serde(default)]
    pub methods: Vec<Method>,
}

/// What the simulator writes to a common output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum CommonSimulation {
    /// Whether the call succeeded.
    Status,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) struct NamedVariable {
    pub name: String,
    #[serde(default, rename = "description")]
    pub _description: Option<String>,
    #[serde(default)]
    pub simulation: Option<CommonSimulation>,
}
