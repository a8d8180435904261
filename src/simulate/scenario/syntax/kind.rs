//! Which syntax a file has.

use std::path::Path;

/// How a scenario file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScenarioSyntax {
    /// YAML 1.2, one document, without tags.
    Yaml,
    Json,
    Toml,
}

impl ScenarioSyntax {
    /// By the file's extension.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            "toml" => Some(Self::Toml),
            _ => None,
        }
    }
}
