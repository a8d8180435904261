//! A run under exploration, and its way to the next point at which something has to be decided.

use std::sync::Arc;

use super::choice::FieldChoices;
use super::oracle::SearchOracle;
use super::point::{Point, point};
use super::segment::Segment;
use super::watch::Watch;
use crate::explore::laws::MonitorState;
use crate::model::ActivityId;
use crate::simulate::{ApprovalStep, Event, Frame, Instant, LoopVisits, Run, Stop, Waiting, continue_run};

/// A run under exploration.
#[derive(Clone)]
pub struct SearchRun<'p, 's> {
    pub run: Run<'p, 's>,
    pub oracle: SearchOracle,
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

impl<'p> SearchRun<'p, '_> {
    /// Continues to the next decision point or to the end. `is_decided`: the decision at the current point was made.
    pub fn advance(&mut self, mut is_decided: bool, fields: &FieldChoices) -> Reached {
        let mut seen = 0;
        loop {
            seen = self.close_written(seen);
            if !std::mem::take(&mut is_decided)
                && let Some(point) = point(&self.run, &self.oracle, fields)
            {
                return Reached::Point(point);
            }
            self.note_ignored();
            let before = self.run.checkpoint();
            let stop = match continue_run(&mut self.run, &mut self.oracle) {
                Ok(true) => {
                    self.oracle.forget_decisions();
                    continue;
                }
                Ok(false) => None,
                Err(Stop::Undecided) => match self.oracle.take_question() {
                    Some(question) => {
                        self.run.go_back(&before, question.activity());
                        return Reached::Point(Point::Question(question));
                    }
                    None => Some(Stop::Undecided),
                },
                Err(stop) => Some(stop),
            };
            return Reached::End(stop);
        }
    }

    /// Closes the fields of variables that were written, in the entries from a number on. Returns the number of entries.
    fn close_written(&mut self, from: usize) -> usize {
        let entries = &self.run.record.entries;
        if !self.oracle.open_fields.is_empty() {
            for entry in entries.iter().skip(from) {
                if let Event::Set(slot, _) = entry.event {
                    self.oracle.close(slot);
                }
            }
        }
        entries.len()
    }

    /// Takes what happened since the last point out of the record. Returns the bytes of the strings that were built.
    pub fn take_segment(&mut self, watch: &Watch<'_>, segment: &mut Segment<'p>) -> usize {
        let record = &mut self.run.record;
        if let Some((_, text)) = record.statuses.last() {
            self.status = Some(Arc::from(text.as_str()));
        }
        segment.take(record);
        segment.only_failing.append(&mut self.oracle.only_failing);
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
        self.run.forget_spent()
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
