//! Runs the scenarios of a session on several threads, and passes the results to a sink in order.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::mpsc;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::expect::check;
use super::plan::Plan;
use super::run::run;
use super::sandboxes::Sandboxes;
use super::session::Session;
use super::sink::{FinishedScenario, ScenarioSink, SessionSummary};
use crate::redaction::Masker;
use crate::script::Sandbox;

/// Scenarios that are planned at once. A finished run borrows its plan, so all plans of a batch are
/// dropped together.
const BATCH: usize = 128;

/// Runs that are under way or wait for an earlier one, for each thread. A run may hold many
/// megabytes of trace, so no thread gets far ahead of the sink.
const MAX_AHEAD_PER_THREAD: usize = 2;

impl<'p> Session<'p> {
    /// Runs every scenario on a pool, and passes the runs to `sink` on the calling thread, which must
    /// not belong to the pool. `program` is this program's executable, which is started again to run
    /// scripts.
    ///
    /// # Errors
    /// The first error of the sink.
    pub fn run(
        &'p self,
        pool: &ThreadPool,
        program: &Path,
        sink: &mut dyn ScenarioSink,
    ) -> io::Result<SessionSummary<'p>> {
        let sandboxes = Sandboxes::new(program);
        let mut summary = SessionSummary::new(self.coverage());
        sink.begin()?;
        for scenarios in self.scenarios().chunks(BATCH) {
            let plan = |scenario: &&'p _| self.plan(scenario);
            let plans: Vec<Plan<'_>> = pool.install(|| scenarios.par_iter().filter_map(plan).collect());
            run_in_order(&plans, pool, &sandboxes, &mut |finished| {
                summary.add(&finished);
                sink.scenario(&finished)
            })?;
        }
        sink.end(&summary)?;
        Ok(summary)
    }
}

/// Runs plans in parallel, and delivers the results one by one, in the order of the plans.
fn run_in_order<'p>(
    plans: &'p [Plan<'p>],
    pool: &ThreadPool,
    sandboxes: &'p Sandboxes,
    deliver: &mut dyn FnMut(FinishedScenario<'p>) -> io::Result<()>,
) -> io::Result<()> {
    let max_ahead = MAX_AHEAD_PER_THREAD * pool.current_num_threads();
    pool.in_place_scope(|scope| {
        let mut waiting = plans.iter();
        // Each run has a channel of its own, and the oldest is received first. That keeps the order,
        // and a run that panics closes its channel, where a shared one would be waited on forever.
        let mut started = VecDeque::new();
        loop {
            while started.len() < max_ahead
                && let Some(plan) = waiting.next()
            {
                let (sender, receiver) = mpsc::sync_channel(1);
                scope.spawn(move |_| {
                    // There is no receiver after the sink has failed.
                    let _ = sender.send(sandboxes.lend(|sandbox| run_one(plan, sandbox)));
                });
                started.push_back(receiver);
            }
            // No run is left, or one has panicked: the scope passes the panic on.
            let Some(Ok(finished)) = started.pop_front().map(|oldest| oldest.recv()) else { return Ok(()) };
            deliver(finished)?;
        }
    })
}

fn run_one<'p>(plan: &'p Plan<'p>, sandbox: &RefCell<Sandbox>) -> FinishedScenario<'p> {
    let ended = run(plan, sandbox);
    let checks = check(plan, &ended);
    let masker = Masker::new(ended.values.masked());
    FinishedScenario { plan, ended, checks, masker }
}
