//! The reports of `wflint explore`: how orders can end, and which laws are broken.
//!
//! `results` are the findings for all formats. The formats `human`, with the runs that break `laws`, and `json` know
//! more: the `ends` of each service, and in `words` what leads there.

mod ends;
mod human;
mod json;
mod laws;
mod results;
mod words;

use std::io::{self, Write};

use super::{RunFormat, concise, github, junit, markdown};
use crate::explore::ExploredService;

pub use results::ExplorationReport;

impl ExplorationReport<'_> {
    /// Writes the report.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, format: RunFormat, out: &mut dyn Write) -> io::Result<()> {
        match format {
            RunFormat::Human => human::write(self, out),
            RunFormat::Json => json::write(self, out),
            RunFormat::Concise => concise::write(self, out),
            RunFormat::Github => github::write(self, out),
            RunFormat::Junit => junit::write(self, out),
            RunFormat::Markdown => markdown::write(self, out),
        }
    }
}

/// The cause of each end of a service, in words: as [`end_reasons`], but without "forever" for cycles. `None` if
/// nothing unusual leads there.
pub(super) fn end_causes(service: &ExploredService) -> Vec<Option<String>> {
    let causes = ends::rows(service).into_iter().map(|row| row.reason.replacen("forever if ", "", 1));
    causes.map(|cause| Some(cause).filter(|cause| cause != "forever" && cause != "as usual")).collect()
}

/// The reason of each end of a service, in words. Not escaped; values of masked variables are hidden.
pub fn end_reasons(service: &ExploredService) -> Vec<String> {
    ends::rows(service).into_iter().map(|row| row.reason).collect()
}
