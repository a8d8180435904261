//! The coverage of `--simulate`: its files, and its lower limit.

use std::collections::BTreeMap;

use crate::cli::options::{CoverageFile, CoverageOptions, SimulateOptions};
use crate::cli::request::paths_from;
use crate::cli::world::{Failure, World, print_error};
use crate::cli::{report, show};
use crate::page::ScenarioRuns;
use crate::report::{Report, shown_percent, write_coverage};
use crate::simulate::{Count, Coverage};
use crate::text::diagnostic::FileId;
use crate::text::source::SourceFile;

/// Warns of files that may be workflows but cannot be counted. Returns whether `--fail-under` can be judged: those
/// files might lower the coverage.
pub(super) fn warn(options: &CoverageOptions, uncounted: &[String], world: &mut World<'_>) -> bool {
    let is_judged = uncounted.is_empty() || options.fail_under.is_none();
    let warning = if is_judged { "warning: " } else { "" };
    for reason in uncounted.iter().filter(|_| options.is_asked()) {
        print_error(world, &format!("{warning}a workflow may be missing in the coverage: {reason}"));
    }
    is_judged
}

/// Writes the files of `--coverage-output` but pages.
pub(super) fn write(
    options: &CoverageOptions,
    report: &Report<'_>,
    coverage: &[Coverage<'_>],
    world: &World<'_>,
) -> Result<(), Failure> {
    for file in &options.coverage_output {
        let Some(format) = file.format else { continue };
        let mut bytes = Vec::new();
        write_coverage(format, report, coverage, &mut bytes)?;
        show::write_file(&file.path, &bytes, world)?;
    }
    Ok(())
}

/// The pages of `--coverage-output`.
pub(super) fn pages(options: &CoverageOptions) -> impl Iterator<Item = &CoverageFile> {
    options.coverage_output.iter().filter(|file| file.format.is_none())
}

/// Writes the pages, about the workflows that are counted and the scenarios that have run.
pub(super) fn write_pages(
    options: &SimulateOptions,
    sources: &BTreeMap<FileId, SourceFile>,
    (coverage, ran): (&[Coverage<'_>], &ScenarioRuns),
    world: &mut World<'_>,
) -> Result<(), Failure> {
    let path = |workflow: &Coverage<'_>| sources.get(&workflow.file).map(|source| source.path.clone());
    for file in pages(&options.coverage) {
        let workflows = coverage.iter().filter_map(path).collect();
        let scenarios = paths_from(&options.paths, None, world);
        report::write_coverage(workflows, (&scenarios, ran.clone()), &options.run, &file.path, world)?;
    }
    Ok(())
}

/// Whether the coverage reaches `--fail-under`; prints an error if it does not.
pub(super) fn is_enough(options: &CoverageOptions, coverage: &[Coverage<'_>], world: &mut World<'_>) -> bool {
    let Some(limit) = options.fail_under else { return true };
    let counts = coverage.iter().flat_map(|workflow| [workflow.activity_count(), workflow.branch_count()]);
    let total = counts.fold(Count::default(), |all, one| all + one);
    if total.percent() >= limit {
        return true;
    }
    let (percent, Count { covered, all }) = (shown_percent(total), total);
    let message =
        format!("coverage {percent}% is under {limit}%: {covered} of {all} activities and branches are covered");
    print_error(world, &message);
    false
}
