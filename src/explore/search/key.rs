//! The identity of a state: everything that decides how a run continues, without the time and the path.

use siphasher::sip128::SipHasher13;

use super::oracle::Point;
use super::search_run::Observers;
use super::search_run::SearchRun;
use super::search_run::ignored;
use crate::common::collections::IndexSet;
use crate::explore::ends::split_at_id;
use crate::model::ActivityId;
use crate::simulate::{ApprovalStep, Frame, Instant, Run, Slot, Timer, Waiting};

/// A 128-bit hash of a state. The probability of a collision among a million states is 10⁻²⁷.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StateKey(u128);

/// The key of the state of a walk. `memory` is a buffer that is reused.
pub fn key_of(
    walk: &SearchRun<'_, '_>,
    point: &Point,
    live: &[Slot],
    observers: &Observers<'_>,
    memory: &mut Vec<u8>,
) -> StateKey {
    let run = &walk.run;
    memory.clear();
    let mut writer = Writer { bytes: memory, ids: IndexSet::default() };
    writer.number(usize::from(point.kind()));
    writer.number(walk.oracle.decided.len());
    writer.frames(run);
    for slot in live {
        let is_open = walk.oracle.is_open(*slot);
        match run.values.get(*slot).filter(|_| !is_open) {
            Some(value) => {
                writer.number(1);
                writer.text(value);
            }
            None => writer.number(if is_open { 2 } else { 0 }),
        }
    }
    writer.number(usize::from(walk.status.is_some()));
    writer.text(walk.status.as_deref().unwrap_or_default());
    let cases: Vec<usize> = writer.ids.iter().filter_map(|id| run.cases.index_of(id)).collect();
    writer.number(cases.len());
    for case in &cases {
        run.cases.write_state(*case, writer.bytes);
    }
    writer.deadlines(run, &cases);
    writer.number(usize::from(walk.jumped.is_some()));
    writer.number(usize::from(walk.is_plain));
    if walk.is_plain {
        // They decide whether a variable counts as unset, as long as it can be read.
        let matters = |id: &ActivityId| observers.faults.is_some_and(|faults| faults.timeout_matters(*id, live));
        let mut timed_out: Vec<ActivityId> = walk.timed_out.iter().copied().filter(matters).collect();
        timed_out.sort_unstable();
        writer.number(timed_out.len());
        for id in timed_out {
            writer.number(id.0 as usize);
        }
    }
    for (id, rounds) in walk.visits.iter() {
        writer.number(id.0 as usize);
        writer.number(usize::from(rounds));
    }
    if !observers.monitors.is_empty() {
        walk.monitors.write(writer.bytes);
    }
    if observers.monitors.ask_for_people() {
        writer.number(usize::from(ignored(walk).is_empty()));
    }
    StateKey(SipHasher13::new().hash(writer.bytes).as_u128())
}

/// The cases whose ids are in live variables, in the order of the variables.
pub fn readable_cases(run: &Run<'_, '_>, live: &[Slot]) -> Vec<usize> {
    if run.cases.is_empty() {
        return Vec::new();
    }
    let mut cases = Vec::new();
    for value in live.iter().filter_map(|slot| run.values.get(*slot)) {
        let mut rest: &str = value;
        while let Some((_, id, after)) = split_at_id(rest) {
            cases.extend(run.cases.index_of(id).filter(|case| !cases.contains(case)));
            rest = after;
        }
    }
    cases
}

/// Bytes that no string contains: before the number of a generated id, and after a string.
const ID: u8 = 0xfe;
const END: u8 = 0xff;

struct Writer<'b, 't> {
    bytes: &'b mut Vec<u8>,
    /// The generated ids in the order of their occurrence: they are numbered, so that the ids themselves do not matter.
    ids: IndexSet<&'t str>,
}

impl<'t> Writer<'_, 't> {
    /// Most numbers are small, and take one byte.
    fn number(&mut self, number: usize) {
        match u8::try_from(number) {
            Ok(small) if small < u8::MAX => self.bytes.push(small),
            _ => {
                self.bytes.push(u8::MAX);
                self.bytes.extend_from_slice(&(number as u64).to_le_bytes());
            }
        }
    }

    fn text(&mut self, text: &'t str) {
        let mut rest = text;
        while let Some((before, id, after)) = split_at_id(rest) {
            self.bytes.extend_from_slice(before.as_bytes());
            let number = self.ids.insert_full(id).0;
            self.bytes.push(ID);
            self.number(number);
            rest = after;
        }
        self.bytes.extend_from_slice(rest.as_bytes());
        self.bytes.push(END);
    }

    fn frames(&mut self, run: &'t Run<'_, '_>) {
        self.number(run.frames.len());
        for frame in &run.frames {
            match frame {
                Frame::Activities { ids, next } => {
                    self.number(0);
                    self.number(ids.first().map_or(0, |id| id.0 as usize + 1));
                    self.number(*next);
                }
                Frame::Loop(frame) => {
                    self.number(1);
                    self.number(frame.activity.id.0 as usize);
                    self.number(usize::from(frame.has_waited));
                }
                Frame::Approval(frame) => {
                    self.number(2);
                    self.number(frame.activity.id.0 as usize);
                    self.number(match frame.next {
                        ApprovalStep::Wait => 0,
                        ApprovalStep::Answer => 1,
                        ApprovalStep::Timeout => 2,
                        ApprovalStep::AfterEvents { is_decided } => 3 + usize::from(is_decided),
                    });
                    self.number(frame.answers.len());
                    for answer in &frame.answers {
                        self.text(&answer.who);
                        self.number(usize::from(answer.approves));
                    }
                    for who in run.waiting.get(frame.index).into_iter().flat_map(Waiting::iter) {
                        self.text(who);
                    }
                }
                Frame::Events(frame) => {
                    self.number(3);
                    self.number(frame.approval.id.0 as usize);
                    self.text(frame.event);
                    self.number(frame.next);
                }
                Frame::Wait(_) => self.number(4),
            }
        }
    }

    /// The order of the open deadlines.
    fn deadlines(&mut self, run: &Run<'_, '_>, cases: &[usize]) {
        let now = run.clock.now();
        let mut open: Vec<(Instant, usize, usize)> = Vec::new();
        for (depth, frame) in run.frames.iter().enumerate() {
            match frame {
                Frame::Wait(due) => open.push((due.at.max(now), 0, depth)),
                // After its decision nothing waits for its timeout.
                Frame::Approval(frame) if frame.next == (ApprovalStep::AfterEvents { is_decided: true }) => {}
                Frame::Approval(frame) => {
                    let timeout = frame.timeout.map(|due| due.at);
                    // One that has passed is taken when the events that run have ended: time no longer brings it.
                    self.number(timeout.map_or(0, |at| 1 + usize::from(at <= now)));
                    open.extend(timeout.filter(|at| *at > now).map(|at| (at, 1, depth)));
                }
                _ => {}
            }
        }
        for (due, timer) in run.clock.planned() {
            if let Timer::ExpireCase { case } = timer
                && let Some(place) = cases.iter().position(|known| *known == case)
                && run.cases.is_open(case)
            {
                open.push((due.at, 2, place));
            }
        }
        open.sort_unstable();
        self.number(open.len());
        let mut last = None;
        for (at, kind, index) in open {
            self.number(usize::from(last == Some(at)));
            self.number(kind);
            self.number(index);
            last = Some(at);
        }
    }
}
