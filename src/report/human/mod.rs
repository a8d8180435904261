//! The report for terminals: each finding with the document's lines and the exact characters
//! underlined, drawn by miette.

mod finding;
mod group;
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
use crate::text::diagnostic::FileId;
use crate::text::{count, wrap};

pub use finding::draw_excerpt;
use finding::draw_group;
pub(super) use finding::draw_place;
use group::{Group, groups};

/// Findings of one rule in one file that are shown, equal ones once; more of them would hide those of other rules.
const MAX_SHOWN: usize = 100;
/// Maximum number of findings that threads draw before they are written.
const MAX_DRAWN_TOGETHER: usize = 1000;
/// Maximum number of findings that a thread draws before another one can take some of them.
const MAX_FINDINGS_OF_THREAD: usize = 8;

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (groups, left_out) = shown(report);
    for group in &groups {
        writeln!(out, "{}", draw_group(report, group).map_err(io::Error::other)?)?;
    }
    write_end(report, left_out, out)
}

/// As [`write`], on the threads of a pool if there are more findings than one draws at a time.
pub(super) fn draw_on(report: &Report<'_>, pool: &ThreadPool, out: &mut dyn Write) -> io::Result<()> {
    let (groups, left_out) = shown(report);
    for groups in groups.chunks(MAX_DRAWN_TOGETHER) {
        let draw = |group: &Group<'_>| draw_group(report, group);
        let drawn: Vec<Result<String, fmt::Error>> = if groups.len() > MAX_FINDINGS_OF_THREAD {
            pool.install(|| groups.par_iter().with_max_len(MAX_FINDINGS_OF_THREAD).map(draw).collect())
        } else {
            groups.iter().map(draw).collect()
        };
        for drawn in drawn {
            writeln!(out, "{}", drawn.map_err(io::Error::other)?)?;
        }
    }
    write_end(report, left_out, out)
}

/// Numbers of findings by file, code and name.
type Counts<'r> = BTreeMap<(FileId, &'r str, &'r str), usize>;

/// Writes what comes after the findings.
fn write_end<'r>(report: &Report<'r>, left_out: Counts<'r>, out: &mut dyn Write) -> io::Result<()> {
    write_omitted(report, left_out, out)?;
    if report.style.quiet {
        return Ok(());
    }
    if let Some(fixed) = report.fixed_line() {
        writeln!(out, "{}", wrap(&fixed, report.style.width, ""))?;
    }
    for line in std::iter::once(report.summary_line()).chain(report.loudest_line()) {
        writeln!(out, "{}", wrap(&line, report.style.width, ""))?;
    }
    Ok(())
}

/// Of each rule the first groups in each file, and the numbers of the other findings.
fn shown<'r>(report: &Report<'r>) -> (Vec<Group<'r>>, Counts<'r>) {
    let (mut groups, mut numbers, mut left_out) = (groups(report.diagnostics()), Counts::new(), Counts::new());
    groups.retain(|Group { first, others }| {
        let key = (first.location.file, first.code, first.name);
        let number = numbers.entry(key).or_default();
        *number += 1;
        let is_shown = *number <= MAX_SHOWN;
        if !is_shown {
            *left_out.entry(key).or_default() += 1 + others.len();
        }
        is_shown
    });
    (groups, left_out)
}

/// How many findings of each rule in each file are not shown.
fn write_omitted<'r>(report: &Report<'r>, mut counts: Counts<'r>, out: &mut dyn Write) -> io::Result<()> {
    for omitted in &report.outcome.omitted {
        *counts.entry((omitted.file, omitted.code, omitted.name)).or_default() += omitted.count;
    }
    for ((file, code, name), number) in counts {
        let (number, file) = (count(number, "more finding"), visible(report.file_name(file)));
        let line = format!("… {number} of {code} {name} in {file} not shown");
        writeln!(out, "{}\n", wrap(&line, report.style.width, "  "))?;
    }
    Ok(())
}
