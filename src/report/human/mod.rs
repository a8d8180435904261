//! The report for terminals: each finding with the document's lines and the exact characters
//! underlined, drawn by miette.

mod finding;
mod offset_map;
mod script;
mod snippet;
mod summary;
#[cfg(test)]
mod tests;
mod window;

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::escape::visible;
use super::findings::Report;
use crate::diagnostic::Diagnostic;
use crate::text::{count, wrap};

pub use summary::{fixed_line, summary_line};

/// Findings of one rule in one file that are shown; more of them would hide those of other rules.
const MAX_SHOWN: usize = 100;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    for findings in report.diagnostics().chunk_by(|a, b| a.location.file == b.location.file) {
        write_file(report, findings, out)?;
    }
    write_omitted(report, out)?;
    if report.style.quiet {
        return Ok(());
    }
    if let Some(fixed) = fixed_line(report) {
        writeln!(out, "{}", wrap(&fixed, report.style.width, ""))?;
    }
    writeln!(out, "{}", wrap(&summary_line(report), report.style.width, ""))
}

/// All of a finding.
pub(super) fn draw_finding(report: &Report<'_>, diagnostic: &Diagnostic) -> Result<String, std::fmt::Error> {
    finding::draw(report, diagnostic)
}

/// A message with the document's lines, without a rule's code and name.
pub(super) fn draw_place(report: &Report<'_>, diagnostic: &Diagnostic) -> Result<String, std::fmt::Error> {
    finding::draw_place(report, diagnostic)
}

/// The findings of one file, which is that of the first.
fn write_file(report: &Report<'_>, findings: &[Box<Diagnostic>], out: &mut dyn Write) -> io::Result<()> {
    let mut counts = BTreeMap::new();
    for diagnostic in findings {
        let number = counts.entry((diagnostic.code, diagnostic.name)).or_insert(0usize);
        *number += 1;
        if *number <= MAX_SHOWN {
            let drawn = finding::draw(report, diagnostic).map_err(io::Error::other)?;
            writeln!(out, "{drawn}")?;
        }
    }
    Ok(())
}

/// How many findings of each rule in each file are not shown.
fn write_omitted(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    for diagnostic in report.diagnostics() {
        *counts.entry((diagnostic.location.file, diagnostic.code, diagnostic.name)).or_default() += 1;
    }
    for number in counts.values_mut() {
        *number = number.saturating_sub(MAX_SHOWN);
    }
    for omitted in report.omitted() {
        *counts.entry((omitted.file, omitted.code, omitted.name)).or_default() += omitted.count;
    }
    for ((file, code, name), number) in counts.into_iter().filter(|(_, number)| *number > 0) {
        let (number, file) = (count(number, "more finding"), visible(report.file_name(file)));
        let line = format!("… {number} of {code} {name} in {file} not shown");
        writeln!(out, "{}\n", wrap(&line, report.style.width, "  "))?;
    }
    Ok(())
}
