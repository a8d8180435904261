//! Dead stores: whether anything reads the value of a variable after an activity.
//!
//! A search along the edges finds most answers. Where some paths read the value and others do not, and conditions
//! exclude some paths, a query over the feasible ones decides.

use fixedbitset::FixedBitSet;
use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use smallvec::SmallVec;

use super::control::Step;
use super::effects::VarId;
use super::path_query::{Facts, PathQuery};
use super::points_before::PointsBefore;
use super::{Analysis, Effects};
use crate::collections::{HashMap, HashSet};
use crate::model::{Activity, ActivityId, ActivityKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreUse {
    /// Something may read the value.
    MayBeRead,
    /// Paths lead to a read, and others do not; conditions may exclude the former.
    ReadOnSomePaths,
    /// The budget is used up.
    Unknown,
    /// Every path overwrites the variable, or ends, before anything reads it. With some activity that overwrites it.
    Dead(Option<ActivityId>),
}

pub struct StoreQuery<'q, 'p> {
    pub variable: VarId,
    /// Whether something reads the variable after the workflow has ended, in whatever way.
    pub is_live_at_end: bool,
    /// Whether an activity always overwrites the variable.
    pub overwrites: &'q dyn Fn(&Activity<'p>, &Effects<'p>) -> bool,
}

impl<'p> Analysis<'p> {
    /// What happens to the value that a variable has after an activity: a search along all edges that some path takes.
    /// `budget` is reduced for each point, read and write that is visited.
    pub fn store_use(&self, after: ActivityId, query: &StoreQuery<'_, 'p>, budget: &mut usize) -> StoreUse {
        let Some(start) = self.control.point(after) else { return StoreUse::MayBeRead };
        let mut visited: HashSet<NodeIndex> = HashSet::default();
        let mut worklist: SmallVec<[NodeIndex; 8]> = self.successors(start).collect();
        let mut overwritten_by = None;
        let correlates = self.has_infeasible_paths();
        let (mut some_read, mut some_unread) = (false, false);
        while let Some(point) = worklist.pop() {
            if !visited.insert(point) {
                continue;
            }
            let step = self.control.graph.node_weight(point);
            let activity = match step {
                Some(&Step::Run(id)) => Some(id),
                _ => None,
            };
            let effects = activity.and_then(|id| self.effects(id));
            let cost = 1 + effects.map_or(0, |effects| effects.reads.len() + effects.writes.own().len());
            let Some(left) = budget.checked_sub(cost) else { return StoreUse::Unknown };
            *budget = left;
            let access = match (activity, step) {
                (Some(id), _) => self.access(id, query),
                (None, Some(Step::Exit)) if query.is_live_at_end => Access::Reads,
                _ => Access::None,
            };
            match access {
                Access::Reads if !correlates => return StoreUse::MayBeRead,
                Access::Reads => some_read = true,
                // This path needs no further search.
                Access::Overwrites => {
                    overwritten_by = overwritten_by.or(activity);
                    some_unread = true;
                }
                Access::None => {
                    let open = worklist.len();
                    worklist.extend(self.successors(point));
                    some_unread |= worklist.len() == open;
                }
            }
            if some_read && some_unread {
                return StoreUse::ReadOnSomePaths;
            }
        }
        if some_read { StoreUse::MayBeRead } else { StoreUse::Dead(overwritten_by) }
    }

    /// As [`Self::store_use`], of several activities that write the variable, on feasible paths alone.
    pub fn feasible_store_uses(
        &self,
        after: &[ActivityId],
        query: &StoreQuery<'_, 'p>,
        budget: &mut usize,
    ) -> Vec<StoreUse> {
        // What each activity does with the variable is found out first.
        let Some(left) = budget.checked_sub(self.workflow.activities.len()) else {
            return vec![StoreUse::Unknown; after.len()];
        };
        *budget = left;
        let mut feasible = FeasibleStores {
            is_live_at_end: query.is_live_at_end,
            indices: (0..).zip(after).map(|(index, &id)| (id, index)).collect(),
            accesses: self.workflow.activities.iter().map(|activity| self.access(activity.id, query)).collect(),
            before_stores: PointsBefore::new(&self.control, after.iter().copied()),
            reached: FixedBitSet::with_capacity(after.len()),
            uses: vec![StoreUse::Dead(None); after.len()],
            open: after.len(),
        };
        let followed = self.follow(&mut feasible, budget);
        let uses = feasible.uses.into_iter().enumerate().map(|(index, used)| match used {
            StoreUse::Dead(_) if !followed.is_complete => StoreUse::Unknown,
            // No order gets there, which another finding may say.
            StoreUse::Dead(_) if !feasible.reached.contains(index) => StoreUse::MayBeRead,
            used => used,
        });
        uses.collect()
    }

    fn successors(&self, point: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let edges = self.control.graph.edges_directed(point, Direction::Outgoing);
        edges.filter(move |edge| self.is_feasible(point, *edge.weight())).map(|edge| edge.target())
    }

    fn access(&self, id: ActivityId, query: &StoreQuery<'_, 'p>) -> Access {
        let (Some(activity), Some(effects)) = (self.workflow.activity(id), self.effects.get(id.0 as usize)) else {
            return Access::Reads;
        };
        let variable = query.variable;
        // Reads come first: an activity that reads and overwrites the variable uses its old value.
        let reads = effects.may_read
            || effects.reads.iter().any(|read| read.variable == variable)
            || effects.shows_variable(variable);
        if reads || query.is_live_at_end && may_end_workflow(activity) {
            Access::Reads
        } else if (query.overwrites)(activity, effects) {
            Access::Overwrites
        } else {
            Access::None
        }
    }
}

/// What an activity does with the variable of a query.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Reads,
    Overwrites,
    None,
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
struct FeasibleStores {
    is_live_at_end: bool,
    /// By store, its index.
    indices: HashMap<ActivityId, u32>,
    /// By activity.
    accesses: Vec<Access>,
    before_stores: PointsBefore,
    /// Stores, by index, that some path reaches.
    reached: FixedBitSet,
    uses: Vec<StoreUse>,
    /// Stores of which no read is known.
    open: usize,
}

impl FeasibleStores {
    fn access(&self, activity: ActivityId) -> Access {
        self.accesses.get(activity.0 as usize).copied().unwrap_or(Access::Reads)
    }

    fn read(&mut self, facts: &Facts) {
        for id in facts.ids() {
            if let Some(used) = self.uses.get_mut(id as usize)
                && std::mem::replace(used, StoreUse::MayBeRead) != StoreUse::MayBeRead
            {
                self.open -= 1;
            }
        }
    }
}

impl PathQuery for FeasibleStores {
    fn run(&mut self, activity: ActivityId, failed: bool, facts: &mut Facts) {
        if !facts.is_empty() {
            match self.access(activity) {
                Access::Reads => {
                    self.read(facts);
                    facts.retain(|_| false);
                }
                Access::Overwrites if !failed => {
                    for id in facts.ids() {
                        if let Some(StoreUse::Dead(overwritten_by)) = self.uses.get_mut(id as usize) {
                            *overwritten_by = overwritten_by.or(Some(activity));
                        }
                    }
                    facts.retain(|_| false);
                }
                Access::Overwrites | Access::None => {}
            }
        }
        if let Some(&index) = self.indices.get(&activity) {
            self.reached.insert(index as usize);
            facts.set(index, 0);
        }
    }

    fn exit(&mut self, facts: &Facts) {
        if self.is_live_at_end {
            self.read(facts);
        }
    }

    fn concerns(&self, activity: ActivityId) -> bool {
        self.access(activity) != Access::None || self.indices.contains_key(&activity)
    }

    fn is_over(&self, point: NodeIndex, facts: &Facts) -> bool {
        facts.is_empty() && !self.before_stores.contains(point)
    }

    fn is_done(&self) -> bool {
        self.open == 0
    }
}
