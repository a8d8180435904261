//! A run under exploration and its way to the next decision point; what is looked for on it: laws, faults, claims, and
//! the people who did not act.

use std::sync::Arc;

use super::choice::FieldChoices;
use super::oracle::{Point, SearchOracle, point};
use crate::common::outcomes::{Decision, MailKind, OutcomeKind};
use crate::explore::explored::Chooser;
use crate::explore::laws::{Faults, Final, MetFault, MonitorState, Monitors, Verdict};
use crate::model::ActivityId;
use crate::simulate::{
    ApprovalStep, Branch, Event, Frame, Instant, LoopVisits, Record, Run, Slot, Stop, Waiting, continue_run,
};

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
    pub fn take_segment(&mut self, observers: &Observers<'_>, segment: &mut Segment<'p>) -> usize {
        let record = &mut self.run.record;
        if let Some((_, text)) = record.statuses.last() {
            self.status = Some(Arc::from(text.as_str()));
        }
        segment.take(record);
        for entry in &record.entries {
            if let (Event::TimedOut { .. }, Some(activity)) = (&entry.event, entry.activity)
                && !self.timed_out.contains(&activity)
            {
                self.timed_out.push(activity);
            }
        }
        if observers.branches {
            let branches = &mut segment.branches;
            self.visits.advance(self.run.plan.workflow, record, &mut |id, branch, _| branches.push((id, branch)));
        }
        observers.monitors.advance(&mut self.monitors, record, self.run.plan);
        if let Some(faults) = observers.faults.filter(|_| self.is_plain || observers.in_all_runs) {
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

/// A segment of a run: what it did between two decision points.
#[derive(Default)]
pub struct Segment<'p> {
    /// Activities that were begun.
    pub begun: Vec<ActivityId>,
    /// Conditions that were evaluated, with `true` or `false`; and what coverage counts, if that is watched for.
    pub branches: Vec<(ActivityId, Branch)>,
    /// Approvals that were decided.
    pub decided: Vec<(ActivityId, Decision)>,
    pub mailed: Vec<MailKind>,
    pub faults: Vec<MetFault<'p>>,
    /// Whether the first call failed.
    pub first_call_failed: bool,
}

impl Segment<'_> {
    /// Replaces the segment by what a record has of the next one.
    pub fn take(&mut self, record: &Record<'_>) {
        self.begun.clone_from(&record.begun);
        self.branches.clear();
        self.branches.extend(record.entries.iter().filter_map(|entry| match entry.event {
            Event::Evaluated { holds, .. } => Some((entry.activity?, Branch::of_condition(holds))),
            _ => None,
        }));
        self.decided.clone_from(&record.approvals);
        self.mailed.clear();
        self.mailed.extend(record.mails.iter().map(|mail| mail.kind));
        self.faults.clear();
        self.first_call_failed = record.calls.first().is_some_and(|call| call.error.is_some());
    }
}

/// What a search looks for.
#[derive(Clone, Copy)]
pub struct Observers<'e> {
    pub monitors: &'e Monitors<'e>,
    /// Whether faults are looked for also where something fails or is empty by choice.
    pub in_all_runs: bool,
    /// Whether the branches that coverage counts are looked for.
    pub branches: bool,
    /// `None` when the law `no-fault` is not asked for.
    pub faults: Option<&'e Faults<'e, 'e>>,
    /// The claims that cycles may show.
    pub claims: &'e [Claim],
}

/// What lint claims: a loop never ends while variables have these values.
#[derive(Debug)]
pub struct Claim {
    pub activity: ActivityId,
    pub values: Vec<(Slot, String)>,
}

/// The indices of the broken laws, of those whose `when` is met, and of the claims that are shown.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Verdicts {
    pub broken: Vec<usize>,
    pub met: Vec<usize>,
    pub claims: Vec<usize>,
}

impl Verdicts {
    pub fn of(verdicts: &[Verdict]) -> Self {
        let laws = |keep: fn(&Verdict) -> bool| verdicts.iter().filter(|it| keep(it)).map(|it| it.law).collect();
        Self { broken: laws(|it| it.breach.is_some()), met: laws(|it| it.is_met), claims: Vec::new() }
    }

    /// The verdicts on an order that stays in a state forever.
    pub fn of_state(observers: Observers<'_>, walk: &SearchRun<'_, '_>) -> Self {
        Self { claims: claims(observers, walk), ..Self::of(&judge(observers, walk, OutcomeKind::Stuck, None)) }
    }
}

/// The claims about the loop whose condition is evaluated next, with the values of the variables.
fn claims(observers: Observers<'_>, walk: &SearchRun<'_, '_>) -> Vec<usize> {
    let run = &walk.run;
    let Some(Frame::Loop(frame)) = run.frames.last() else { return Vec::new() };
    let has_value = |(slot, value): &(_, String)| run.values.get(*slot).is_some_and(|it| **it == **value);
    let claims = observers.claims.iter().enumerate();
    let shown = claims.filter(|(_, it)| it.activity == frame.activity.id && it.values.iter().all(has_value));
    shown.map(|(index, _)| index).collect()
}

/// The verdicts on a run that ends like this.
pub fn judge(
    observers: Observers<'_>,
    walk: &SearchRun<'_, '_>,
    outcome: OutcomeKind,
    failure: Option<&str>,
) -> Vec<Verdict> {
    if observers.monitors.is_empty() {
        return Vec::new();
    }
    let everybody_acted = ignored(walk).is_empty() && pending(walk).is_empty();
    let end = Final { outcome, values: &walk.run.values, failure, everybody_acted };
    observers.monitors.judge(&walk.monitors, &end)
}
