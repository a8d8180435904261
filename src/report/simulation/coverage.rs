//! Which activities no scenario reached, as human-readable text.

use std::io::{self, Write};

use crate::report::escape::{visible, wrap_guarded};
use crate::report::findings::Report;
use crate::simulate::Coverage;

/// Names of unreached activities in a line.
const MAX_NAMES: usize = 5;

/// One line for each workflow.
pub(super) fn write(report: &Report<'_>, coverage: &[Coverage<'_>], out: &mut dyn Write) -> io::Result<()> {
    for workflow in coverage {
        let file = visible(report.file_name(workflow.file));
        let (reached, all) = (workflow.count(), workflow.activities());
        let names: Vec<String> = workflow.missed().take(MAX_NAMES).map(|(_, name)| shown_name(name)).collect();
        let mut line = format!("{file}: {reached} of {all} activities reached");
        if !names.is_empty() {
            let more = if all - reached > MAX_NAMES { ", …" } else { "" };
            line = format!("{line}; not reached: {}{more}", names.join(", "));
        }
        writeln!(out, "{}", wrap_guarded(&line, report.style.width, "  "))?;
    }
    Ok(())
}

fn shown_name(name: &str) -> String {
    if name.is_empty() { "(no name)".to_owned() } else { visible(name).into_owned() }
}
