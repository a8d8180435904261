//! Taint analysis: which sinks a value from a source reaches, and on which path.
//!
//! It is a query along the feasible paths; its facts are the tainted variables. What is a source, and what sanitizes, is
//! the caller's [`TaintPolicy`].
//!
//! Taint is propagated by an Assign from the placeholders in its body to its result, and by a script from
//! the parameters that it names to `Json` (docs/platform.md, Other activity types). It is not propagated by a provider:
//! the outputs of a lookup are new values. Every other write removes the taint of the variable, and so does a
//! branch on which the variable equals a literal.

use std::collections::BTreeSet;

use fixedbitset::FixedBitSet;
use petgraph::graph::NodeIndex;

use super::analysis::Analysis;
use super::effects::{Condition, Effects, OperandValue, VarId, Write, Writer, Written};
use super::path_query::{PathQuery, PointsBefore, QueryFacts};
use crate::common::collections::{HashMap, HashSet};
use crate::document::NodeId;
use crate::model::{Activity, ActivityId, ActivityKind, Code, Operand};

/// What a write does to the taint of its variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transfer {
    /// The written value comes from a source.
    Taint,
    /// The written value is tainted if an input of the activity is.
    Propagate,
    /// The written value is not tainted.
    Clear,
    /// The variable may keep its value, and with it its taint.
    Keep,
}

impl Transfer {
    /// The transfer of a write for which the policy has no other.
    const fn of_write(write: &Write<'_>) -> Self {
        match (write.by, write.value) {
            (Writer::Assign, Written::Constant(_)) => Self::Clear,
            (Writer::Assign | Writer::Script, _) => Self::Propagate,
            (Writer::Output { .. } | Writer::ProviderResult | Writer::ApprovalResult, _) => Self::Clear,
            // Approvers may leave the field as it is, and an activity of a declared type the variable.
            (Writer::Form | Writer::Declared, _) => Self::Keep,
        }
    }
}

/// The sources and sanitizers of one analysis.
pub trait TaintPolicy {
    /// Whether the variable holds a tainted value when the workflow starts.
    fn is_tainted_at_start(&self, variable: &str) -> bool;

    /// The transfer of a write, if it is not the usual one.
    fn transfer(&self, activity: &Activity<'_>, variable: &str, write: &Write<'_>) -> Option<Transfer>;

    /// Whether a script that contains these words seems to sanitize its parameters. Then its result is
    /// not tainted.
    fn is_sanitized_by(&self, words: &HashSet<&str>) -> bool;

    /// Whether a script computes nothing that matters from the value of a parameter.
    fn is_harmless(&self, code: &Code<'_>, parameter: &str) -> bool;
}

/// An activity and a variable that it reads.
pub type TaintSink = (ActivityId, VarId);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaintPath {
    pub source: TaintSource,
    /// In the order of the run.
    pub steps: Vec<TaintStep>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TaintSource {
    /// The variable is tainted when the workflow starts.
    Start(VarId),
    /// A write of an activity, by its index.
    Write(ActivityId, usize),
}

/// An activity that propagates the taint from a read to a write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaintStep {
    pub activity: ActivityId,
    /// The index of the read.
    pub read: usize,
    /// The variable that it writes.
    pub into: VarId,
}

impl Analysis<'_> {
    /// Those of the sinks that taint reaches, each with a path; `budget` is reduced by the entries of states that are
    /// explored. Also returns whether it was enough.
    pub fn tainted(
        &self,
        policy: &dyn TaintPolicy,
        sinks: impl Iterator<Item = TaintSink>,
        budget: &mut usize,
    ) -> (HashMap<TaintSink, TaintPath>, bool) {
        let mut open: HashMap<ActivityId, Vec<VarId>> = HashMap::default();
        for (activity, variable) in sinks {
            open.entry(activity).or_default().push(variable);
        }
        if open.is_empty() {
            return (HashMap::default(), true);
        }
        let mut taint = Taint::new(self, policy, open);
        let is_complete = !taint.has_source() || self.follow(&mut taint, budget);
        (taint.found, is_complete)
    }
}

/// How a variable got its taint.
#[derive(Clone, Copy)]
enum Origin {
    Source(TaintSource),
    /// By a step from a variable with an earlier origin.
    Step(TaintStep, u32),
}

/// The facts are the tainted variables.
struct Taint<'q, 'p> {
    analysis: &'q Analysis<'p>,
    policy: &'q dyn TaintPolicy,
    /// The sinks that are not found yet.
    open: HashMap<ActivityId, Vec<VarId>>,
    before_sinks: PointsBefore,
    /// The reads of each activity that flow into its writes, as indices into its reads.
    inputs: HashMap<ActivityId, Vec<usize>>,
    /// The sinks' variables and all whose value can flow into them, whatever the order of the activities.
    tracked: HashSet<VarId>,
    /// The activities that are sinks or write a tracked variable.
    concerned: FixedBitSet,
    origins: Vec<Origin>,
    found: HashMap<TaintSink, TaintPath>,
}

