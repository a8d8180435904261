//! `--format concise`: one line for each broken law at its place, as for a finding.

use std::io::{self, Write};

use super::input::ExplorationReport;
use super::problems;
use crate::report::escape::visible;

pub(super) fn write(exploration: &ExplorationReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    for problem in problems::all(exploration) {
        let (file, message) = (visible(problem.file), visible(&problem.message));
        let (start, severity) = (problem.start, problem.severity.word());
        writeln!(out, "{file}:{}:{}: {} {severity} {message}", start.line, start.column, problem.code)?;
    }
    Ok(())
}
