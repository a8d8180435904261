//! `--format github`: a workflow command for each broken law, at its place.

use std::io::{self, Write};

use super::input::ExplorationReport;
use super::problems;
use crate::diagnostic::Severity;
use crate::report::github::{data, property};

pub(super) fn write(exploration: &ExplorationReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    for problem in problems::all(exploration) {
        let command = if problem.severity == Severity::Error { "error" } else { "warning" };
        let title = match problem.law {
            Some(law) => format!("law {law}"),
            None if problem.severity == Severity::Error => "not explored".to_owned(),
            None => problem.code.to_owned(),
        };
        writeln!(
            out,
            "::{command} file={},line={},endLine={},col={},endColumn={},title={}::{}",
            property(problem.file),
            problem.start.line,
            problem.end.line,
            problem.start.column,
            problem.end.column,
            property(&title),
            data(&problem.message),
        )?;
    }
    Ok(())
}
