//! A run under exploration, and its way to the next point at which something has to be decided.

use std::sync::Arc;

use super::choice::FieldChoices;
use super::point::{Point, point};
use super::segment::Segment;
use super::watch::Watch;
use crate::explore::laws::MonitorState;
use crate::model::{ActivityId, ActivityKind};
use crate::simulate::{ApprovalStep, Branch, Event, Frame, Instant, LoopVisits, Run, Stop, continue_run};

/// A run under exploration.
#[derive(Clone)]
pub struct Walk<'p, 's> {
    pub run: Run<'p, 's>,
    /// The last status that was published.
    pub status: Option<Arc<str>>,
    /// The deadline before which rounds of a loop were skipped.
    pub jumped: Option<Instant>,
    /// People whom a timeout did not wait for, with the Approval that asked them.
    pub ignored: Vec<(ActivityId, Arc<str>)>,
    /// Runs of Approvals in rounds that were skipped.
    pub skipped_approvals: usize,
    /// The loops that are under way, when the branches that coverage counts are looked for.
    pub visits: LoopVisits,
    /// What laws remember of it.
    pub monitors: MonitorState,
    /// The Approvals that their timeouts have ended.
    pub timed_out: Vec<ActivityId>,
    /// Whether no call was made to fail, and no lookup or field is empty by choice.
    pub is_plain: bool,
}

/// Where a walk has come.
#[derive(Clone)]
pub enum Reached {
    Point(Point),
    End(Option<Stop>),
}

impl<'p> Walk<'p, '_> {
    /// Continues until something has to be decided, or to the end. `is_decided`: what comes next was decided.
    pub fn advance(&mut self, mut is_decided: bool, fields: &FieldChoices) -> Reached {
        loop {
            if !std::mem::take(&mut is_decided)
                && let Some(point) = point(&self.run, fields)
            {
                return Reached::Point(point);
            }
            self.note_ignored();
            let before = self.is_call_next().then(|| self.run.clone());
            let stop = match continue_run(&mut self.run) {
                Ok(true) => {
                    self.run.forget_decisions();
                    continue;
                }
                Ok(false) => None,
                Err(Stop::Undecided) => {
                    let open = self.run.search.as_ref().and_then(|search| search.open);
                    if let (Some(before), Some(question)) = (before, open) {
                        self.run = before;
                        return Reached::Point(Point::Question(question));
                    }
                    Some(Stop::Undecided)
                }
                Err(stop) => Some(stop),
            };
            return Reached::End(stop);
        }
    }

    /// Takes what happened since the last point out of the record.
    pub fn take_segment(&mut self, watch: &Watch<'_>) -> Segment {
        let search = self.run.search.as_mut();
        let only_failing = search.map(|search| std::mem::take(&mut search.only_failing)).unwrap_or_default();
        let record = &mut self.run.record;
        if let Some((_, text)) = record.statuses.last() {
            self.status = Some(Arc::from(text.as_str()));
        }
        let mut branches = Vec::new();
        for entry in &record.entries {
            match (&entry.event, entry.activity) {
                (Event::Evaluated { holds, .. }, Some(activity)) => {
                    branches.push((activity, Branch::of_condition(*holds)));
                }
                (Event::TimedOut { .. }, Some(activity)) if !self.timed_out.contains(&activity) => {
                    self.timed_out.push(activity);
                }
                _ => {}
            }
        }
        if watch.branches {
            self.visits.advance(self.run.plan.workflow, record, &mut |id, branch, _| branches.push((id, branch)));
        }
        watch.monitors.advance(&mut self.monitors, record, self.run.plan);
        let faults =
            watch.faults.filter(|_| self.is_plain || watch.in_all_runs).map(|faults| faults(record, &self.timed_out));
        let segment = Segment {
            begun: std::mem::take(&mut record.begun),
            branches,
            decided: std::mem::take(&mut record.approvals),
            mailed: record.mails.iter().map(|mail| mail.kind).collect(),
            faults: faults.unwrap_or_default(),
            calls: record.calls.iter().map(|call| (call.activity, call.error.is_none())).collect(),
            only_failing,
            first_call_failed: record.calls.first().is_some_and(|call| call.error.is_some()),
        };
        record.begin_segment();
        self.run.forget_spent();
        segment
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
            let waiting = self.run.waiting.get(frame.index).into_iter().flatten();
            self.ignored.extend(waiting.map(|who| (frame.activity.id, Arc::clone(who))));
        }
    }

    fn is_call_next(&self) -> bool {
        let Some(Frame::Activities { ids, next }) = self.run.frames.last() else { return false };
        let activity = ids.get(*next).and_then(|id| self.run.plan.activity(*id));
        activity.is_some_and(|activity| matches!(activity.kind, ActivityKind::Provider(_)))
    }
}
