//! Which reads of an activity flow into what it writes.

use super::policy::{TaintPolicy, Transfer};
use crate::collections::{HashMap, HashSet};
use crate::document::NodeId;
use crate::graph::Analysis;
use crate::graph::effects::{Effects, VarId};
use crate::model::{Activity, ActivityId, ActivityKind, Code};

/// The reads of each activity that flow into its writes, as indices into its reads; `None` of one that propagates nothing.
pub struct Propagation {
    inputs: Vec<Option<Vec<usize>>>,
}

impl Propagation {
    pub fn new(analysis: &Analysis<'_>, policy: &dyn TaintPolicy) -> Self {
        let activities = analysis.workflow.activities.iter().zip(&analysis.effects);
        Self { inputs: activities.map(|(activity, effects)| inputs(activity, effects, policy)).collect() }
    }

    pub fn inputs(&self, activity: ActivityId) -> &[usize] {
        self.inputs.get(activity.0 as usize).and_then(Option::as_deref).unwrap_or_default()
    }

    /// The sinks' variables and all whose value can flow into them, whatever the order of the activities.
    /// Each gets a number from 0, its bit in the facts of the analysis.
    pub fn variables_flowing_into(
        &self,
        analysis: &Analysis<'_>,
        sinks: impl IntoIterator<Item = VarId>,
    ) -> HashMap<VarId, usize> {
        let mut propagators: HashMap<VarId, Vec<ActivityId>> = HashMap::default();
        for ((activity, effects), inputs) in (0..).map(ActivityId).zip(&analysis.effects).zip(&self.inputs) {
            if inputs.is_none() {
                continue;
            }
            for write in effects.writes.own().iter().filter(|write| Transfer::of_write(write) == Transfer::Propagate) {
                propagators.entry(write.variable).or_default().push(activity);
            }
        }
        let mut bits = HashMap::default();
        let mut pending: Vec<VarId> = sinks.into_iter().collect();
        while let Some(variable) = pending.pop() {
            let next = bits.len();
            if *bits.entry(variable).or_insert(next) != next {
                continue;
            }
            for &id in propagators.get(&variable).into_iter().flatten() {
                let Some(effects) = analysis.effects.get(id.0 as usize) else { continue };
                pending.extend(self.inputs(id).iter().filter_map(|&read| Some(effects.reads.get(read)?.variable)));
            }
        }
        bits
    }
}

/// `None` of an activity that propagates nothing.
fn inputs(activity: &Activity<'_>, effects: &Effects<'_>, policy: &dyn TaintPolicy) -> Option<Vec<usize>> {
    let reads = effects.reads.iter().enumerate().filter(|(_, read)| !read.guessed);
    match &activity.kind {
        // The other reads of an Assign are those of `assignedVariables`, which repeats its placeholders.
        ActivityKind::Assign(_) => {
            Some(reads.filter(|(_, read)| read.part.is_some()).map(|(index, _)| index).collect())
        }
        ActivityKind::Code(code) => {
            let script = code.script.value().filter(|_| !effects.reads.is_empty())?;
            let words = script_words(script);
            if policy.is_sanitized_by(&words) {
                return None;
            }
            let named: HashSet<NodeId> = targets_of_named_parameters(code, &words, policy).collect();
            Some(reads.filter(|(_, read)| named.contains(&read.node)).map(|(index, _)| index).collect())
        }
        _ => None,
    }
}

/// The `boundTo` of those parameters whose name is a word of the script, and whose value it passes on.
fn targets_of_named_parameters<'c>(
    code: &'c Code<'_>,
    words: &'c HashSet<&str>,
    policy: &'c dyn TaintPolicy,
) -> impl Iterator<Item = NodeId> + 'c {
    let parameters = code.parameters.get().into_iter().flatten();
    parameters
        .filter(|parameter| {
            parameter.name.value().is_some_and(|name| words.contains(name) && !policy.is_harmless(code, name))
        })
        .filter_map(|parameter| Some(parameter.value.get()?.target()?.0))
}

/// The words of a script: its identifiers, and the words in its strings and comments.
fn script_words(script: &str) -> HashSet<&str> {
    script.split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '$')).collect()
}
