//! The nodes and edges of a search: the states seen so far.

use std::rc::Rc;
use std::sync::Arc;

use jiff::SignedDuration;

use super::choice::{Choice, Round};
use super::oracle::Point;
use super::search_run::SearchRun;
use super::search_run::Verdicts;
use crate::common::collections::HashMap;
use crate::explore::ends::End;
use crate::model::ActivityId;
use crate::simulate::{Instant, Run};

/// The number of unusual choices, then the number of steps.
pub type Cost = (u32, u64);

/// A state that is to be expanded.
pub struct Open<'p, 's> {
    pub walk: Box<SearchRun<'p, 's>>,
    pub point: Point,
    /// The cases whose status can still be looked up.
    pub cases: Vec<usize>,
}

/// A state, or an end.
pub struct Node<'p, 's> {
    /// Until it is expanded.
    pub open: Option<Open<'p, 's>>,
    /// Whether the search has ended before all moves from it were made.
    pub is_cut: bool,
    pub cost: Cost,
    /// The cheapest way to it; `None` for the first.
    pub from: Option<Arrival>,
    pub end: Option<End>,
    /// The verdicts of laws on it; for a state, on an order that stays there forever.
    pub judged: Verdicts,
    pub place: Place,
    /// Only if a deadline is open.
    pub clock: Option<Box<Clock>>,
}

impl Node<'_, '_> {
    /// Whether some moves from it were not made.
    pub const fn is_unexplored(&self) -> bool {
        self.open.is_some() || self.is_cut
    }
}

/// How a node was reached.
#[derive(Clone)]
pub struct Arrival {
    pub parent: usize,
    /// The number of the move.
    pub number: usize,
    pub choice: Option<Rc<Choice>>,
    /// Rounds that were skipped on arrival.
    pub jump: Option<Rc<Jump>>,
}

/// The position of a state in the workflow, for the cycles through it.
#[derive(Debug, Clone, Default)]
pub struct Place {
    /// The loop or Approval that is under way.
    pub activity: Option<ActivityId>,
    /// The number of things under way.
    pub depth: usize,
    /// Whether the condition of the loop is evaluated next.
    pub is_head: bool,
    /// Whether time passes next, while a deadline is open.
    pub awaits_deadline: bool,
    pub status: Option<Arc<str>>,
    /// Whether a case that can be looked up has expired, whose status is an assumption.
    pub is_assumed: bool,
}

/// What advances in an iteration of a loop.
#[derive(Debug, Clone)]
pub struct Clock {
    pub now: Instant,
    pub steps: u64,
    /// By the number of the method.
    pub calls: Vec<u64>,
    pub approvals: HashMap<ActivityId, usize>,
    pub all_approvals: usize,
}

/// Rounds of a loop that are not played, up to the one in which a deadline passes.
#[derive(Debug, Clone)]
pub struct Jump {
    pub rounds: u64,
    /// Of one round.
    pub choices: Round,
    /// In one round, by the number of the method.
    pub calls: Vec<u64>,
    /// When the last round that is played began.
    pub before: Clock,
    pub deadline: Instant,
    /// How long a round takes.
    pub period: SignedDuration,
}

/// A step from one state to another.
pub struct Edge {
    pub from: usize,
    pub to: usize,
    pub is_fault: bool,
    /// The number of the move.
    pub number: u32,
    /// Whether rounds are skipped at its end.
    pub is_jump: bool,
    pub choice: Option<Rc<Choice>>,
}

impl Clock {
    pub fn of(run: &Run<'_, '_>) -> Self {
        Self {
            now: run.clock.now(),
            steps: run.steps,
            calls: run.calls.clone(),
            approvals: run.approval_runs.clone(),
            all_approvals: run.waiting.len(),
        }
    }
}

impl Place {
    pub fn of(walk: &SearchRun<'_, '_>, point: &Point, next_deadline: Option<Instant>) -> Self {
        Self {
            activity: walk.place(),
            depth: walk.run.frames.len(),
            is_head: matches!(point, Point::LoopHead),
            awaits_deadline: matches!(point, Point::Time(_)) && next_deadline.is_some(),
            status: walk.status.clone(),
            is_assumed: false,
        }
    }
}
