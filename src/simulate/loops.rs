//! The loops that are running, and runs that cannot continue, most often because of one.

use super::program::{Action, While};
use super::run::{Loop, Run};
use super::stop::{Failure, Stop};
use super::strings::{Text, describe};
use crate::model::{Activity, ActivityId, ActivityKind};
use crate::text::count;

impl<'p> Run<'p, '_> {
    pub fn enter_loop(&mut self, activity: &Activity<'p>) {
        self.loops.push(Loop { activity: activity.id, rounds: 0, round: None, base: None });
    }

    /// Ends the round of the innermost loop that is under way, right before its condition is evaluated.
    pub fn end_round(&mut self) {
        let Some(inner) = self.loops.last_mut().filter(|_| !self.record.is_segment) else { return };
        let now = self.clock.now();
        if let Some(last) = inner.round {
            let period = now.since(last.at);
            let is_folded =
                inner.base.is_some_and(|(base, of_base)| of_base == period && self.record.fold(&base, &last, period));
            if !is_folded {
                inner.base = Some((last, period));
            }
        }
        inner.round = Some(self.record.begin_round(now));
    }

    /// Counts a round of the innermost loop.
    pub fn next_round(&mut self) {
        if let Some(inner) = self.loops.last_mut() {
            inner.rounds += 1;
        }
    }

    pub fn leave_loop(&mut self) {
        self.loops.pop();
    }

    /// A run that exceeded a limit. The message names the innermost loop that goes on and the loops
    /// around it; without one, the current activity.
    pub fn stuck(&self, limit: &str) -> Stop {
        // A loop whose condition is false is about to end, and one without an iteration has hardly begun.
        let goes_on = |inner: &Loop| inner.rounds > 0 && self.holds_now(inner.activity);
        if let Some(at) = self.loops.iter().rposition(goes_on)
            && let Some(inner) = self.loops.get(at)
            && let Some(activity) = self.plan.activity(inner.activity)
            && let Some(expression) = activity.expression()
        {
            let condition = describe(expression, |name| self.value_of(name).map(|value| &**value));
            let message = format!(
                "{limit}: loop {} still runs after {}, its condition is true: {condition}{}",
                self.plan.name(activity),
                count(inner.rounds, "round"),
                self.inside(self.loops.iter().take(at))
            );
            return Stop::Stuck(Failure { message, location: Some(self.plan.at(activity.node)) });
        }
        self.stuck_at(limit)
    }

    /// A run that exceeded a limit; the message names the current activity, such as an approval that
    /// waits, and the loops around it.
    pub fn stuck_at(&self, limit: &str) -> Stop {
        let activity = self.current.and_then(|id| self.plan.activity(id));
        let message = match activity {
            Some(activity) if matches!(activity.kind, ActivityKind::Approval(_)) => {
                format!("{limit}: approval {} still waits{}", self.plan.name(activity), self.loops_around())
            }
            Some(activity) => format!("{limit}, at {}{}", self.plan.name(activity), self.loops_around()),
            None => limit.to_owned(),
        };
        Stop::Stuck(Failure { message, location: activity.map(|activity| self.plan.at(activity.node)) })
    }

    /// Whether the condition of a loop holds.
    fn holds_now(&self, activity: ActivityId) -> bool {
        let Some(Action::While(While { condition: Ok(condition), .. })) =
            self.plan.program.step(activity).map(|step| &step.action)
        else {
            return false;
        };
        let [left, right] = [condition.left, condition.right].map(|side| self.resolve(side));
        condition.holds(left.as_ref().map_or("", Text::as_str), right.as_ref().map_or("", Text::as_str))
    }

    /// The loops around the current activity, as the end of a message.
    pub fn loops_around(&self) -> String {
        // A loop is not around itself.
        self.inside(self.loops.iter().filter(|around| Some(around.activity) != self.current))
    }

    /// Loops as the end of a message, from the innermost.
    fn inside<'l>(&self, loops: impl DoubleEndedIterator<Item = &'l Loop>) -> String {
        let activities = loops.rev().filter_map(|around| self.plan.activity(around.activity));
        activities.map(|activity| format!(", inside loop {}", self.plan.name(activity))).collect()
    }
}
