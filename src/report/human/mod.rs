//! The report for terminals: each finding with the document's lines and the exact characters
//! underlined, drawn by miette.

mod finding;
mod script;
mod snippet;
#[cfg(test)]
mod tests;
mod window;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};

use rayon::ThreadPool;
use rayon::prelude::*;

use super::escape::visible;
use super::results::Report;
use crate::text::diagnostic::Diagnostic;
use crate::text::{count, wrap};

pub(super) use finding::{draw, draw_place};

/// Findings of one rule in one file that are shown; more of them would hide those of other rules.
const MAX_SHOWN: usize = 100;
/// Maximum number of findings that threads draw before they are written.
const MAX_DRAWN_TOGETHER: usize = 1000;
/// Maximum number of findings that a thread draws before another one can take some of them.
const MAX_FINDINGS_OF_THREAD: usize = 8;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    for finding in shown(report.diagnostics()) {
        writeln!(out, "{}", draw(report, finding).map_err(io::Error::other)?)?;
    }
    write_end(report, out)
}

/// As [`write`], on the threads of a pool if there are more findings than one draws at a time.
pub(super) fn draw_on(report: &Report<'_>, pool: &ThreadPool, out: &mut dyn Write) -> io::Result<()> {
    for findings in shown(report.diagnostics()).chunks(MAX_DRAWN_TOGETHER) {
        let draw = |finding: &&Diagnostic| draw(report, finding);
        let drawn: Vec<Result<String, fmt::Error>> = if findings.len() > MAX_FINDINGS_OF_THREAD {
            pool.install(|| findings.par_iter().with_max_len(MAX_FINDINGS_OF_THREAD).map(draw).collect())
        } else {
            findings.iter().map(draw).collect()
        };
        for drawn in drawn {
            writeln!(out, "{}", drawn.map_err(io::Error::other)?)?;
        }
    }
    write_end(report, out)
}

/// Writes what comes after the findings.
fn write_end(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    write_omitted(report, out)?;
    if report.style.quiet {
        return Ok(());
    }
    if let Some(fixed) = report.fixed_line() {
        writeln!(out, "{}", wrap(&fixed, report.style.width, ""))?;
    }
    writeln!(out, "{}", wrap(&report.summary_line(), report.style.width, ""))
}

/// Of each rule the first findings in each file.
fn shown(findings: &[Box<Diagnostic>]) -> Vec<&Diagnostic> {
    let mut counts = BTreeMap::new();
    let mut is_shown = |finding: &&Diagnostic| {
        let number = counts.entry((finding.location.file, finding.code)).or_insert(0_usize);
        *number += 1;
        *number <= MAX_SHOWN
    };
    findings.iter().map(Box::as_ref).filter(|finding| is_shown(finding)).collect()
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
    for omitted in &report.outcome.omitted {
        *counts.entry((omitted.file, omitted.code, omitted.name)).or_default() += omitted.count;
    }
    for ((file, code, name), number) in counts.into_iter().filter(|(_, number)| *number > 0) {
        let (number, file) = (count(number, "more finding"), visible(report.file_name(file)));
        let line = format!("… {number} of {code} {name} in {file} not shown");
        writeln!(out, "{}\n", wrap(&line, report.style.width, "  "))?;
    }
    Ok(())
}
