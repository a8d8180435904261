//! The conditions of While and If.

use crate::model::Activity;
use crate::simulate::assumption::Assumption;
use crate::simulate::program::{Condition, Readable};
use crate::simulate::run::Run;
use crate::simulate::stop::Stop;
use crate::simulate::text::Text;
use crate::simulate::trace::Event;

/// Evaluates the condition of an If and adds it to the trace.
pub fn holds<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    condition: &Readable<Condition<'p>>,
) -> Result<bool, Stop> {
    let condition = readable(run, activity, condition)?;
    let left = run.read(activity, "left", condition.left)?;
    let right = run.read(activity, "right", condition.right)?;
    Ok(evaluate(run, condition, left, right))
}

/// Evaluates the condition of a While and adds it to the trace.
pub fn goes_on<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    condition: &Readable<Condition<'p>>,
) -> Result<bool, Stop> {
    let condition = readable(run, activity, condition)?;
    let left = run.read_in_loop(activity, "left", condition.left)?;
    let right = run.read_in_loop(activity, "right", condition.right)?;
    Ok(evaluate(run, condition, left, right))
}

fn readable<'c, 'p>(
    run: &mut Run<'p, '_>,
    activity: &Activity<'p>,
    condition: &'c Readable<Condition<'p>>,
) -> Result<&'c Condition<'p>, Stop> {
    let condition = condition.as_ref().map_err(|key| run.unreadable(activity, key))?;
    run.assume(Assumption::Comparison);
    Ok(condition)
}

fn evaluate<'p>(
    run: &mut Run<'p, '_>,
    condition: &Condition<'p>,
    left: Option<Text<'p>>,
    right: Option<Text<'p>>,
) -> bool {
    let (left, right) = (left.unwrap_or(Text::Document("")), right.unwrap_or(Text::Document("")));
    let holds = condition.holds(left.as_str(), right.as_str());
    let sides = run.record.sides.len();
    run.record.sides.push([left, right]);
    run.note(Event::Evaluated { sides, holds });
    holds
}
