//! Decision points: where a run cannot continue without a decision.

use super::choice::FieldChoices;
use super::oracle::{Question, SearchOracle};
use super::reads::own_reads;
use crate::model::ActivityId;
use crate::simulate::{ApprovalStep, Due, Frame, Run};

/// Why a run does not continue without a decision.
#[derive(Debug, Clone, Copy)]
pub enum Point {
    /// The condition of a loop is evaluated next, which closes cycles.
    LoopHead,
    /// Time passes up to there, or forever.
    Time(Option<Due>),
    /// A variable is read that a field gives one of several values; the number of the field.
    Field(usize),
    Question(Question),
}

impl Point {
    /// Distinguishes the kinds of points at one position.
    pub const fn kind(&self) -> u8 {
        match self {
            Self::LoopHead => 0,
            Self::Time(_) => 1,
            Self::Field(_) => 2,
            Self::Question(Question::Call(_)) => 3,
            Self::Question(Question::Result(..)) => 4,
            Self::Question(Question::Lookup(..)) => 5,
        }
    }
}

/// The point at which a run is, if it is at one.
pub fn point(run: &Run<'_, '_>, oracle: &SearchOracle, fields: &FieldChoices) -> Option<Point> {
    let (top, below) = match run.frames.as_slice() {
        [.., below, top] => (top, Some(below)),
        [top] => (top, None),
        [] => return None,
    };
    match top {
        Frame::Wait(due) => {
            // An Approval that has taken an answer or its timeout continues by itself.
            let is_decided = matches!(below, Some(Frame::Approval(frame)) if frame.next != ApprovalStep::Wait);
            (!is_decided).then_some(Point::Time(Some(*due)))
        }
        Frame::Approval(frame) if frame.next == ApprovalStep::Wait && frame.answers.is_empty() => {
            Some(Point::Time(frame.timeout))
        }
        Frame::Loop(frame) if !frame.has_waited => {
            open_field(run, oracle, fields, frame.activity.id).or(Some(Point::LoopHead))
        }
        Frame::Activities { ids, next } => open_field(run, oracle, fields, *ids.get(*next)?),
        _ => None,
    }
}

/// A field without a chosen value that an activity reads.
fn open_field(run: &Run<'_, '_>, oracle: &SearchOracle, fields: &FieldChoices, id: ActivityId) -> Option<Point> {
    if oracle.open_fields.is_empty() {
        return None;
    }
    let activity = run.plan.activity(id)?;
    let read = own_reads(run.plan, activity);
    let slot = read.into_iter().find(|slot| oracle.is_open(*slot))?;
    fields.of(slot).map(|(field, _)| Point::Field(field))
}
