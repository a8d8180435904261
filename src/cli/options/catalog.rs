//! The options of `wflint catalog`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::headings::OUTPUT;
use super::help;

#[derive(Debug, Subcommand)]
pub(crate) enum CatalogCommand {
    /// Infer methods from the workflows that call them
    #[command(after_long_help = help::INFER)]
    Infer(InferOptions),
    /// Import the functions of PowerShell modules as methods
    #[command(after_long_help = help::IMPORT)]
    Import(ImportOptions),
}

#[derive(Debug, Args)]
pub(crate) struct InferOptions {
    /// Workflows, or folders that contain them [default: .]
    pub paths: Vec<PathBuf>,
    #[command(flatten)]
    pub output: CatalogOutput,
}

#[derive(Debug, Args)]
pub(crate) struct ImportOptions {
    /// PowerShell modules (`*.psm1`, `*.ps1`)
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The `package` of the modules' activities [default: any]
    #[arg(long, value_name = "NAME")]
    pub package: Option<String>,
    #[command(flatten)]
    pub output: CatalogOutput,
}

#[derive(Debug, Args)]
pub(crate) struct CatalogOutput {
    /// Write a catalog for each module to this folder, or add what is missing to the catalogs in it
    #[arg(long, help_heading = OUTPUT, value_name = "DIR")]
    pub output: Option<PathBuf>,
}
