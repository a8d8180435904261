//! `--simulate --mutants`: changes of workflows, tried once all scenarios have passed.

use std::collections::BTreeMap;
use std::path::Path;

use rayon::ThreadPool;

use crate::cli::options::SimulateOptions;
use crate::cli::progress::Progress;
use crate::cli::world::{Failure, World, print_error};
use crate::lint::Outcome;
use crate::mutants::{Mutants, Prepared, Request, TrialProgress};
use crate::simulate::{self, Loaded, Session};
use crate::text::diagnostic::FileId;
use crate::text::quoted_list;
use crate::text::source::SourceFile;

/// Finds the workflows to change, if they are to be changed, and warns about those without scenarios.
pub(super) fn prepare(
    options: &SimulateOptions,
    request: &simulate::Request,
    loaded: &Loaded,
    outcome: &mut Outcome,
    pool: &ThreadPool,
    world: &mut World<'_>,
) -> Result<Option<Prepared>, Failure> {
    if !options.mutants {
        return Ok(None);
    }
    let request = Request {
        scenarios: request,
        loaded,
        sources: &outcome.sources,
        since: options.since.as_deref(),
        program: &world.program,
        today: world.today,
    };
    let prepared = Prepared::new(&request, pool).map_err(Failure::Message)?;
    prepared.redact(&mut outcome.sources);
    let without = &prepared.without_scenarios;
    // That of a scenario that cannot be run may be among them.
    let is_known = outcome.unreadable.is_empty() && outcome.diagnostics.is_empty();
    if is_known && !without.is_empty() {
        let (noun, pronoun) = if without.len() == 1 { ("workflow", "it is") } else { ("workflows", "they are") };
        let names = quoted_list(without, "and");
        print_error(world, &format!("warning: {noun} {names} without scenarios: {pronoun} not changed"));
    }
    Ok(Some(prepared))
}

/// The input of the trials.
pub(super) struct Trials<'t> {
    pub prepared: &'t Prepared,
    pub sources: &'t BTreeMap<FileId, SourceFile>,
    pub shows_progress: bool,
}

impl Trials<'_> {
    /// The survivors, and warnings.
    pub fn run(
        &self,
        session: &Session<'_>,
        program: &Path,
        pool: &ThreadPool,
    ) -> Result<(Mutants, Vec<String>), String> {
        let progress = Progress::new(self.shows_progress, "changes");
        let found = self.prepared.run(session, self.sources, program, pool, &progress);
        progress.clear();
        found
    }
}

impl TrialProgress for Progress {
    fn begin(&self, total: usize) {
        Self::begin(self, total);
    }

    fn step(&self) {
        self.add(1);
    }
}
