//! `--format markdown`: a summary for the page of a CI job or a comment.

use std::io::{self, Write};

use super::markup::message;
use super::results::Results;

pub(super) fn write(results: &dyn Results, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## wflint\n")?;
    for line in results.summary() {
        writeln!(out, "{}\n", message(&line))?;
    }
    for table in results.tables() {
        table.write(out)?;
    }
    results.notes().iter().try_for_each(|note| writeln!(out, "{note}\n"))
}
