//! Coverage of workflows by runs: activities and branches (docs/coverage.md, What is counted).

use std::collections::BTreeMap;

use super::scenario::Decision;
use super::trace::{Event, Record};
use crate::common::collections::HashMap;
use crate::document::Document;
use crate::model::{Activity, ActivityId, ActivityKind, Approval, Workflow};
use crate::text::diagnostic::FileId;
use crate::text::source::Span;

/// Something of a workflow that a run can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Covered {
    /// The activity begins.
    Activity(ActivityId),
    Branch(ActivityId, Branch),
}

impl Covered {
    /// Whether exploring counts it: activities, and the outcomes of conditions.
    pub const fn is_explored(self) -> bool {
        matches!(self, Self::Activity(_) | Self::Branch(_, Branch::True | Branch::False))
    }

    pub const fn activity(self) -> ActivityId {
        match self {
            Self::Activity(id) | Self::Branch(id, _) => id,
        }
    }
}

/// A branch of an activity: one of its possible outcomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Branch {
    /// The outcome of a condition. Coverage counts it only for an If, exploring also for a While.
    True,
    False,
    /// Rounds of a While, each time that it is reached.
    Never,
    Once,
    Several,
    /// How an Approval is decided.
    Approved,
    Rejected,
    TimedOut,
    /// A call of a Provider, whatever `stopOnError` says.
    Succeeded,
    Failed,
}

impl Branch {
    /// As in reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::True => "true",
            Self::False => "false",
            Self::Never => "never",
            Self::Once => "once",
            Self::Several => "several",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::TimedOut => "timed-out",
            Self::Succeeded => "succeeded",
            Self::Failed => "failed",
        }
    }

    /// The branches of an activity that coverage counts, in the order of reports.
    pub fn of(activity: &Activity<'_>) -> &'static [Self] {
        match &activity.kind {
            ActivityKind::If { .. } => &[Self::True, Self::False],
            ActivityKind::While { .. } => &[Self::Never, Self::Once, Self::Several],
            ActivityKind::Approval(approval) if has_timeout(approval) => {
                &[Self::Approved, Self::Rejected, Self::TimedOut]
            }
            ActivityKind::Approval(_) => &[Self::Approved, Self::Rejected],
            ActivityKind::Provider(_) => &[Self::Succeeded, Self::Failed],
            _ => &[],
        }
    }

    /// The branch of an outcome of a condition.
    pub const fn of_condition(holds: bool) -> Self {
        if holds { Self::True } else { Self::False }
    }

    /// The branch of a While with so many rounds.
    pub const fn of_rounds(rounds: u64) -> Self {
        match rounds {
            0 => Self::Never,
            1 => Self::Once,
            _ => Self::Several,
        }
    }
}

/// Whether an Approval may have a timeout: it is neither absent, nor not set, nor a static 0.
fn has_timeout(approval: &Approval<'_>) -> bool {
    let Some(binding) = approval.settings().timeout.get() else { return approval.settings().timeout.is_unknown() };
    if binding.is_empty() {
        return false;
    }
    let is_blank = binding.literal_text().is_some_and(|(_, text)| text.trim().is_empty());
    let is_zero = binding.literal().and_then(|(_, literal)| literal.as_number()) == Some(0.0);
    !is_blank && !is_zero
}

/// The coverage of one workflow by scenarios.
#[derive(Debug)]
pub struct Coverage<'p> {
    pub file: FileId,
    document: &'p Document,
    workflow: &'p Workflow<'p>,
    /// By activity, whether runs leave it out, so that it does not count.
    left_out: Vec<bool>,
    /// How often each activity began.
    times_begun: Vec<u64>,
    /// How often each branch was taken.
    taken: BTreeMap<(ActivityId, Branch), u64>,
}

impl<'p> Coverage<'p> {
    pub fn new(file: FileId, document: &'p Document, workflow: &'p Workflow<'p>) -> Self {
        let times_begun = vec![0; workflow.activities.len()];
        Self { file, document, workflow, left_out: workflow.left_out(), times_begun, taken: BTreeMap::new() }
    }

    /// Adds the coverage of one run.
    pub fn add(&mut self, record: &Record<'_>) {
        for (all, one) in self.times_begun.iter_mut().zip(&record.times_begun) {
            *all = all.saturating_add(*one);
        }
        for (branch, times) in taken(self.workflow, record) {
            let all = self.taken.entry(branch).or_default();
            *all = all.saturating_add(times);
        }
    }

    /// Those that count, in document order.
    pub fn activities(&self) -> impl Iterator<Item = &'p Activity<'p>> {
        let counts = |activity: &&Activity<'_>| self.left_out.get(activity.id.0 as usize) != Some(&true);
        self.workflow.activities.iter().filter(counts)
    }

    pub fn activity(&self, id: ActivityId) -> Option<&'p Activity<'p>> {
        self.workflow.activity(id)
    }

    /// How often an activity began.
    pub fn times_begun(&self, id: ActivityId) -> u64 {
        self.times_begun.get(id.0 as usize).copied().unwrap_or_default()
    }

    /// How often a branch was taken.
    pub fn times_taken(&self, id: ActivityId, branch: Branch) -> u64 {
        self.taken.get(&(id, branch)).copied().unwrap_or_default()
    }

    pub fn pointer(&self, activity: &Activity<'_>) -> String {
        self.document.pointer(activity.node)
    }

