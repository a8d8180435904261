//! Skips iterations of a loop that change nothing: time jumps to the iteration of the next deadline.

use super::choice::{Round, SearchDecision};
use super::nodes::{Clock, Jump};
use super::oracle::Point;
use super::search_run::SearchRun;
use crate::simulate::{ApprovalStep, Due, Frame, Instant, Run, Timer, times};

/// Results of calls that a scenario may list for skipped rounds.
const MAX_RESULTS: u64 = 10_000;

/// Why iterations are not skipped.
pub enum NoJump {
    /// Nothing would change.
    Useless,
    /// The scenario would be too long.
    TooLong,
}

/// The next timeout, or expiry of one of the cases, that is still to come.
pub fn next_deadline(run: &Run<'_, '_>, cases: &[usize]) -> Option<Instant> {
    let now = run.clock.now();
    let timeouts = run.frames.iter().filter_map(|frame| match frame {
        Frame::Approval(frame) if frame.next != (ApprovalStep::AfterEvents { is_decided: true }) => {
            frame.timeout.map(|due| due.at)
        }
        _ => None,
    });
    let expiries = run.clock.planned().filter_map(|(due, timer)| match timer {
        Timer::ExpireCase { case } if cases.contains(&case) && run.cases.is_open(case) => Some(due.at),
        _ => None,
    });
    timeouts.chain(expiries).filter(|at| *at > now).min()
}

/// The iterations to skip in a state that was reached before on the same path. `before` is the clock at that time,
/// `choices` are those made since.
pub fn jump(walk: &SearchRun<'_, '_>, before: &Clock, choices: Round, deadline: Instant) -> Result<Jump, NoJump> {
    if walk.jumped.is_some() {
        return Err(NoJump::Useless);
    }
    // A person who acts changes something; only calls can repeat their results.
    if !choices.iter().all(|choice| matches!(choice.decision, SearchDecision::Returns { .. })) {
        return Err(NoJump::Useless);
    }
    let run = &walk.run;
    let now = run.clock.now();
    let period = now.since(before.now);
    let rounds = (deadline.since(now).as_millis() - 1).checked_div(period.as_millis()).ok_or(NoJump::Useless)?;
    // If there is nothing to skip, the deadline passes in the next iteration.
    let rounds = u64::try_from(rounds).map_err(|_| NoJump::Useless)?;
    if rounds.saturating_mul(choices.len() as u64) > MAX_RESULTS {
        return Err(NoJump::TooLong);
    }
    let calls = run.calls.iter().zip(&before.calls).map(|(count, before)| count - before);
    Ok(Jump { rounds, choices, calls: calls.collect(), before: before.clone(), deadline, period })
}

/// Skips iterations: only time and counters change.
pub fn skip(walk: &mut SearchRun<'_, '_>, point: &mut Point, jump: &Jump) {
    let before = &jump.before;
    let run = &mut walk.run;
    let now = run.clock.now();
    let later = times(now.since(before.now), jump.rounds);
    run.clock.advance_to(now.after(later));
    if let Point::Time(Some(due)) = point {
        *due = Due { at: due.at.after(later), ..*due };
    }
    if let Some(Frame::Wait(due)) = run.frames.last_mut() {
        due.at = due.at.after(later);
    }
    run.steps = run.steps.saturating_add((run.steps - before.steps).saturating_mul(jump.rounds));
    for (count, of_round) in run.calls.iter_mut().zip(&jump.calls) {
        *count = count.saturating_add(of_round.saturating_mul(jump.rounds));
    }
    let rounds = usize::try_from(jump.rounds).unwrap_or(usize::MAX);
    for (activity, count) in &mut run.approval_runs {
        let of_round = *count - before.approvals.get(activity).copied().unwrap_or_default();
        *count = count.saturating_add(of_round.saturating_mul(rounds));
    }
    walk.skipped_approvals += (run.waiting.len() - before.all_approvals).saturating_mul(rounds);
    walk.jumped = Some(jump.deadline);
}
