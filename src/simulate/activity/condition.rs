//! The conditions of While and If.

use crate::model::{Activity, ActivityKind, Binding, Expression, Member};
use crate::simulate::assumption::Assumption;
use crate::simulate::comparison;
use crate::simulate::run::Run;
use crate::simulate::stop::Stop;
use crate::simulate::text::Text;
use crate::simulate::trace::Event;

/// Evaluates a condition and adds it to the trace.
pub fn holds<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    expression: &'p Member<Box<Expression<'p>>>,
) -> Result<bool, Stop> {
    let Some(expression) = expression.unboxed() else { return Err(run.unreadable(activity, "expression")) };
    let Some(operand) = expression.operand.value() else { return Err(run.unreadable(activity, "operand")) };
    run.assume(Assumption::Comparison);
    let left = side(run, activity, "left", &expression.left)?;
    let right = side(run, activity, "right", &expression.right)?;
    let holds = comparison::holds(expression, operand, left.as_str(), right.as_str());
    run.note(Event::Evaluated { left, right, holds });
    Ok(holds)
}

fn side<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    name: &str,
    member: &'p Member<Binding<'p>>,
) -> Result<Text<'p>, Stop> {
    if member.is_absent() {
        return Err(run.unreadable(activity, name));
    }
    let is_loop = matches!(activity.kind, ActivityKind::While { .. });
    let value =
        if is_loop { run.read_loop_member(activity, name, member) } else { run.read_member(activity, name, member) };
    Ok(value?.unwrap_or(Text::Document("")))
}
