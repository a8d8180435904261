//! Where values go: which variables hold a value that came from one of certain places, at each
//! point of a workflow, and by which steps it got there.
//!
//! The value of a variable goes on through an Assign whose body has it as a placeholder, and
//! through a script that is given it and names it, whose result is `Json` (reference, Assign and
//! Code). It does not go through a provider: what a lookup returns is new. A variable that is
//! written anew holds what was written; a condition that it equals a literal tells its value.

mod carriers;
mod way;

use std::collections::BTreeSet;

use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

use super::Analysis;
use super::control::{Flow, Step};
use super::effects::{Condition, Effects, OperandValue, VarId, Write, Writer, Written};
use crate::collections::{HashMap, HashSet};
use crate::model::{Activity, ActivityId, Kind, Operand};

use carriers::Carriers;
pub use way::{Carry, Source, Way};

/// Words of the table that is kept, 8 bytes each. A workflow that needs more is not followed, so
/// nothing is said of it.
const LARGEST: usize = 8_000_000;
/// Words that may be passed on; some hundred milliseconds. Past them, likewise, nothing is said.
const BUDGET: usize = 100_000_000;

/// What a write gives its variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given {
    /// A value of the kind that is followed.
    Source,
    /// What is made of the activity's inputs.
    Inputs,
    /// Another value.
    Harmless,
    /// Perhaps nothing: the variable may keep its value.
    Kept,
}

/// Which values are followed.
pub trait Followed {
    /// Whether the variable holds such a value when the workflow begins.
    fn at_start(&self, variable: &str) -> bool;

    /// What a write gives; `None` for what writes of its kind usually give.
    fn given(&self, activity: &Activity<'_>, variable: &str, write: &Write<'_>) -> Option<Given>;

    /// Whether a script that has these words seems to make something harmless of its parameters.
    fn is_cleaned_by(&self, words: &HashSet<&str>) -> bool;
}

/// Where the values that are followed get to in one workflow.
pub struct Spread<'a, 'p> {
    analysis: &'a Analysis<'p>,
    followed: &'a dyn Followed,
    carriers: Carriers,
    /// By variable that can lead to a sink: its bit.
    bits: HashMap<VarId, usize>,
    /// By point: the variables that may hold such a value there, one bit each.
    before: Vec<u64>,
    /// Words of a point.
    words: usize,
    /// The variables that some activity writes.
    written: HashSet<VarId>,
}

impl<'a, 'p> Spread<'a, 'p> {
    /// Follows the values as far as these variables need; `None` when the workflow is too large.
    pub fn new(
        analysis: &'a Analysis<'p>,
        followed: &'a dyn Followed,
        sinks: impl IntoIterator<Item = VarId>,
    ) -> Option<Self> {
        let carriers = Carriers::new(analysis, followed);
        let bits = carriers.leading_to(analysis, sinks);
        let words = bits.len().div_ceil(64);
        let size = analysis.control.graph.node_count().checked_mul(words).filter(|&size| size <= LARGEST)?;
        let writes = analysis.effects.iter().flat_map(|effects| &effects.writes);
        let written = writes.map(|write| write.variable).collect();
        let mut spread = Self { analysis, followed, carriers, bits, before: vec![0; size], words, written };
        spread.run()?;
        Some(spread)
    }

    /// Whether a variable may hold such a value when an activity runs.
    pub fn reaches(&self, activity: ActivityId, variable: VarId) -> bool {
        let point = self.analysis.control.point(activity);
        point.is_some_and(|point| self.is_reached(point) && self.holds(point, variable))
    }

    fn holds(&self, point: NodeIndex, variable: VarId) -> bool {
        let Some(&bit) = self.bits.get(&variable) else { return false };
        let word = self.before.get(point.index() * self.words + bit / 64);
        word.is_some_and(|word| word & (1 << (bit % 64)) != 0)
    }

    fn is_reached(&self, point: NodeIndex) -> bool {
        self.analysis.paths.reaches(point)
    }

    /// Passes what each point holds on to the next ones until nothing changes; `None` when that takes
    /// too long.
    fn run(&mut self) -> Option<()> {
        let mut left = BUDGET;
        if self.words == 0 {
            return Some(());
        }
        let graph = &self.analysis.control.graph;
        let mut waiting: BTreeSet<NodeIndex> = graph.node_indices().filter(|&point| self.is_reached(point)).collect();
        while let Some(point) = waiting.pop_first() {
            left = left.checked_sub(self.words)?;
            let after = self.after(point);
            for (target, flow) in graph.edges(point).map(|edge| (edge.target(), *edge.weight())) {
                if !self.is_open(point, flow) {
                    continue;
                }
                let known = self.known_on(point, flow).and_then(|variable| self.bits.get(&variable)).copied();
                let start = target.index() * self.words;
                let Some(before) = self.before.get_mut(start..start + self.words) else { continue };
                let mut is_new = false;
                for (index, (before, after)) in before.iter_mut().zip(&after).enumerate() {
                    let known = known.filter(|bit| bit / 64 == index).map_or(0, |bit| 1u64 << (bit % 64));
                    let all = *before | (after & !known);
                    is_new |= all != *before;
                    *before = all;
                }
                if is_new && self.analysis.paths.reaches(target) {
                    waiting.insert(target);
                }
            }
        }
        Some(())
    }

