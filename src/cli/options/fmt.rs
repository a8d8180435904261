//! The options of `wflint fmt`.

use std::path::PathBuf;

use clap::Args;

use super::headings::{FILE_SELECTION, MISCELLANEOUS, OUTPUT};

#[derive(Debug, Args)]
pub(crate) struct FmtOptions {
    /// Files and folders, or `-` for standard input, which is printed in its stable form; `- FILE` prints a file
    /// [default: .]
    pub paths: Vec<PathBuf>,
    /// List the files that would change, and change none
    #[arg(long, conflicts_with = "diff", help_heading = OUTPUT)]
    pub check: bool,
    /// Print the changes as a diff, and change no file
    #[arg(long, help_heading = OUTPUT)]
    pub diff: bool,
    /// Number the variables of each service from 1 on in their order, in all of its files
    #[arg(long)]
    pub renumber_ids: bool,
    /// Skip named files that are not documents, also invalid JSON, for hooks
    #[arg(long, help_heading = FILE_SELECTION)]
    pub skip_unrelated: bool,
    /// Print files and errors, but no summary
    #[arg(long, short, help_heading = OUTPUT)]
    pub quiet: bool,
    /// The path that standard input stands for, to find its configuration
    #[arg(long, help_heading = FILE_SELECTION, value_name = "FILE")]
    pub stdin_filename: Option<PathBuf>,
    /// Path to the `wflint.toml` to use for all files
    #[arg(long, help_heading = MISCELLANEOUS, value_name = "FILE", conflicts_with = "isolated")]
    pub config: Option<PathBuf>,
    /// Ignore all configuration files
    #[arg(long, help_heading = MISCELLANEOUS)]
    pub isolated: bool,
}
