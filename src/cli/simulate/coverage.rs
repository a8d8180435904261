//! The coverage of `--simulate`: its files, and its lower limit.

use crate::cli::options::CoverageOptions;
use crate::cli::show;
use crate::cli::world::{Failure, World, print_error};
use crate::report::{Report, shown_percent, write_coverage};
use crate::simulate::{Count, Coverage};

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

/// Writes the files of `--coverage-output`.
pub(super) fn write(
    options: &CoverageOptions,
    report: &Report<'_>,
    coverage: &[Coverage<'_>],
    world: &World<'_>,
) -> Result<(), Failure> {
    for file in &options.coverage_output {
        let mut bytes = Vec::new();
        write_coverage(file.format, report, coverage, &mut bytes)?;
        show::write_file(&file.path, &bytes, world)?;
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
