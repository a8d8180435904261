//! Runs the scenarios of a session on several threads, and passes the results to a sink in order.

use std::cell::OnceCell;
use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::mpsc;

use rayon::ThreadPool;

use super::expect::{Check, check};
use super::memory::Memory;
use super::plan::Plan;
use super::run::{Ended, run, run_within};
use super::sandboxes::Sandboxes;
use super::session::Session;
use super::sink::{FinishedScenario, ScenarioSink, SessionSummary};
use crate::lint::pool;
use crate::redaction::Masker;

/// Runs that are under way or wait for an earlier one, for each thread.
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
        let runner = Runner::new(program);
        let mut summary = SessionSummary::new(self.coverage());
        sink.begin()?;
        for batch in self.batches() {
            let plans = self.plans(&batch, pool);
            runner.run_in_order(&plans, pool, &mut |finished| {
                summary.add(&finished);
                sink.scenario(&finished)
            })?;
        }
        sink.end(&summary)?;
        Ok(summary)
    }
}

/// A run, with what was expected of it.
type Checked<'p> = (Ended<'p>, Vec<Check>);

/// What the runs of a session share.
struct Runner {
    sandboxes: Sandboxes,
    memory: Memory,
    /// The thread of large runs; `None` inside if it cannot be started.
    single: OnceCell<Option<ThreadPool>>,
}

impl Runner {
    fn new(program: &Path) -> Self {
        Self { sandboxes: Sandboxes::new(program), memory: Memory::default(), single: OnceCell::new() }
    }

    /// Runs plans in parallel, and delivers the results one by one, in the order of the plans.
    fn run_in_order<'p>(
        &self,
        plans: &'p [Plan<'p>],
        pool: &ThreadPool,
        deliver: &mut dyn FnMut(FinishedScenario<'p>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut deliver = |plan: &'p Plan<'p>, (ended, checks): Checked<'p>| {
            // It may be larger than the values that it is made of, so that only one is held.
            let masker = Masker::new(ended.values.masked());
            deliver(FinishedScenario { plan, ended, checks, masker })
        };
        // A single run holds no memory together with others: it is not made twice.
        if let [plan] = plans {
            return deliver(plan, self.run_alone(plan));
        }
        let max_ahead = MAX_AHEAD_PER_THREAD * pool.current_num_threads();
        let Self { sandboxes, memory, .. } = self;
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
                        let share = memory.share();
                        let ended = sandboxes.lend(|sandbox| run_within(plan, sandbox, &share));
                        // There is no receiver after the sink has failed.
                        let _ = sender.send((ended.map(|ended| checked(plan, ended)), share));
                    });
                    started.push_back((plan, receiver));
                }
                // No run is left, or one has panicked: the scope passes the panic on.
                let Some((plan, oldest)) = started.pop_front() else { return Ok(()) };
                let Ok((ended, _share)) = oldest.recv() else { return Ok(()) };
                deliver(plan, ended.unwrap_or_else(|| self.run_alone(plan)))?;
            }
        })
    }

    /// Runs what is too large for its share, always on the same thread, for memory that one run frees to be used by the
    /// next one.
    fn run_alone<'p>(&self, plan: &'p Plan<'p>) -> Checked<'p> {
        let sandboxes = &self.sandboxes;
        let job = || sandboxes.lend(|sandbox| checked(plan, run(plan, sandbox)));
        match self.single.get_or_init(|| pool(Some(1)).ok()) {
            Some(single) => single.install(job),
            None => job(),
        }
    }
}

fn checked<'p>(plan: &Plan<'p>, ended: Ended<'p>) -> Checked<'p> {
    let checks = check(plan, &ended);
    (ended, checks)
}
