//! The reports of `wflint diff`: `lines` are the changes, and what they mean for orders, for both formats that people read.

mod human;
mod json;
mod lines;
mod markdown;

use std::io::{self, Write};

use super::Style;
use crate::diff::Diff;

pub use lines::{Counts, nested_lines as change_lines};

/// The differences, and how they should look.
#[derive(Debug, Clone, Copy)]
pub struct DiffReport<'r> {
    pub diff: &'r Diff,
    /// One line for each service; not for JSON.
    pub is_short: bool,
    pub style: Style,
}

impl DiffReport<'_> {
    /// Writes the report for terminals; nothing if no file differs.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_human(&self, out: &mut dyn Write) -> io::Result<()> {
        human::write(self.diff, self.is_short, self.style, out)
    }

    /// Writes the report for a comment in a pull request.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        markdown::write(self.diff, self.is_short, out)
    }

    /// Writes the report as one object, described by `schemas/diff.schema.json`.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        json::write(self.diff, out)
    }
}
