//! What activities do, by their type.

mod approval;
mod assign;
mod code;
mod condition;
mod provider;
mod status;

pub use approval::remind_approvers;
pub use condition::{describe as describe_condition, sides, still_holds};
pub use status::translation;

use jiff::SignedDuration;

use super::assumption::Assumption;
use super::clock::{self, Due, Priority};
use super::run::Run;
use super::stop::Stop;
use super::trace::Event;
use crate::config::ActivityShape;
use crate::model::{Activity, ActivityId, Binding, Expression, Kind, Member};
use crate::simulate::quote;

/// Runs the workflow, from its first activity.
///
/// # Errors
/// Why it ended before its last activity.
pub fn run_all(run: &mut Run<'_, '_>) -> Result<(), Stop> {
    let workflow = run.plan.workflow;
    run_list(run, workflow.roots.get().map_or(&[], Vec::as_slice))
}

fn run_list(run: &mut Run<'_, '_>, ids: &[ActivityId]) -> Result<(), Stop> {
    for &id in ids {
        let Some(activity) = run.plan.activity(id) else { continue };
        run_one(run, activity)?;
    }
    Ok(())
}

/// Runs the children of an activity.
///
/// Recurses with the nesting of activities, which the depth limit of the document bounds.
fn run_children<'p>(run: &mut Run<'p, '_>, activity: &'p Activity<'p>) -> Result<(), Stop> {
    if activity.children.is_unknown() {
        return Err(run.unreadable(activity, "activities"));
    }
    run_list(run, activity.children())
}

fn run_one<'p>(run: &mut Run<'p, '_>, activity: &'p Activity<'p>) -> Result<(), Stop> {
    if let Kind::Event { .. } = activity.kind {
        // Only the Approval around it runs it.
        return Ok(());
    }
    run.begin(activity)?;
    match &activity.kind {
        Kind::Provider(provider) => provider::run(run, activity, provider),
        Kind::Approval(approval) => approval::run(run, activity, approval),
        Kind::Assign(assign) => assign::run(run, activity, assign),
        Kind::Status { status, translations } => status::run(run, activity, status, translations),
        Kind::Code(code) => code::run(run, activity, code),
        Kind::Sequence => run_children(run, activity),
        Kind::While { expression, delay } => run_while(run, activity, expression, delay),
        Kind::If { expression } => {
            if condition::holds(run, activity, expression)? {
                run_children(run, activity)?;
            }
            Ok(())
        }
        Kind::Terminate => {
            run.note(Event::Terminated);
            Err(Stop::Terminated)
        }
        Kind::Declared { shape, .. } => {
            run.assume(Assumption::DeclaredTypes);
            match shape {
                ActivityShape::Leaf => Ok(()),
                ActivityShape::Container => run_children(run, activity),
            }
        }
        Kind::Event { .. } => Ok(()),
        Kind::Unknown { .. } => Err(not_simulated(run, activity)),
    }
}

fn not_simulated(run: &Run<'_, '_>, activity: &Activity<'_>) -> Stop {
    let name = run.plan.name(activity);
    let message = match activity.type_name.value() {
        Some(type_name) => format!(
            "{name} cannot run: the type {} is not simulated; declare it under `[types]` in wflint.toml to pass over it",
            quote(type_name)
        ),
        None => format!("{name} cannot run: it has no type"),
    };
    run.fail(activity.node, message)
}

fn run_while<'p>(
    run: &mut Run<'p, '_>,
    activity: &'p Activity<'p>,
    expression: &'p Member<Expression<'p>>,
    delay: &'p Member<Binding<'p>>,
) -> Result<(), Stop> {
    run.enter_loop(activity);
    loop {
        run.step()?;
        run.resume(activity);
        if !condition::holds(run, activity, expression)? {
            break;
        }
        run.next_round();
        let wait = read_delay(run, activity, delay)?;
        if wait.is_positive() {
            let at = run.clock.now().after(wait);
            run.wait_until(Due { at, priority: Priority::Waiting, order: u64::MAX })?;
        }
        run_children(run, activity)?;
    }
    run.leave_loop();
    Ok(())
}

/// The time to wait in each round.
fn read_delay<'p>(
    run: &Run<'p, '_>,
    activity: &'p Activity<'p>,
    delay: &Member<Binding<'p>>,
) -> Result<SignedDuration, Stop> {
    let Some(value) = run.resolve_member(activity, "iterationDelaySeconds", delay)? else {
        return Ok(SignedDuration::ZERO);
    };
    let text = value.as_str().trim();
    if text.is_empty() {
        return Ok(SignedDuration::ZERO);
    }
    number(text).and_then(clock::seconds).ok_or_else(|| {
        let message = format!(
            "{} cannot wait {} seconds: `iterationDelaySeconds` must be a number, 0 or more",
            run.plan.name(activity),
            quote(text)
        );
        let node = delay.get().map_or(activity.node, |binding| binding.value.node().unwrap_or(binding.node));
        run.fail(node, message)
    })
}

/// The number that a text is; `inf` and `nan` are none.
pub fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-' | b'.' | b'e' | b'E'));
    is_number.then(|| text.parse().ok()).flatten().filter(|number: &f64| number.is_finite())
}
