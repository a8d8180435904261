//! The input of a report.

use crate::diff::Diff;
use crate::report::findings::Style;

/// The differences, and how they should look.
#[derive(Debug, Clone, Copy)]
pub struct DiffReport<'r> {
    pub diff: &'r Diff,
    pub style: Style,
}