    /// The span of an activity's `name`, whatever its type; without one, that of the activity.
    pub fn name_span(&self, activity: &Activity<'_>) -> Span {
        self.document.span(activity.name.node().unwrap_or(activity.node))
    }

    /// The number of activities that began, of all.
    pub fn activity_count(&self) -> Count {
        let covered = self.activities().filter(|activity| self.times_begun(activity.id) > 0).count();
        Count { covered, all: self.activities().count() }
    }

    /// The number of branches that were taken, of all.
    pub fn branch_count(&self) -> Count {
        self.branches().fold(Count::default(), |count, (activity, branch)| {
            let covered = count.covered + usize::from(self.times_taken(activity.id, branch) > 0);
            Count { covered, all: count.all + 1 }
        })
    }

    /// The activities that no run began, in document order.
    pub fn unreached(&self) -> impl Iterator<Item = &'p Activity<'p>> {
        self.activities().filter(|activity| self.times_begun(activity.id) == 0)
    }

    /// The branches that no run took, in document order.
    pub fn unreached_branches(&self) -> impl Iterator<Item = (&'p Activity<'p>, Branch)> {
        self.branches().filter(|(activity, branch)| self.times_taken(activity.id, *branch) == 0)
    }

    /// Everything that no run covered.
    pub fn missing(&self) -> impl Iterator<Item = Covered> {
        let activities = self.unreached().map(|activity| Covered::Activity(activity.id));
        activities.chain(self.unreached_branches().map(|(activity, branch)| Covered::Branch(activity.id, branch)))
    }

    fn branches(&self) -> impl Iterator<Item = (&'p Activity<'p>, Branch)> {
        self.activities().flat_map(|activity| Branch::of(activity).iter().map(move |branch| (activity, *branch)))
    }
}

/// A number of elements, and how many of them are covered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    pub covered: usize,
    pub all: usize,
}

impl std::ops::Add for Count {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { covered: self.covered + other.covered, all: self.all + other.all }
    }
}

impl Count {
    /// From 0 to 100; 100 where there is nothing to cover.
    #[expect(clippy::cast_precision_loss, reason = "numbers of elements of documents are far below 2^52 / 100")]
    pub fn percent(self) -> f64 {
        if self.all == 0 { 100.0 } else { (self.covered * 100) as f64 / self.all as f64 }
    }
}

/// The loops that are under way, with the rounds that began since each was reached: 0, 1, or 2 for several.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoopVisits(BTreeMap<ActivityId, u8>);

impl LoopVisits {
    /// Passes each branch that a part of a run took to `add`, with how often it took it. A While takes its branch when its
    /// condition does not hold.
    pub fn advance(
        &mut self,
        workflow: &Workflow<'_>,
        record: &Record<'_>,
        add: &mut dyn FnMut(ActivityId, Branch, u64),
    ) {
        let mut repeats = record.repeats.iter().peekable();
        for (index, entry) in record.entries.iter().enumerate() {
            while repeats.next_if(|repeat| repeat.entries.end <= index).is_some() {}
            let repeat = repeats.peek().filter(|repeat| repeat.entries.contains(&index));
            let times = repeat.map_or(1, |repeat| repeat.times.saturating_add(1));
            let Some(id) = entry.activity else { continue };
            match &entry.event {
                Event::Evaluated { holds, .. } => match workflow.activity(id).map(|activity| &activity.kind) {
                    Some(ActivityKind::While { .. }) if *holds => {
                        let is_own = repeat.is_some_and(|repeat| repeat.entries.start == index);
                        self.begin_rounds(id, if is_own { 2 } else { 1 });
                    }
                    Some(ActivityKind::While { .. }) => {
                        let rounds = self.0.remove(&id).unwrap_or_default();
                        add(id, Branch::of_rounds(rounds.into()), times);
                    }
                    _ => add(id, Branch::of_condition(*holds), times),
                },
                Event::Called(call) => {
                    let failed = record.calls.get(*call).is_some_and(|call| call.error.is_some());
                    add(id, if failed { Branch::Failed } else { Branch::Succeeded }, times);
                }
                _ => {}
            }
        }
        for (id, decision) in &record.approvals {
            add(*id, of_decision(*decision), 1);
        }
    }

    fn begin_rounds(&mut self, id: ActivityId, number: u8) {
        let rounds = self.0.entry(id).or_default();
        *rounds = (*rounds + number).min(2);
    }

    /// Adds the branches of the loops in which the run ended.
    pub fn end(self, add: &mut dyn FnMut(ActivityId, Branch, u64)) {
        for (id, rounds) in self.0 {
            add(id, Branch::of_rounds(rounds.into()), 1);
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = (ActivityId, u8)> {
        self.0.iter().map(|(id, rounds)| (*id, *rounds))
    }
}

const fn of_decision(decision: Decision) -> Branch {
    match decision {
        Decision::Approved => Branch::Approved,
        Decision::Rejected => Branch::Rejected,
        Decision::TimedOut => Branch::TimedOut,
    }
}

/// The branches that a run took, each with its number.
pub fn taken(workflow: &Workflow<'_>, record: &Record<'_>) -> BTreeMap<(ActivityId, Branch), u64> {
    let mut taken: HashMap<(ActivityId, Branch), u64> = HashMap::default();
    let mut add = |id, branch, times| {
        let number = taken.entry((id, branch)).or_default();
        *number = number.saturating_add(times);
    };
    let mut visits = LoopVisits::default();
    visits.advance(workflow, record, &mut add);
    visits.end(&mut add);
    taken.into_iter().collect()
}
