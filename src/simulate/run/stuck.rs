//! Runs that cannot continue, and the loops that cause it.

use super::state::{Loop, Run};
use crate::model::{Activity, Binding};
use crate::simulate::comparison;
use crate::simulate::stop::{Failure, Stop};
use crate::text::count;

impl<'p> Run<'p, '_> {
    pub fn enter_loop(&mut self, activity: &Activity<'p>) {
        self.loops.push(Loop { activity: activity.id, rounds: 0 });
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

    /// A run that exceeded a limit. The message names the loop to blame, if there is one, else the
    /// current activity.
    pub fn stuck(&self, limit: &str) -> Stop {
        // A loop whose condition no longer holds is about to end. Of nested ones that continue, the one with the most
        // rounds is to blame: the loops around it never get to another round.
        let goes_on = |inner: &&Loop| {
            let expression = self.plan.activity(inner.activity).and_then(|activity| activity.expression());
            let resolve = |binding: &Binding<'p>| self.resolve(binding);
            inner.rounds > 0 && expression.is_some_and(|expression| comparison::still_holds(expression, resolve))
        };
        let busiest = self.loops.iter().rev().filter(goes_on).max_by_key(|inner| inner.rounds);
        if let Some(busiest) = busiest
            && let Some(activity) = self.plan.activity(busiest.activity)
            && let Some(expression) = activity.expression()
        {
            let condition = comparison::describe(expression, |name| self.value_of(name).map(|value| &**value));
            let message = format!(
                "{limit}: loop {} still runs after {}, its condition is true: {condition}",
                self.plan.name(activity),
                count(busiest.rounds, "round")
            );
            return Stop::Stuck(Failure { message, location: Some(self.plan.at(activity.node)) });
        }
        self.stuck_at(limit)
    }

    /// A run that exceeded a limit; the message names the current activity.
    pub fn stuck_at(&self, limit: &str) -> Stop {
        let activity = self.current.and_then(|id| self.plan.activity(id));
        let message = match activity {
            Some(activity) => format!("{limit}, at {}", self.plan.name(activity)),
            None => limit.to_owned(),
        };
        Stop::Stuck(Failure { message, location: activity.map(|activity| self.plan.at(activity.node)) })
    }
}
