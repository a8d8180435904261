//! While: waits and runs its children as long as its condition holds.

use jiff::SignedDuration;

use super::condition;
use crate::model::Activity;
use crate::simulate::clock::{Due, Priority};
use crate::simulate::program::{Delay, While};
use crate::simulate::quote_value;
use crate::simulate::run::{Frame, LoopFrame, Run};
use crate::simulate::stop::Stop;

pub(super) fn begin<'p>(run: &mut Run<'p, '_>, activity: &'p Activity<'p>, action: &'p While<'p>) {
    run.enter_loop(activity);
    run.push(Frame::Loop(LoopFrame { activity, action, has_waited: false }));
}

/// Evaluates the condition and waits, or runs the children after the wait.
pub(super) fn advance<'p>(run: &mut Run<'p, '_>, frame: LoopFrame<'p>) -> Result<(), Stop> {
    let LoopFrame { activity, action, has_waited } = frame;
    run.push(Frame::Loop(LoopFrame { has_waited: !has_waited, ..frame }));
    if has_waited {
        return run.push_children(activity);
    }
    run.end_round();
    // Every evaluation of the condition is a step, so that a loop without children and delay meets the limit too.
    run.step()?;
    run.resume(activity);
    if !condition::goes_on(run, activity, &action.condition)? {
        run.pop();
        run.leave_loop();
        return Ok(());
    }
    run.next_round();
    let wait = read_delay(run, activity, action.delay)?;
    if wait.is_positive() {
        let at = run.clock.now().after(wait);
        // After everything else of that instant.
        run.push(Frame::Wait(Due { at, priority: Priority::Waiting, order: u64::MAX }));
    }
    Ok(())
}

/// The time to wait in each round.
fn read_delay<'p>(run: &mut Run<'p, '_>, activity: &'p Activity<'p>, delay: Delay<'p>) -> Result<SignedDuration, Stop> {
    let (source, node) = match delay {
        Delay::Fixed(delay) => return Ok(delay),
        Delay::Of(source, node) => (source, node),
    };
    let Some(value) = run.read_in_loop(activity, "iterationDelaySeconds", source)? else {
        return Ok(SignedDuration::ZERO);
    };
    Delay::of(value.as_str()).ok_or_else(|| {
        let message = format!(
            "expected a number of seconds, 0 or more, in `iterationDelaySeconds` of {}, found {}",
            run.plan.name(activity),
            quote_value(value.as_str().trim())
        );
        run.fail(node.unwrap_or(activity.node), message)
    })
}
