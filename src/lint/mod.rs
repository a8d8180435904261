//! The pipeline: check every service in parallel, drop what is suppressed or in the baseline, sort.
//!
//! `linter` lints a project, `all` its services, `service` one of them with the rules of `check`, and those of the user's
//! `own`. `filter` selects rules
//! and severities; `accepted` drops what suppressions, a `baseline` or the revision of `since` accept. `problems` and
//! `unused_ignores` report entries of these that match nothing, as far as the run can `reach` that, and `entries` removes
//! them. `last` keeps what the next lint can use, and `identities` tell fixes what was found before.

mod accepted;
mod all;
mod baseline;
mod check;
mod entries;
mod filter;
mod identities;
pub mod identity;
mod last;
mod linter;
mod names;
mod options;
mod outcome;
mod own;
mod own_files;
mod own_problems;
mod pool;
mod problems;
mod reach;
mod service;
mod since;
mod suppressions;
mod unused_ignores;

use crate::project::{OldProject, Project};

pub use baseline::{Baseline, Baselines};
pub use filter::{Choice, check_selection, is_always_reported};
pub use identities::Identities;
pub use last::LastLint;
pub use linter::{Linter, redactions};
pub use names::suppression_target;
pub use options::{Options, Spot};
pub use outcome::{Checked, Omitted, Outcome, Summary};
pub use pool::{on_pool, pool, thread};

/// A linter that reports only findings that a git revision did not have.
pub fn linter_since<'p>(project: &'p Project, old: &'p OldProject, options: &'p Options) -> Result<Linter<'p>, String> {
    Ok(Linter::new(project, options)?.with_past(Box::new(since::Since::new(old, options)?)))
}

/// Lints a project. To be called on a [`pool`].
///
/// # Errors
/// A selector that matches no rule, with its place; or no rule is left, and nothing was found.
pub fn lint(project: &Project, options: &Options) -> Result<Outcome, String> {
    let linter = Linter::new(project, options)?;
    // No fix is tried.
    let outcome = linter.finish(linter.check_all(|_, checked| checked.files = Vec::new()));
    linter.check_rules(&outcome)?;
    Ok(outcome)
}
