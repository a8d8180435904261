//! A run under exploration, and its way to the next point at which something has to be decided.

use std::sync::Arc;

use super::choice::FieldChoices;
use super::point::{Point, point};
use super::segment::Segment;
use super::watch::Watch;
use crate::explore::laws::MonitorState;
use crate::model::ActivityId;
use crate::simulate::{ApprovalStep, Event, Frame, Instant, LoopVisits, Run, Stop, Waiting, continue_run};

/// A run under exploration.
#[derive(Clone)]
pub struct Walk<'p, 's> {
    pub run: Run<'p, 's>,
    /// The last status that was published.
    pub status: Option<Arc<str>>,
    /// The deadline before which rounds of a loop were skipped.
    pub jumped: Option<Instant>,
    /// People who did not act before a timeout, with the Approval that asked them.
    pub ignored: Vec<(ActivityId, Arc<str>)>,
    /// Runs of Approvals in rounds that were skipped.
    pub skipped_approvals: usize,
    /// The loops that are under way, when the branches that coverage counts are looked for.
    pub visits: LoopVisits,
    /// The state of laws.
    pub monitors: MonitorState,
    /// The Approvals that their timeouts have ended.
    pub timed_out: Vec<ActivityId>,
    /// Whether no call was made to fail, and no lookup or field is empty by choice.
    pub is_plain: bool,
}

/// Where a walk has arrived.
#[derive(Clone)]
pub enum Reached {
    Point(Point),
    End(Option<Stop>),
}

impl<'p> Walk<'p, '_> {
    /// Continues to the next decision point or to the end. `is_decided`: the decision at the current point was made.
    pub fn advance(&mut self, mut is_decided: bool, fields: &FieldChoices) -> Reached {
        loop {
            if !std::mem::take(&mut is_decided)
                && let Some(point) = point(&self.run, fields)
            {
                return Reached::Point(point);
            }
            self.note_ignored();
            let before = self.run.checkpoint();
            let stop = match continue_run(&mut self.run) {
                Ok(true) => {
                    self.run.forget_decisions();
                    continue;
                }
                Ok(false) => None,
                Err(Stop::Undecided) => match self.run.go_back(&before) {
                    Some(question) => return Reached::Point(Point::Question(question)),
                    None => Some(Stop::Undecided),
                },
                Err(stop) => Some(stop),
            };
            return Reached::End(stop);
        }
    }

    /// Takes what happened since the last point out of the record.
    pub fn take_segment(&mut self, watch: &Watch<'_>, segment: &mut Segment<'p>) {
        let record = &mut self.run.record;
        if let Some((_, text)) = record.statuses.last() {
            self.status = Some(Arc::from(text.as_str()));
        }
        segment.take(record);
        if let Some(search) = &mut self.run.search {
            segment.only_failing.append(&mut search.only_failing);
        }
        for entry in &record.entries {
            if let (Event::TimedOut { .. }, Some(activity)) = (&entry.event, entry.activity)
                && !self.timed_out.contains(&activity)
            {
                self.timed_out.push(activity);
            }
        }
        if watch.branches {
            let branches = &mut segment.branches;
            self.visits.advance(self.run.plan.workflow, record, &mut |id, branch, _| branches.push((id, branch)));
        }
        watch.monitors.advance(&mut self.monitors, record, self.run.plan);
        if let Some(faults) = watch.faults.filter(|_| self.is_plain || watch.in_all_runs) {
            segment.faults = faults.of(record, &self.timed_out);
        }
        record.begin_segment();
        self.run.forget_spent();
    }

    /// The loop or Approval that is under way.
    pub fn place(&self) -> Option<ActivityId> {
        self.run.frames.iter().rev().find_map(|frame| match frame {
            Frame::Loop(frame) => Some(frame.activity.id),
            Frame::Approval(frame) => Some(frame.activity.id),
            _ => None,
        })
    }

    fn note_ignored(&mut self) {
        if let Some(Frame::Approval(frame)) = self.run.frames.last()
            && frame.next == ApprovalStep::Timeout
        {
            let waiting = self.run.waiting.get(frame.index).into_iter().flat_map(Waiting::iter);
            self.ignored.extend(waiting.map(|who| (frame.activity.id, Arc::clone(who))));
        }
    }
}
