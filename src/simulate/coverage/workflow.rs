//! The coverage of one workflow by all runs.

use std::collections::BTreeMap;

use super::branch::Branch;
use super::covered::Covered;
use super::taken::taken;
use crate::diagnostic::FileId;
use crate::document::Document;
use crate::model::{Activity, ActivityId, Workflow};
use crate::simulate::trace::Record;
use crate::source::Span;

/// The coverage of one workflow by scenarios.
#[derive(Debug)]
pub struct Coverage<'p> {
    pub file: FileId,
    document: &'p Document,
    workflow: &'p Workflow<'p>,
    /// How often each activity began.
    times_begun: Vec<u64>,
    /// How often each branch was taken.
    taken: BTreeMap<(ActivityId, Branch), u64>,
}

impl<'p> Coverage<'p> {
    pub fn new(file: FileId, document: &'p Document, workflow: &'p Workflow<'p>) -> Self {
        let times_begun = vec![0; workflow.activities.len()];
        Self { file, document, workflow, times_begun, taken: BTreeMap::new() }
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

    /// In document order.
    pub fn activities(&self) -> &'p [Activity<'p>] {
        &self.workflow.activities
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
        let covered = self.times_begun.iter().filter(|times| **times > 0).count();
        Count { covered, all: self.times_begun.len() }
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
        self.activities().iter().filter(|activity| self.times_begun(activity.id) == 0)
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
        self.activities().iter().flat_map(|activity| Branch::of(activity).iter().map(move |branch| (activity, *branch)))
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
