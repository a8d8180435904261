//! Runs the scenarios of a session on several threads, and passes the results to a sink in order.

use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::mpsc;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::expect::check;
use super::load::LoadedScenario;
use super::plan::{Documents, Plan, Prepared};
use super::run::run;
use super::sandboxes::Sandboxes;
use super::session::Session;
use super::sink::{FinishedScenario, ScenarioSink, SessionSummary};
use crate::collections::HashMap;
use crate::redaction::Masker;

/// Runs that are under way or wait for an earlier one, for each thread.
const MAX_AHEAD_PER_THREAD: usize = 2;

/// Scenarios that are planned at once. A finished run borrows its plan, so all plans of a batch are dropped together.
const MAX_PLANNED: usize = 128;

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
        for batch in self.scenarios().chunks(MAX_PLANNED) {
            let plans = self.plans(batch, pool);
            run_in_order(&plans, &sandboxes, pool, &mut |finished| {
                summary.add(&finished);
                sink.scenario(&finished)
            })?;
        }
        sink.end(&summary)?;
        Ok(summary)
    }

    /// The plans of scenarios. Those of the same documents share what is prepared.
    pub(super) fn plans(&'p self, scenarios: &[&'p LoadedScenario], pool: &ThreadPool) -> Vec<Plan<'p>> {
        let pair = |scenario: &LoadedScenario| (scenario.workflow, scenario.form);
        let mut firsts: HashMap<_, Documents<'p>> = HashMap::default();
        for scenario in scenarios {
            if let Some(documents) = self.documents(scenario) {
                firsts.entry(pair(scenario)).or_insert(documents);
            }
        }
        let prepare = |(pair, documents): (_, Documents<'p>)| (pair, documents.prepare());
        let prepared: HashMap<_, Prepared<'p>> = pool.install(|| firsts.into_par_iter().map(prepare).collect());
        let plan = |scenario: &&'p LoadedScenario| {
            Some(self.documents(scenario)?.plan(scenario, prepared.get(&pair(scenario))?.clone()))
        };
        scenarios.iter().filter_map(plan).collect()
    }
}

/// Runs plans in parallel, and delivers the results one by one, in the order of the plans.
fn run_in_order<'p>(
    plans: &'p [Plan<'p>],
    sandboxes: &Sandboxes,
    pool: &ThreadPool,
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
                    let ended = sandboxes.lend(|sandbox| run(plan, sandbox));
                    let checks = check(plan, &ended);
                    // There is no receiver after the sink has failed.
                    let _ = sender.send((ended, checks));
                });
                started.push_back((plan, receiver));
            }
            // No run is left, or one has panicked: the scope passes the panic on.
            let Some((plan, oldest)) = started.pop_front() else { return Ok(()) };
            let Ok((ended, checks)) = oldest.recv() else { return Ok(()) };
            let masker = Masker::new(ended.values.masked());
            deliver(FinishedScenario { plan, ended, checks, masker })?;
        }
    })
}
