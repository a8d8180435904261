//! The people whom a run has asked, and who did not act.

use std::sync::Arc;

use super::search_run::SearchRun;
use crate::explore::explored::Chooser;
use crate::model::ActivityId;
use crate::simulate::{Frame, Waiting};

/// People, with the activities that asked them, and what they were asked for.
type Asked = Vec<(Option<ActivityId>, Arc<str>, Chooser)>;

/// People who did not act before a deadline.
pub fn ignored(walk: &SearchRun<'_, '_>) -> Asked {
    let cases = &walk.run.cases;
    let missed = cases.missed().into_iter().map(|party| (cases.requested_by(party.case), party.mail, Chooser::Signer));
    let ignored = walk.ignored.iter().map(|(activity, who)| (Some(*activity), Arc::clone(who), Chooser::Approver));
    missed.chain(ignored).collect()
}

/// People who can still act.
pub fn pending(walk: &SearchRun<'_, '_>) -> Asked {
    let cases = &walk.run.cases;
    let parties =
        cases.pending().into_iter().map(|party| (cases.requested_by(party.case), party.mail, Chooser::Signer));
    let mut people: Asked = parties.collect();
    for frame in &walk.run.frames {
        if let Frame::Approval(frame) = frame {
            let waiting = walk.run.waiting.get(frame.index).into_iter().flat_map(Waiting::iter);
            people.extend(waiting.map(|who| (Some(frame.activity.id), Arc::clone(who), Chooser::Approver)));
        }
    }
    people
}
