//! The options of `wflint init`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
pub(crate) struct InitOptions {
    /// Write a scenario beside this workflow, in which every field is filled and everybody who is asked agrees
    #[arg(long, value_name = "WORKFLOW")]
    pub scenario: Vec<PathBuf>,
    /// Write the configuration that runs wflint in this CI
    #[arg(long, value_enum)]
    pub ci: Vec<Ci>,
    /// Write `.pre-commit-config.yaml`
    #[arg(long)]
    pub pre_commit: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ci {
    /// `.github/workflows/wflint.yml`
    #[value(name = "github")]
    GitHub,
    /// `.gitlab-ci.yml`
    #[value(name = "gitlab")]
    GitLab,
}
