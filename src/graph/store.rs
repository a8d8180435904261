//! Dead stores: whether anything reads the value that an activity stores in a variable.
//!
//! One query follows all stores of a workflow, with one state at each point. Of a variable whose value some paths read
//! and others do not, another one then follows the paths apart, as conditions may exclude the former.

use std::collections::BTreeMap;

use fixedbitset::FixedBitSet;
use petgraph::graph::NodeIndex;

use super::effects::VarId;
use super::path_query::{PathQuery, PointsBefore, QueryFacts};
use super::{Analysis, Effects};
use crate::common::collections::{HashMap, HashSet};
use crate::model::{Activity, ActivityId, ActivityKind};

/// An activity that stores a value in a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Store {
    pub activity: ActivityId,
    pub variable: VarId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreUse {
    /// Something may read the value.
    MayBeRead,
    /// The budget is used up.
    Unknown,
    /// Every path overwrites the variable, or ends, before anything reads it. With some activity that overwrites it.
    Dead(Option<ActivityId>),
}

pub struct StoreQuery<'q, 'p> {
    /// Whether something reads a variable after the workflow has ended, in whatever way.
    pub is_live_at_end: &'q dyn Fn(VarId) -> bool,
    /// Whether an activity always overwrites a variable.
    pub overwrites: &'q dyn Fn(&Activity<'p>, &Effects<'p>, VarId) -> bool,
}

impl<'p> Analysis<'p> {
    /// What happens to the value of each store. `budget` is reduced by the entries of states that are explored.
    pub fn store_uses(&self, stores: &[Store], query: &StoreQuery<'_, 'p>, budget: &mut usize) -> Vec<StoreUse> {
        if stores.is_empty() {
            return Vec::new();
        }
        let mut all = Stores::new(self, stores, query);
        let is_complete = self.follow_merged(&mut all, budget);
        let mut uses = all.uses(is_complete);
        let mut open: BTreeMap<VarId, Vec<usize>> = BTreeMap::new();
        for (index, store) in stores.iter().enumerate().filter(|_| is_complete && self.has_infeasible_paths()) {
            if all.read.contains(index) && all.unread.contains(index) {
                open.entry(store.variable).or_default().push(index);
            }
        }
        for indices in open.into_values() {
            let some: Vec<Store> = indices.iter().filter_map(|&index| stores.get(index)).copied().collect();
            let mut apart = Stores::new(self, &some, query);
            let is_complete = self.follow(&mut apart, budget);
            for (index, found) in indices.into_iter().zip(apart.uses(is_complete)) {
                if let Some(used) = uses.get_mut(index) {
                    *used = found;
                }
            }
        }
        uses
    }
}

/// Whether an activity may read a variable before it writes any.
fn may_read(effects: &Effects<'_>, variable: VarId) -> bool {
    effects.may_read || effects.reads.iter().any(|read| read.variable == variable) || effects.shows_variable(variable)
}

/// Whether the workflow may end at an activity: by a Terminate, or because the activity fails.
fn may_end_workflow(activity: &Activity<'_>) -> bool {
    match &activity.kind {
        ActivityKind::Provider(provider) => provider.stops_on_error(),
        ActivityKind::Terminate | ActivityKind::Code(_) => true,
        _ => false,
    }
}

/// The facts are the stores, by index, whose value the variable holds.
struct Stores<'q, 'p> {
    analysis: &'q Analysis<'p>,
    query: &'q StoreQuery<'q, 'p>,
    /// With whether something reads the variable at the end.
    all: Vec<(Store, bool)>,
    by_activity: HashMap<ActivityId, Vec<u32>>,
    /// The activities that store, read or overwrite one of the variables.
    concerned: FixedBitSet,
    before: PointsBefore,
    // Of the stores, by index:
    reached: FixedBitSet,
    read: FixedBitSet,
    /// Those whose value some path does not read.
    unread: FixedBitSet,
    overwritten_by: HashMap<u32, ActivityId>,
}

