//! The Events of an Approval.

use crate::model::ActivityKind;
use crate::simulate::run::{EventsFrame, Frame, Run};
use crate::simulate::stop::Stop;

/// Runs the children of the next Event.
pub(in crate::simulate::activity) fn fire_next<'p>(run: &mut Run<'p, '_>, frame: EventsFrame<'p>) -> Result<(), Stop> {
    let Some(id) = frame.approval.children().get(frame.next) else { return Ok(()) };
    run.push(Frame::Events(EventsFrame { next: frame.next + 1, ..frame }));
    let Some(child) = run.plan.activity(*id) else { return Ok(()) };
    match &child.kind {
        ActivityKind::Event { event } if event.value() == Some(frame.event) => {
            run.reach(child);
            run.push_children(child)
        }
        _ => Ok(()),
    }
}