    /// What a point leaves to the next ones.
    fn after(&self, point: NodeIndex) -> Vec<u64> {
        let start = point.index() * self.words;
        let before = self.before.get(start..start + self.words).unwrap_or_default();
        let mut after = before.to_vec();
        let mut set = |bit: usize, holds: bool| {
            if let Some(word) = after.get_mut(bit / 64) {
                *word = *word & !(1 << (bit % 64)) | u64::from(holds) << (bit % 64);
            }
        };
        match self.analysis.control.graph.node_weight(point) {
            Some(Step::Entry) => {
                for (&variable, &bit) in &self.bits {
                    if self.followed.at_start(self.analysis.names.name(variable)) {
                        set(bit, true);
                    }
                }
            }
            Some(&Step::Run(id)) => {
                let Some((activity, effects)) = self.activity(id) else { return after };
                for write in &effects.writes {
                    let Some(&bit) = self.bits.get(&write.variable) else { continue };
                    match self.given(activity, write) {
                        Given::Source => set(bit, true),
                        Given::Harmless => set(bit, may_fail(activity) && self.holds(point, write.variable)),
                        Given::Inputs => {
                            let inputs = self.carriers.inputs(id).iter().filter_map(|&read| effects.reads.get(read));
                            set(bit, inputs.into_iter().any(|read| self.holds(point, read.variable)));
                        }
                        Given::Kept => {}
                    }
                }
            }
            _ => {}
        }
        after
    }

    fn activity(&self, id: ActivityId) -> Option<(&'a Activity<'p>, &'a Effects<'p>)> {
        Some((self.analysis.workflow.activity(id)?, self.analysis.effects.get(id.0 as usize)?))
    }

    fn given(&self, activity: &Activity<'_>, write: &Write<'_>) -> Given {
        if write.guessed {
            return Given::Harmless;
        }
        let own = self.followed.given(activity, self.analysis.names.name(write.variable), write);
        own.unwrap_or_else(|| usually_given(write))
    }

    /// Whether a path can take a way out of a point.
    fn is_open(&self, point: NodeIndex, flow: Flow) -> bool {
        let Some(&Step::Run(id)) = self.analysis.control.graph.node_weight(point) else { return true };
        let Some(outcomes) = self.analysis.paths.outcomes.get(&id).filter(|_| !self.analysis.paths.is_incomplete)
        else {
            return true;
        };
        match flow {
            Flow::True => outcomes.is_true || outcomes.open,
            Flow::False => outcomes.is_false || outcomes.open,
            Flow::Next | Flow::Back => true,
        }
    }

    /// The variable whose value a condition tells on a way out of it.
    fn known_on(&self, point: NodeIndex, flow: Flow) -> Option<VarId> {
        let &Step::Run(id) = self.analysis.control.graph.node_weight(point)? else { return None };
        let condition = self.analysis.effects.get(id.0 as usize)?.condition.as_ref()?;
        told_by(condition, flow)
    }

    /// The points before a point, with the variable whose value the way between them tells.
    fn points_before(&self, point: NodeIndex) -> impl Iterator<Item = (NodeIndex, Option<VarId>)> + '_ {
        let edges = self.analysis.control.graph.edges_directed(point, Direction::Incoming);
        edges
            .filter(|edge| self.is_reached(edge.source()) && self.is_open(edge.source(), *edge.weight()))
            .map(|edge| (edge.source(), self.known_on(edge.source(), *edge.weight())))
    }
}

/// These variables and those whose value can go into theirs, whatever the order.
pub fn leading_to(
    analysis: &Analysis<'_>,
    followed: &dyn Followed,
    sinks: impl IntoIterator<Item = VarId>,
) -> HashSet<VarId> {
    Carriers::new(analysis, followed).leading_to(analysis, sinks).into_keys().collect()
}

/// What a write gives, whatever is followed.
const fn usually_given(write: &Write<'_>) -> Given {
    match (write.by, write.value) {
        (Writer::Assign, Written::Constant(_)) => Given::Harmless,
        (Writer::Assign | Writer::Script, _) => Given::Inputs,
        (Writer::Output { .. } | Writer::ProviderResult | Writer::ApprovalResult, _) => Given::Harmless,
        (Writer::Form, _) => Given::Kept,
    }
}

/// Whether the workflow can go on without what an activity writes.
fn may_fail(activity: &Activity<'_>) -> bool {
    matches!(&activity.kind, Kind::Provider(provider) if !provider.stops_on_error())
}

/// The variable that equals a literal when a condition comes out this way.
const fn told_by(condition: &Condition<'_>, flow: Flow) -> Option<VarId> {
    let ((OperandValue::Variable(variable), OperandValue::Literal(_))
    | (OperandValue::Literal(_), OperandValue::Variable(variable))) = (condition.left, condition.right)
    else {
        return None;
    };
    match (condition.operand, flow) {
        (Operand::Equal, Flow::True) | (Operand::NotEqual, Flow::False) => Some(variable),
        _ => None,
    }
}
