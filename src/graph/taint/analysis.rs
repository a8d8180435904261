//! The fixed point: the tainted variables at each point of a workflow.

use std::cell::Cell;
use std::collections::BTreeSet;

use petgraph::Direction;
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;
use smallvec::SmallVec;

use super::policy::{TaintPolicy, Transfer};
use super::propagation::Propagation;
use crate::collections::{HashMap, HashSet};
use crate::graph::Analysis;
use crate::graph::control::{Flow, Step};
use crate::graph::effects::{Condition, Effects, OperandValue, VarId, Write};
use crate::graph::form_users::all_writes;
use crate::graph::turns::Turn;
use crate::model::{Activity, ActivityId, ActivityKind, Operand};

/// Words of 8 bytes in the table of facts, for each point and in addition. A workflow that needs more is not analyzed.
const WORDS_PER_POINT: usize = 16;
const MIN_TABLE_WORDS: usize = 500_000;
/// How often the worklist algorithm may process a table of that size. Past that the analysis gives no result.
const MAX_ROUNDS: usize = 8;
/// Words from which a table is large.
const MIN_LARGE: usize = 32_000;

/// The facts of one point: a bit for each tracked variable.
type Words = SmallVec<[u64; 2]>;

/// The tainted variables at each point of one workflow.
pub struct TaintAnalysis<'a, 'p> {
    pub(super) analysis: &'a Analysis<'p>,
    pub(super) policy: &'a dyn TaintPolicy,
    pub(super) propagation: Propagation,
    /// The bit of each variable that can flow into a sink; others are not tracked.
    bits: HashMap<VarId, usize>,
    /// The facts before each point, one bit for each tracked variable, `words_per_point` words for each point.
    before: Vec<u64>,
    words_per_point: usize,
    /// Such a table for searches, empty between them.
    pub(super) seen: Cell<Vec<u64>>,
    /// The variables that some activity writes.
    pub(super) written: HashSet<VarId>,
    /// If the table is large.
    _turn: Option<Turn>,
}

impl<'a, 'p> TaintAnalysis<'a, 'p> {
    /// Tracks what can flow into the sinks' variables; `None` when the workflow exceeds a limit.
    pub fn new(
        analysis: &'a Analysis<'p>,
        policy: &'a dyn TaintPolicy,
        sinks: impl IntoIterator<Item = VarId>,
    ) -> Option<Self> {
        let propagation = Propagation::new(analysis, policy);
        let bits = propagation.variables_flowing_into(analysis, sinks);
        let words_per_point = bits.len().div_ceil(64);
        let points = analysis.control.graph.node_count();
        let max_size = MIN_TABLE_WORDS + points.saturating_mul(WORDS_PER_POINT);
        let size = points.checked_mul(words_per_point).filter(|&size| size <= max_size)?;
        let written = all_writes(&analysis.effects).map(|write| write.variable).collect();
        let turn = (size > MIN_LARGE).then(Turn::wait);
        let before = vec![0; size];
        let seen = Cell::default();
        let mut taint =
            Self { analysis, policy, propagation, bits, before, words_per_point, seen, written, _turn: turn };
        taint.run(max_size.saturating_mul(MAX_ROUNDS))?;
        Some(taint)
    }

    /// Whether a variable may be tainted when an activity runs.
    pub fn is_tainted(&self, activity: ActivityId, variable: VarId) -> bool {
        let point = self.analysis.control.point(activity);
        point.is_some_and(|point| self.is_reached(point) && self.is_tainted_before(point, variable))
    }

    pub(super) fn is_tainted_before(&self, point: NodeIndex, variable: VarId) -> bool {
        let Some(&bit) = self.bits.get(&variable) else { return false };
        let word = self.before.get(point.index() * self.words_per_point + bit / 64);
        word.is_some_and(|word| word & (1 << (bit % 64)) != 0)
    }

    /// The words of the table of facts.
    pub(super) const fn table_size(&self) -> usize {
        self.before.len()
    }

    /// Sets or clears the bit of a variable before a point in such a table. Returns whether that changes it.
    pub(super) fn mark(&self, (point, variable): (NodeIndex, VarId), table: &mut [u64], is_set: bool) -> bool {
        let Some(&bit) = self.bits.get(&variable) else { return false };
        let Some(word) = table.get_mut(point.index() * self.words_per_point + bit / 64) else { return false };
        let (before, mask) = (*word, 1 << (bit % 64));
        *word = if is_set { before | mask } else { before & !mask };
        *word != before
    }

    /// The variables that can flow into a sink.
    pub(super) fn tracked(&self) -> impl ExactSizeIterator<Item = VarId> {
        self.bits.keys().copied()
    }

    pub(super) fn is_tainted_at_start(&self, variable: VarId) -> bool {
        self.policy.is_tainted_at_start(self.analysis.names.name(variable))
    }

    fn is_reached(&self, point: NodeIndex) -> bool {
        self.analysis.paths.reaches(point)
    }

