//! The options about configuration files.

use std::path::PathBuf;

use clap::Args;

use super::headings::MISCELLANEOUS;

#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SettingsOptions {
    /// Path to the `wflint.toml` to use for all files
    #[arg(long, help_heading = MISCELLANEOUS, value_name = "FILE", conflicts_with = "isolated")]
    pub config: Option<PathBuf>,
    /// Ignore all configuration files
    #[arg(long, help_heading = MISCELLANEOUS)]
    pub isolated: bool,
    /// Read files that a configuration or a scenario names wherever they are, not only below the repository
    #[arg(long, help_heading = MISCELLANEOUS)]
    pub allow_outside: bool,
}