impl<'q, 'p> Stores<'q, 'p> {
    fn new(analysis: &'q Analysis<'p>, stores: &[Store], query: &'q StoreQuery<'q, 'p>) -> Self {
        let mut by_activity: HashMap<ActivityId, Vec<u32>> = HashMap::default();
        for (index, store) in (0..).zip(stores) {
            by_activity.entry(store.activity).or_default().push(index);
        }
        let variables: HashSet<VarId> = stores.iter().map(|store| store.variable).collect();
        let is_concerned = |activity: &&Activity<'_>| {
            analysis.effects(activity.id).is_none_or(|effects| {
                let written = effects.writes.to_some(variables.iter().copied()).map(|write| write.variable);
                let mut used = written.chain(effects.reads.iter().map(|read| read.variable));
                effects.may_read
                    || may_end_workflow(activity)
                    || effects.form().is_some()
                    || used.any(|variable| variables.contains(&variable))
            })
        };
        let concerned = analysis.workflow.activities.iter().filter(is_concerned).map(|it| it.id.0 as usize);
        Self {
            analysis,
            query,
            all: stores.iter().map(|store| (*store, (query.is_live_at_end)(store.variable))).collect(),
            concerned: concerned.collect(),
            before: PointsBefore::new(&analysis.control, by_activity.keys().copied()),
            by_activity,
            reached: FixedBitSet::with_capacity(stores.len()),
            read: FixedBitSet::with_capacity(stores.len()),
            unread: FixedBitSet::with_capacity(stores.len()),
            overwritten_by: HashMap::default(),
        }
    }

    fn uses(&self, is_complete: bool) -> Vec<StoreUse> {
        let found = (0..).zip(&self.all).map(|(number, _)| {
            let index = number as usize;
            match (self.read.contains(index), is_complete) {
                (true, _) => StoreUse::MayBeRead,
                (false, false) => StoreUse::Unknown,
                // No order gets there, which another finding may say.
                _ if !self.reached.contains(index) => StoreUse::MayBeRead,
                _ => StoreUse::Dead(self.overwritten_by.get(&number).copied()),
            }
        });
        found.collect()
    }

    /// The workflow ends.
    fn end(&mut self, facts: &QueryFacts) {
        for id in facts.ids() {
            let is_live = self.all.get(id as usize).is_none_or(|(_, is_live)| *is_live);
            if is_live { self.read.grow_and_insert(id as usize) } else { self.unread.grow_and_insert(id as usize) }
        }
    }
}

impl PathQuery for Stores<'_, '_> {
    fn run(&mut self, id: ActivityId, failed: bool, facts: &mut QueryFacts) {
        if !self.concerns(id) {
            return;
        }
        let analysis = self.analysis;
        let (Some(activity), Some(effects)) = (analysis.workflow.activity(id), analysis.effects(id)) else { return };
        let may_end = may_end_workflow(activity);
        let mut used: Vec<u32> = Vec::new();
        for fact in facts.ids() {
            let Some(&(Store { variable, .. }, is_live_at_end)) = self.all.get(fact as usize) else { continue };
            // Reads come first: an activity that reads and overwrites the variable uses its old value.
            if may_read(effects, variable) || is_live_at_end && may_end {
                self.read.grow_and_insert(fact as usize);
            } else if !failed && (self.query.overwrites)(activity, effects, variable) {
                self.unread.grow_and_insert(fact as usize);
                self.overwritten_by.entry(fact).or_insert(id);
            } else {
                continue;
            }
            used.push(fact);
        }
        if !used.is_empty() {
            facts.retain(|fact| used.binary_search(&fact).is_err());
        }
        if matches!(activity.kind, ActivityKind::Terminate) {
            self.end(facts);
        }
        for &store in self.by_activity.get(&id).into_iter().flatten() {
            self.reached.grow_and_insert(store as usize);
            facts.set(store, 0);
        }
    }

    fn exit(&mut self, facts: &QueryFacts) {
        self.end(facts);
    }

    fn concerns(&self, activity: ActivityId) -> bool {
        self.concerned.contains(activity.0 as usize)
    }

    fn is_over(&self, point: NodeIndex, facts: &QueryFacts) -> bool {
        facts.is_empty() && !self.before.contains(point)
    }

    fn is_done(&self) -> bool {
        false
    }
}
