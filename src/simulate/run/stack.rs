//! The stack of what is under way.

use super::frame::Frame;
use super::state::Run;
use crate::model::{Activity, ActivityId};
use crate::simulate::stop::Stop;

impl<'p> Run<'p, '_> {
    pub fn push(&mut self, frame: Frame<'p>) {
        self.frames.push(frame);
    }

    pub fn pop(&mut self) -> Option<Frame<'p>> {
        self.frames.pop()
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
