//! Runs activities in document order, each by its type.

use super::{approval, assign, code, condition, looping, provider, status};
use crate::config::ActivityShape;
use crate::model::{Activity, ActivityKind};
use crate::simulate::assumption::Assumption;
use crate::simulate::quote;
use crate::simulate::run::{Frame, Run};
use crate::simulate::stop::Stop;
use crate::simulate::trace::Event;

/// Runs the workflow from its first activity.
///
/// # Errors
/// Why it ended before its last activity.
pub fn run_workflow(run: &mut Run<'_, '_>) -> Result<(), Stop> {
    begin(run);
    while continue_run(run)? {}
    Ok(())
}

/// Begins with the first activity.
pub fn begin(run: &mut Run<'_, '_>) {
    let workflow = run.plan.workflow;
    run.push_activities(workflow.roots.get().map_or(&[], Vec::as_slice));
}

/// Does the next thing. Returns whether there was one.
///
/// # Errors
/// Why the run ends.
pub fn continue_run(run: &mut Run<'_, '_>) -> Result<bool, Stop> {
    let Some(frame) = run.pop() else { return Ok(false) };
    advance(run, frame)?;
    Ok(true)
}

/// Does the next thing of a frame, which pushes itself again if there is more to do.
fn advance<'p>(run: &mut Run<'p, '_>, frame: Frame<'p>) -> Result<(), Stop> {
    match frame {
        Frame::Activities { ids, next } => {
            let Some(id) = ids.get(next) else { return Ok(()) };
            run.push(Frame::Activities { ids, next: next + 1 });
            run.plan.activity(*id).map_or(Ok(()), |activity| run_activity(run, activity))
        }
        Frame::Loop(frame) => looping::advance(run, frame),
        Frame::Approval(frame) => approval::advance(run, *frame),
        Frame::Events(frame) => approval::fire_next(run, frame),
        Frame::Wait(due) => run.wait_until(due),
    }
}

/// Runs an activity, or begins one that has children or waits: its frame is pushed.
fn run_activity<'p>(run: &mut Run<'p, '_>, activity: &'p Activity<'p>) -> Result<(), Stop> {
    if let ActivityKind::Event { .. } = activity.kind {
        // In document order an Event does nothing: its Approval runs it when an approver answers.
        return Ok(());
    }
    run.begin(activity)?;
    match &activity.kind {
        ActivityKind::Provider(provider) => provider::run(run, activity, provider),
        ActivityKind::Approval(approval) => approval::begin(run, activity, approval),
        ActivityKind::Assign(assign) => assign::run(run, activity, assign),
        ActivityKind::Status { status, translations } => status::run(run, activity, status, translations),
        ActivityKind::Code(code) => code::run(run, activity, code),
        ActivityKind::Sequence => run.push_children(activity),
        ActivityKind::While { expression, delay } => {
            looping::begin(run, activity, expression, delay);
            Ok(())
        }
        ActivityKind::If { expression } => {
            if condition::holds(run, activity, expression)? {
                run.push_children(activity)?;
            }
            Ok(())
        }
        ActivityKind::Terminate => {
            run.note(Event::Terminated);
            Err(Stop::Terminated)
        }
        ActivityKind::Declared { shape, .. } => {
            run.assume(Assumption::DeclaredTypes);
            match shape {
                ActivityShape::Leaf => Ok(()),
                ActivityShape::Container => run.push_children(activity),
            }
        }
        ActivityKind::Event { .. } => Ok(()),
        ActivityKind::Unknown { .. } => Err(not_simulated(run, activity)),
    }
}

fn not_simulated(run: &Run<'_, '_>, activity: &Activity<'_>) -> Stop {
    let name = run.plan.name(activity);
    let message = match activity.type_name.value() {
        Some(type_name) => format!(
            "unknown activity type {} of {name}: declare it under `[types]` in wflint.toml to skip the activity",
            quote(type_name)
        ),
        None => format!("missing key `type` in {name}"),
    };
    run.fail(activity.node, message)
}
