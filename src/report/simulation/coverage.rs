//! What scenarios cover, as human-readable text.

use std::io::{self, Write};

use crate::report::escape::{visible, wrap_guarded};
use crate::report::results::Report;
use crate::simulate::{Branch, Count, Coverage};

/// Maximum number of names of missing parts of a workflow.
const MAX_NAMES: usize = 10;

/// Writes the numbers of each workflow with its missing parts, then the percentage of all workflows.
pub(super) fn write(report: &Report<'_>, coverage: &[Coverage<'_>], out: &mut dyn Write) -> io::Result<()> {
    let width = report.style.width;
    for workflow in coverage {
        let file = visible(report.file_name(workflow.file));
        writeln!(out, "{}", wrap_guarded(&format!("{file}: {}", numbers(workflow)), width, "  "))?;
        if let Some(missing) = missing(workflow) {
            writeln!(out, "{}", wrap_guarded(&format!("  not covered: {}", visible(&missing)), width, "    "))?;
        }
    }
    let activities = coverage.iter().map(Coverage::activity_count).fold(Count::default(), |all, one| all + one);
    let branches = coverage.iter().map(Coverage::branch_count).fold(Count::default(), |all, one| all + one);
    let percent = percent(activities + branches);
    let line = match coverage.len() {
        0 => return Ok(()),
        1 => format!("Coverage: {percent}%."),
        number => format!("Coverage of {number} workflows: {percent}%, {}.", both(activities, branches)),
    };
    writeln!(out, "{}", wrap_guarded(&line, width, "  "))
}

/// "activities 11/13, branches 8/13".
pub(super) fn numbers(workflow: &Coverage<'_>) -> String {
    both(workflow.activity_count(), workflow.branch_count())
}

fn both(activities: Count, branches: Count) -> String {
    let of = |count: Count| format!("{}/{}", count.covered, count.all);
    format!("activities {}, branches {}", of(activities), of(branches))
}

/// With at most two decimals, rounded down, so that a value below a limit never looks equal to it.
pub fn percent(count: Count) -> String {
    let hundredths = (count.percent() * 100.0).floor() / 100.0;
    hundredths.to_string()
}

/// The first names of missing parts: activities, branches of activities that began, and branches of others.
fn missing(workflow: &Coverage<'_>) -> Option<String> {
    let branch = |(name, branch): (String, Branch)| format!("{name} ({})", branch.word());
    let of = |began: bool| {
        let branches = workflow.unreached_branches();
        let branches = branches.filter(move |(activity, _)| (workflow.times_begun(activity.id) > 0) == began);
        branches.map(|(activity, branch)| (activity.display_name(), branch)).map(branch)
    };
    let all = workflow.unreached().map(|activity| activity.display_name()).chain(of(true)).chain(of(false));
    let names: Vec<String> = all.collect();
    let more = names.len().checked_sub(MAX_NAMES).filter(|more| *more > 0);
    let more = more.map_or_else(String::new, |more| format!(" and {more} more"));
    let first: Vec<&str> = names.iter().take(MAX_NAMES).map(String::as_str).collect();
    (!first.is_empty()).then(|| first.join(", ") + &more)
}
