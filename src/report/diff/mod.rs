//! The reports of `wflint diff`.

mod human;
mod input;
mod json;
mod lines;
mod markdown;
mod orders;
mod stat;

use std::io::{self, Write};

pub use input::DiffReport;

impl DiffReport<'_> {
    /// Writes the report for terminals; nothing if no file differs.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_human(&self, out: &mut dyn Write) -> io::Result<()> {
        human::write(self, out)
    }

    /// Writes one line for each service.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_stat(&self, out: &mut dyn Write) -> io::Result<()> {
        human::write_stat(self, out)
    }

    /// Writes the report for a comment in a pull request, or with one line for each service.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_markdown(&self, is_short: bool, out: &mut dyn Write) -> io::Result<()> {
        markdown::write(self.diff, is_short, out)
    }

    /// Writes the report as one object, described by `schemas/diff.schema.json`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        json::write(self.diff, out)
    }
}