    /// The worklist algorithm: propagates facts along the edges until none changes. Facts only grow, so it ends.
    /// `None` when the limit is exceeded.
    fn run(&mut self, mut budget: usize) -> Option<()> {
        if self.words_per_point == 0 {
            return Some(());
        }
        let graph = &self.analysis.control.graph;
        // Points are numbered in the order of the document, so the first one in the worklist is rarely
        // before another that still changes: loops apart, each point is processed once.
        let mut worklist: BTreeSet<NodeIndex> = graph.node_indices().filter(|&point| self.is_reached(point)).collect();
        while let Some(point) = worklist.pop_first() {
            budget = budget.checked_sub(self.words_per_point)?;
            let after = self.after(point);
            for (target, flow) in graph.edges(point).map(|edge| (edge.target(), *edge.weight())) {
                if self.analysis.is_feasible(point, flow)
                    && self.join(point, flow, &after, target)
                    && self.is_reached(target)
                {
                    worklist.insert(target);
                }
            }
        }
        Some(())
    }

    /// Adds the facts after a point to those before a next one; whether these changed.
    fn join(&mut self, point: NodeIndex, flow: Flow, after: &[u64], target: NodeIndex) -> bool {
        let cleared = self.cleared_on(point, flow).and_then(|variable| self.bits.get(&variable)).copied();
        let start = target.index() * self.words_per_point;
        let Some(before) = self.before.get_mut(start..start + self.words_per_point) else { return false };
        let mut is_changed = false;
        for (index, (before, after)) in before.iter_mut().zip(after).enumerate() {
            let cleared = cleared.filter(|bit| bit / 64 == index).map_or(0, |bit| 1u64 << (bit % 64));
            let joined = *before | (after & !cleared);
            is_changed |= joined != *before;
            *before = joined;
        }
        is_changed
    }

    /// The transfer function of a point: the facts after it.
    fn after(&self, point: NodeIndex) -> Words {
        let start = point.index() * self.words_per_point;
        let before = self.before.get(start..start + self.words_per_point).unwrap_or_default();
        let mut after = Words::from_slice(before);
        let mut set = |bit: usize, is_tainted: bool| {
            if let Some(word) = after.get_mut(bit / 64) {
                *word = *word & !(1 << (bit % 64)) | u64::from(is_tainted) << (bit % 64);
            }
        };
        match self.analysis.control.graph.node_weight(point) {
            Some(Step::Entry) => {
                for (&variable, &bit) in &self.bits {
                    if self.is_tainted_at_start(variable) {
                        set(bit, true);
                    }
                }
            }
            Some(&Step::Run(id)) => {
                let Some((activity, effects)) = self.activity(id) else { return after };
                for write in effects.writes.to_some(self.bits.keys().copied()) {
                    let Some(&bit) = self.bits.get(&write.variable) else { continue };
                    match self.transfer(activity, write) {
                        Transfer::Taint => set(bit, true),
                        Transfer::Clear => {
                            let is_kept = may_fail(activity) && self.is_tainted_before(point, write.variable);
                            set(bit, is_kept);
                        }
                        Transfer::Propagate => {
                            let mut inputs =
                                self.propagation.inputs(id).iter().filter_map(|&read| effects.reads.get(read));
                            set(bit, inputs.any(|read| self.is_tainted_before(point, read.variable)));
                        }
                        Transfer::Keep => {}
                    }
                }
            }
            _ => {}
        }
        after
    }

    pub(super) fn activity(&self, id: ActivityId) -> Option<(&'a Activity<'p>, &'a Effects<'p>)> {
        Some((self.analysis.workflow.activity(id)?, self.analysis.effects.get(id.0 as usize)?))
    }

    pub(super) fn transfer(&self, activity: &Activity<'_>, write: &Write<'_>) -> Transfer {
        if write.guessed {
            return Transfer::Clear;
        }
        let special = self.policy.transfer(activity, self.analysis.names.name(write.variable), write);
        special.unwrap_or_else(|| Transfer::of_write(write))
    }

    /// The variable that an edge removes the taint of, because it equals a literal there.
    fn cleared_on(&self, point: NodeIndex, flow: Flow) -> Option<VarId> {
        let &Step::Run(id) = self.analysis.control.graph.node_weight(point)? else { return None };
        let condition = self.analysis.effects.get(id.0 as usize)?.condition.as_deref()?;
        equal_to_literal(condition, flow)
    }

    /// The points before a point, each with the variable that the edge between them removes the taint of.
    pub(super) fn predecessors(&self, point: NodeIndex) -> impl Iterator<Item = (NodeIndex, Option<VarId>)> + '_ {
        let edges = self.analysis.control.graph.edges_directed(point, Direction::Incoming);
        edges
            .filter(|edge| self.is_reached(edge.source()) && self.analysis.is_feasible(edge.source(), *edge.weight()))
            .map(|edge| (edge.source(), self.cleared_on(edge.source(), *edge.weight())))
    }
}

/// The sinks' variables and all whose value can flow into them, whatever the order of the activities.
pub fn variables_flowing_into(
    analysis: &Analysis<'_>,
    policy: &dyn TaintPolicy,
    sinks: impl IntoIterator<Item = VarId>,
) -> HashSet<VarId> {
    Propagation::new(analysis, policy).variables_flowing_into(analysis, sinks).into_keys().collect()
}

/// Whether the workflow can continue without the values that an activity writes.
pub(super) fn may_fail(activity: &Activity<'_>) -> bool {
    matches!(&activity.kind, ActivityKind::Provider(provider) if !provider.stops_on_error())
}

/// The variable that equals a literal on a branch of a condition.
pub(super) const fn equal_to_literal(condition: &Condition<'_>, flow: Flow) -> Option<VarId> {
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
