//! Runs activities in document order, each by its type.

use super::{approval, assign, code, condition, looping, provider, status};
use crate::config::ActivityShape;
use crate::model::Activity;
use crate::simulate::assumption::Assumption;
use crate::simulate::program::{Action, Step};
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
    if let Some(id) = run.next_activity() {
        return run.plan.program.step(id).map_or(Ok(()), |step| run_step(run, step)).map(|()| true);
    }
    let Some(frame) = run.pop() else { return Ok(false) };
    advance(run, frame)?;
    Ok(true)
}

/// Does the next thing of a frame, which pushes itself again if there is more to do.
fn advance<'p>(run: &mut Run<'p, '_>, frame: Frame<'p>) -> Result<(), Stop> {
    match frame {
        // All of them have run.
        Frame::Activities { .. } => Ok(()),
        Frame::Loop(frame) => looping::advance(run, frame),
        Frame::Approval(frame) => approval::advance(run, *frame),
        Frame::Events(frame) => approval::fire_next(run, frame),
        Frame::Wait(due) => run.wait_until(due),
    }
}

/// Runs an activity, or begins one that has children or waits: its frame is pushed.
fn run_step<'p>(run: &mut Run<'p, '_>, step: &'p Step<'p>) -> Result<(), Stop> {
    let activity = step.activity;
    if let Action::Event = step.action {
        return Ok(());
    }
    run.begin(activity)?;
    match &step.action {
        Action::Call(call) => provider::run(run, activity, call),
        Action::Approval(approval) => approval::begin(run, activity, approval),
        Action::Assign(assign) => assign::run(run, activity, assign),
        Action::Status { status, translations } => status::run(run, activity, status, translations),
        Action::Code(code) => code::run(run, activity, code),
        Action::Sequence => run.push_children(activity),
        Action::While(action) => {
            looping::begin(run, activity, action);
            Ok(())
        }
        Action::If(condition) => {
            if condition::holds(run, activity, condition)? {
                run.push_children(activity)?;
            }
            Ok(())
        }
        Action::Terminate => {
            run.note(Event::Terminated);
            Err(Stop::Terminated)
        }
        Action::Declared(shape) => {
            run.assume(Assumption::DeclaredTypes);
            match shape {
                ActivityShape::Leaf => Ok(()),
                ActivityShape::Container => run.push_children(activity),
            }
        }
        Action::Event => Ok(()),
        Action::Unknown => Err(not_simulated(run, activity)),
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
