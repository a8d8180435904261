//! The report for terminals: the ends of each service, then the laws, and the runs that break them.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::ends::{heading, table, totals};
use super::laws;
use super::results::ExplorationReport;
use crate::common::collections::HashSet;
use crate::explore::{ExploredService, Reached};
use crate::model::Assumption;
use crate::report::escape::{visible, wrap_guarded};
use crate::report::style::BOLD;
use crate::text::{count, quote};

/// Names in a list.
const MAX_NAMES: usize = 5;
/// Assumptions of a service that are listed, without those of services before it.
const MAX_ASSUMPTIONS: usize = 20;

pub(super) fn write(exploration: &ExplorationReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let style = exploration.report.style;
    if !style.quiet {
        let mut known = HashSet::default();
        for service in &exploration.explored.services {
            out.write_all(service_text(exploration, service, &mut known).as_bytes())?;
        }
        out.write_all(laws::list(exploration).as_bytes())?;
    }
    laws::write_broken(exploration, out)?;
    if !style.quiet {
        writeln!(out, "{}", wrap_guarded(&exploration.summary_line(), style.width, ""))?;
    }
    Ok(())
}

/// A service, with an empty line after it. `known` has the assumptions that were listed before.
fn service_text<'r>(
    exploration: &ExplorationReport<'r>,
    service: &'r ExploredService,
    known: &mut HashSet<&'r str>,
) -> String {
    let style = exploration.report.style;
    let painter = style.painter();
    let mut out = String::new();
    let mut push = |line: &str, indent: &str| {
        let _ = writeln!(out, "{}", wrap_guarded(line, style.width, indent));
    };
    let file = painter.paint(BOLD, &visible(exploration.report.file_name(service.workflow)));
    push(&format!("{file}: {}", heading(service)), "  ");
    push("", "");
    out += &table(service, painter, style.width);
    if !service.ends.is_empty() {
        out.push('\n');
    }
    for (line, indent) in reached(service) {
        let _ = writeln!(out, "{}", wrap_guarded(&visible(&line), style.width, indent));
    }
    // Assumptions that several services share are listed once.
    let new: Vec<&str> =
        service.assumptions.iter().map(String::as_str).filter(|assumption| known.insert(*assumption)).collect();
    for assumption in new.iter().take(MAX_ASSUMPTIONS) {
        let cited = Assumption::with_text(assumption).map_or_else(String::new, |it| format!(" ({it})"));
        let line = format!("  assumed: {}{cited}", service.masker.apply(assumption));
        let _ = writeln!(out, "{}", wrap_guarded(&visible(&line), style.width, "    "));
    }
    if let Some(more) = new.len().checked_sub(MAX_ASSUMPTIONS).filter(|more| *more > 0) {
        let _ = writeln!(out, "  … {} not shown", count(more, "more assumption"));
    }
    out + "\n"
}

/// The numbers, then the unreached activities and branches, each with the indentation of its further lines.
fn reached(service: &ExploredService) -> Vec<(String, &'static str)> {
    let quoted = |name: &str| quote(&service.masker.apply(name));
    let mut lines = vec![(format!("  {}", totals(service)), "  ")];
    let verb = if service.is_complete() { "cannot be reached" } else { "not reached" };
    let Reached { unreached, unreached_branches, .. } = &service.reached;
    if !unreached.is_empty() {
        let names = unreached.iter().map(|activity| quoted(&activity.name));
        lines.push((format!("  {verb}: {}", some(names, unreached.len())), "    "));
    }
    if !unreached_branches.is_empty() {
        let branches = unreached_branches.iter().map(|branch| {
            let sampled = if branch.is_sampled { " (sampled)" } else { "" };
            format!("{} is never {}{sampled}", quoted(&branch.activity.name), branch.branch)
        });
        lines.push((format!("  {}", some(branches, unreached_branches.len())), "    "));
    }
    lines
}

/// The first names of a list.
fn some(names: impl Iterator<Item = String>, number: usize) -> String {
    let names: Vec<String> = names.take(MAX_NAMES).collect();
    let more = number - names.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    names.join(", ") + &more
}
