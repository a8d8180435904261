//! Runs a plan to its end.

use std::cell::RefCell;

use super::ended::Ended;
use super::state::Run;
use crate::script::Sandbox;
use crate::simulate::clock::Priority;
use crate::simulate::plan::Plan;
use crate::simulate::{activity, submit};

/// Runs a plan to its end.
pub fn run<'p>(plan: &'p Plan<'p>, sandbox: &RefCell<Sandbox>) -> Ended<'p> {
    let mut run = Run::new(plan, sandbox);
    let stop = submit::fill(&mut run).and_then(|()| activity::run_workflow(&mut run)).err();
    // What is due at the last instant still happens, whatever ended the run.
    run.catch_up(Priority::Waiting);
    run.record.unused = run.used.warnings(plan.scenario);
    Ended {
        last: run.current(),
        stop,
        elapsed: run.clock.now().since_start(),
        record: run.record,
        values: run.values,
        steps: run.steps,
        calls: plan.program.methods().iter().copied().zip(run.calls).collect(),
    }
}
