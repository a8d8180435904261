//! `--format markdown`: a summary of the search, for the page of a CI job or a comment.

use std::io::{self, Write};

use super::input::ExplorationReport;
use super::summary::summary_line;
use super::{ends, human, problems};
use crate::explore::Ending;
use crate::report::markup::{Table, code, message};

pub(super) fn write(exploration: &ExplorationReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "## wflint\n\n{}\n", message(&summary_line(exploration.explored)))?;
    let mut table = Table::new(&["Place", "Broken law or problem"]);
    for problem in problems::all(exploration) {
        let place = format!("{}:{}:{}", problem.file, problem.start.line, problem.start.column);
        table.add(&[code(&place), message(&problem.message)]);
    }
    table.write(out)?;
    let mut table = Table::new(&["Service", "End", "Status", "When"]);
    for service in &exploration.explored.services {
        let file = code(exploration.report.file_name(service.workflow));
        for row in ends::rows(service) {
            let word = row.ending.word();
            let is_fault = row.ending == Ending::Endless && !row.is_assumed;
            let word = if is_fault { format!("**{word}**") } else { word.to_owned() };
            let status = row.status.as_deref().map_or_else(|| "(nothing)".to_owned(), code);
            table.add(&[file.clone(), word, status, message(&row.reason)]);
        }
    }
    table.write(out)?;
    for service in &exploration.explored.services {
        let file = code(exploration.report.file_name(service.workflow));
        writeln!(out, "{file}: {}. {}.\n", human::heading(service), human::totals(service))?;
    }
    Ok(())
}
