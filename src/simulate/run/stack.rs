//! The stack of what is under way.

use super::frame::Frame;
use super::state::{Run, Timer};
use crate::model::{Activity, ActivityId};
use crate::simulate::clock::Instant;
use crate::simulate::stop::Stop;

impl<'p> Run<'p, '_> {
    pub fn push(&mut self, frame: Frame<'p>) {
        self.frames.push(frame);
    }

    pub fn pop(&mut self) -> Option<Frame<'p>> {
        self.frames.pop()
    }

    /// Takes the next activity of the innermost list, if that is what is under way and has one left.
    pub fn next_activity(&mut self) -> Option<ActivityId> {
        let Some(Frame::Activities { ids, next }) = self.frames.last_mut() else { return None };
        let id = ids.get(*next)?;
        *next += 1;
        Some(*id)
    }

    /// The activity that is under way.
    pub const fn current(&self) -> Option<ActivityId> {
        self.current
    }

    /// The next timeout or expiry that is still to come.
    pub fn next_deadline(&self) -> Option<Instant> {
        let now = self.clock.now();
        let timeouts = self.frames.iter().filter_map(|frame| match frame {
            Frame::Approval(frame) => frame.timeout.map(|due| due.at),
            _ => None,
        });
        let expiries = self.clock.planned().filter_map(|(due, timer)| {
            matches!(timer, Timer::ExpireCase { case } if self.cases.is_open(case)).then_some(due.at)
        });
        timeouts.chain(expiries).filter(|at| *at > now).min()
    }

    pub fn push_activities(&mut self, ids: &'p [ActivityId]) {
        self.push(Frame::Activities { ids, next: 0 });
    }

    /// Runs the children of an activity next.
    ///
    /// # Errors
    /// A list of children that cannot be read fails the activity.
    pub fn push_children(&mut self, activity: &'p Activity<'p>) -> Result<(), Stop> {
        if activity.children.is_unknown() {
            return Err(self.unreadable(activity, "activities"));
        }
        self.push_activities(activity.children());
        Ok(())
    }
}
