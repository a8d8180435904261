//! The options of `wflint fmt`.

use std::path::PathBuf;

use clap::Args;

use super::headings::{FILE_SELECTION, MISCELLANEOUS, OUTPUT};

#[derive(Debug, Args)]
pub(crate) struct FmtOptions {
    /// Files and folders, or `-` to print standard input in its stable form; `- FILE` prints a file
    /// [default: .]
    pub paths: Vec<PathBuf>,
    /// List the files that would change, without writing them
    #[arg(long, conflicts_with = "diff", help_heading = OUTPUT)]
    pub check: bool,
    /// Print the changes as a diff, without writing them
    #[arg(long, help_heading = OUTPUT)]
    pub diff: bool,
    /// Renumber the variables of each service, from 1 in the order of their declaration, in all of its files
    #[arg(long)]
    pub renumber_ids: bool,
    /// Skip named files that are not documents or not valid JSON, for hooks
    #[arg(long, help_heading = FILE_SELECTION)]
    pub skip_unrelated: bool,
    /// Print files and errors, but no summary
    #[arg(long, short, help_heading = OUTPUT)]
    pub quiet: bool,
    /// Name of the file that is read from standard input, to find its configuration
    #[arg(long, help_heading = FILE_SELECTION, value_name = "FILE")]
    pub stdin_filename: Option<PathBuf>,
    /// Path to the `wflint.toml` to use for all files
    #[arg(long, help_heading = MISCELLANEOUS, value_name = "FILE", conflicts_with = "isolated")]
    pub config: Option<PathBuf>,
    /// Ignore all configuration files
    #[arg(long, help_heading = MISCELLANEOUS)]
    pub isolated: bool,
}
