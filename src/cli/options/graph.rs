//! The options of `wflint graph`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::headings::{FILE_SELECTION, MISCELLANEOUS, OUTPUT};
use super::lint::LintOptions;
use super::output::OutputFile;
use super::run::RunOptions;
use super::settings::SettingsOptions;

#[derive(Debug, Args)]
pub(crate) struct GraphOptions {
    /// The workflow, or `-` for standard input
    pub file: PathBuf,
    /// Draw only this activity, given by its name or JSON Pointer, and what is inside it
    #[arg(long, help_heading = FILE_SELECTION, value_name = "NAME")]
    pub activity: Option<String>,
    /// Name of the file that is read from standard input
    #[arg(long, help_heading = FILE_SELECTION, value_name = "FILE")]
    pub stdin_filename: Option<PathBuf>,
    /// Output format [default: by the extension of `--output`, otherwise mermaid]
    #[arg(long, help_heading = OUTPUT, value_enum)]
    pub format: Option<GraphFormat>,
    /// Write the drawing to this file
    #[arg(long, help_heading = OUTPUT, value_name = "FILE")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub settings: SettingsOptions,
    /// Do not run the scripts of Code activities
    #[arg(long, help_heading = MISCELLANEOUS)]
    pub no_scripts: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// A flowchart that code hosts show in Markdown
    Mermaid,
    /// A graph for Graphviz
    Dot,
    /// A picture, for light and dark pages
    Svg,
}

impl GraphFormat {
    /// The format of a file with this extension.
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "mmd" | "mermaid" => Some(Self::Mermaid),
            "dot" | "gv" => Some(Self::Dot),
            "svg" => Some(Self::Svg),
            _ => None,
        }
    }
}

impl GraphOptions {
    /// The options of a lint that finds what the drawing shows.
    pub fn lint_options(&self) -> LintOptions {
        LintOptions {
            paths: vec![self.file.clone()],
            stdin_filename: self.stdin_filename.clone(),
            no_scripts: self.no_scripts,
            run: RunOptions {
                output: self.output.iter().map(|path| OutputFile { format: None, path: path.clone() }).collect(),
                settings: self.settings.clone(),
                ..RunOptions::default()
            },
            ..LintOptions::default()
        }
    }
}
