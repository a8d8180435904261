//! While: waits and runs its children as long as its condition holds.

use jiff::SignedDuration;

use super::condition;
use crate::model::{Activity, Binding, Expression, Member};
use crate::simulate::clock::{self, Due, Priority};
use crate::simulate::quote_value;
use crate::simulate::run::{Frame, LoopFrame, Run};
use crate::simulate::stop::Stop;
use crate::simulate::text::number;

pub(super) fn begin<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    expression: &'p Member<Box<Expression<'p>>>,
    delay: &'p Member<Box<Binding<'p>>>,
) {
    run.enter_loop(activity);
    run.push(Frame::Loop(LoopFrame { activity, expression, delay, has_waited: false }));
}

/// Evaluates the condition and waits, or runs the children after the wait.
pub(super) fn advance<'p>(run: &mut Run<'p, '_>, frame: LoopFrame<'p>) -> Result<(), Stop> {
    let LoopFrame { activity, expression, delay, has_waited } = frame;
    run.push(Frame::Loop(LoopFrame { has_waited: !has_waited, ..frame }));
    if has_waited {
        return run.push_children(activity);
    }
    run.skip_unchanged_rounds();
    // Every evaluation of the condition is a step, so that a loop without children and delay meets the limit too.
    run.step()?;
    run.resume(activity);
    if !condition::holds(run, activity, expression)? {
        run.pop();
        run.leave_loop();
        return Ok(());
    }
    run.next_round();
    let wait = read_delay(run, activity, delay)?;
    if wait.is_positive() {
        let at = run.clock.now().after(wait);
        // After everything else of that instant.
        run.push(Frame::Wait(Due { at, priority: Priority::Waiting, order: u64::MAX }));
    }
    Ok(())
}

/// The time to wait in each round.
fn read_delay<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    delay: &Member<Box<Binding<'p>>>,
) -> Result<SignedDuration, Stop> {
    let Some(value) = run.read_loop_member(activity, "iterationDelaySeconds", delay)? else {
        return Ok(SignedDuration::ZERO);
    };
    let text = value.as_str().trim();
    if text.is_empty() {
        return Ok(SignedDuration::ZERO);
    }
    number(text).and_then(clock::seconds).ok_or_else(|| {
        let message = format!(
            "expected a number of seconds, 0 or more, in `iterationDelaySeconds` of {}, found {}",
            run.plan.name(activity),
            quote_value(text)
        );
        let node = delay.get().map_or(activity.node, |binding| binding.value.node().unwrap_or(binding.node));
        run.fail(node, message)
    })
}