impl<'q, 'p> Taint<'q, 'p> {
    fn new(analysis: &'q Analysis<'p>, policy: &'q dyn TaintPolicy, open: HashMap<ActivityId, Vec<VarId>>) -> Self {
        let activities = analysis.workflow.activities.iter().zip(&analysis.effects);
        let inputs: HashMap<ActivityId, Vec<usize>> = activities
            .clone()
            .filter_map(|(activity, effects)| Some((activity.id, inputs(activity, effects, policy)?)))
            .collect();
        let tracked = flowing_into(analysis, &inputs, open.values().flatten().copied());
        let is_concerned = |(activity, effects): &(&Activity<'_>, &Effects<'_>)| {
            let mut written = effects.writes.to_some(tracked.iter().copied());
            open.contains_key(&activity.id) || written.any(|write| tracked.contains(&write.variable))
        };
        let concerned = activities.filter(is_concerned).map(|(activity, _)| activity.id.0 as usize).collect();
        let before_sinks = PointsBefore::new(&analysis.control, open.keys().copied());
        let (origins, found) = (Vec::new(), HashMap::default());
        Self { analysis, policy, open, before_sinks, inputs, tracked, concerned, origins, found }
    }

    fn is_tainted_at_start(&self, variable: VarId) -> bool {
        self.policy.is_tainted_at_start(self.analysis.names.name(variable))
    }

    /// Whether a value from some source can flow into a sink, whatever the order of the activities.
    fn has_source(&self) -> bool {
        let writes = self.concerned.ones().filter_map(|index| {
            Some((self.analysis.workflow.activities.get(index)?, self.analysis.effects.get(index)?))
        });
        self.tracked.iter().any(|&variable| self.is_tainted_at_start(variable))
            || writes.into_iter().any(|(activity, effects)| {
                let mut writes = effects.writes.to_some(self.tracked.iter().copied());
                writes.any(|write| {
                    self.tracked.contains(&write.variable) && self.transfer(activity, write) == Transfer::Taint
                })
            })
    }

    fn transfer(&self, activity: &Activity<'_>, write: &Write<'_>) -> Transfer {
        if write.guessed {
            return Transfer::Clear;
        }
        let special = self.policy.transfer(activity, self.analysis.names.name(write.variable), write);
        special.unwrap_or_else(|| Transfer::of_write(write))
    }

    fn taint(&mut self, variable: VarId, origin: Origin, facts: &mut QueryFacts) {
        let index = u32::try_from(self.origins.len()).unwrap_or(u32::MAX);
        self.origins.push(origin);
        facts.set(variable.0, index);
    }

    fn find_sinks(&mut self, activity: ActivityId, facts: &QueryFacts) {
        let Some(mut open) = self.open.remove(&activity) else { return };
        open.retain(|&variable| {
            let path = facts.get(variable.0).and_then(|origin| self.path(origin));
            let is_open = path.is_none();
            self.found.extend(path.map(|path| ((activity, variable), path)));
            is_open
        });
        if !open.is_empty() {
            self.open.insert(activity, open);
        }
    }

    fn path(&self, mut origin: u32) -> Option<TaintPath> {
        let mut steps = Vec::new();
        loop {
            match *self.origins.get(origin as usize)? {
                Origin::Source(source) => {
                    steps.reverse();
                    return Some(TaintPath { source, steps });
                }
                Origin::Step(step, previous) => {
                    steps.push(step);
                    origin = previous;
                }
            }
        }
    }

    /// What the last write of each tracked variable does: its new taint, or none.
    fn changes(&self, id: ActivityId, failed: bool, facts: &QueryFacts) -> Vec<(VarId, Option<Origin>)> {
        let activity = self.analysis.workflow.activity(id).zip(self.analysis.effects(id));
        let Some((activity, effects)) = activity else { return Vec::new() };
        let writes = effects.writes.to_some(self.tracked.iter().copied());
        // A call that fails writes only its `providerResult`.
        let writes = writes.filter(|write| !failed || write.by == Writer::ProviderResult);
        let variables: BTreeSet<VarId> = writes.map(|write| write.variable).collect();
        let changes = variables.into_iter().filter_map(|into| {
            let (index, write) = effects.writes.last_to(into)?;
            let origin = match self.transfer(activity, write) {
                Transfer::Taint => Some(Origin::Source(TaintSource::Write(id, index))),
                Transfer::Propagate => self.inputs.get(&id).into_iter().flatten().find_map(|&read| {
                    let previous = facts.get(effects.reads.get(read)?.variable.0)?;
                    Some(Origin::Step(TaintStep { activity: id, read, into }, previous))
                }),
                Transfer::Clear => None,
                Transfer::Keep => return None,
            };
            Some((into, origin))
        });
        changes.collect()
    }
}

impl PathQuery for Taint<'_, '_> {
    fn start(&mut self, facts: &mut QueryFacts) {
        let mut tainted: Vec<VarId> =
            self.tracked.iter().copied().filter(|&variable| self.is_tainted_at_start(variable)).collect();
        tainted.sort_unstable();
        for variable in tainted {
            self.taint(variable, Origin::Source(TaintSource::Start(variable)), facts);
        }
    }

    fn run(&mut self, activity: ActivityId, failed: bool, facts: &mut QueryFacts) {
        if !self.concerns(activity) {
            return;
        }
        self.find_sinks(activity, facts);
        for (variable, origin) in self.changes(activity, failed, facts) {
            match origin {
                None => facts.retain(|id| id != variable.0),
                Some(origin) => self.taint(variable, origin, facts),
            }
        }
    }

    fn branch(&mut self, activity: ActivityId, holds: bool, facts: &mut QueryFacts) {
        let condition = self.analysis.effects(activity).and_then(|effects| effects.condition.as_deref());
        if let Some(cleared) = condition.and_then(|condition| equal_to_literal(condition, holds)) {
            facts.retain(|id| id != cleared.0);
        }
    }

    fn concerns(&self, activity: ActivityId) -> bool {
        self.concerned.contains(activity.0 as usize)
    }

    fn is_over(&self, point: NodeIndex, _facts: &QueryFacts) -> bool {
        !self.before_sinks.contains(point)
    }

    fn is_done(&self) -> bool {
        self.open.is_empty()
    }
}

/// The variable that equals a literal when a condition is true or false.
const fn equal_to_literal(condition: &Condition<'_>, holds: bool) -> Option<VarId> {
    let ((OperandValue::Variable(variable), OperandValue::Literal(_))
    | (OperandValue::Literal(_), OperandValue::Variable(variable))) = (condition.left, condition.right)
    else {
        return None;
    };
    match (condition.operand, holds) {
        (Operand::Equal, true) | (Operand::NotEqual, false) => Some(variable),
        _ => None,
    }
}

/// The variables, and all whose value can flow into them, whatever the order of the activities.
fn flowing_into(
    analysis: &Analysis<'_>,
    inputs: &HashMap<ActivityId, Vec<usize>>,
    variables: impl Iterator<Item = VarId>,
) -> HashSet<VarId> {
    let mut sources: HashMap<VarId, Vec<VarId>> = HashMap::default();
    for (&activity, reads) in inputs {
        let Some(effects) = analysis.effects(activity) else { continue };
        for write in effects.writes.own().iter().filter(|write| Transfer::of_write(write) == Transfer::Propagate) {
            let read = reads.iter().filter_map(|&read| Some(effects.reads.get(read)?.variable));
            sources.entry(write.variable).or_default().extend(read);
        }
    }
    let mut found = HashSet::default();
    let mut open: Vec<VarId> = variables.collect();
    while let Some(variable) = open.pop() {
        if found.insert(variable) {
            open.extend(sources.get(&variable).into_iter().flatten());
        }
    }
    found
}

/// The reads of an activity that flow into its writes; `None` of one that propagates nothing.
fn inputs(activity: &Activity<'_>, effects: &Effects<'_>, policy: &dyn TaintPolicy) -> Option<Vec<usize>> {
    let reads = effects.reads.iter().enumerate().filter(|(_, read)| !read.guessed);
    match &activity.kind {
        // The other reads of an Assign are those of `assignedVariables`, which repeats its placeholders.
        ActivityKind::Assign(_) => {
            Some(reads.filter(|(_, read)| read.part.is_some()).map(|(index, _)| index).collect())
        }
        ActivityKind::Code(code) => {
            let script = code.script.value().filter(|_| !effects.reads.is_empty())?;
            // Its identifiers, and the words in its strings and comments.
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
            let words: HashSet<&str> = script.split(|letter| !is_part(letter)).collect();
            if policy.is_sanitized_by(&words) {
                return None;
            }
            // The `boundTo` of those parameters that the script names, and whose value it passes on.
            let is_passed = |name: &str| words.contains(name) && !policy.is_harmless(code, name);
            let parameters = code.parameters.get().into_iter().flatten();
            let passed = parameters.filter(|parameter| parameter.name.value().is_some_and(is_passed));
            let named: HashSet<NodeId> =
                passed.filter_map(|parameter| Some(parameter.value.get()?.target()?.0)).collect();
            Some(reads.filter(|(_, read)| named.contains(&read.node)).map(|(index, _)| index).collect())
        }
        _ => None,
    }
}
