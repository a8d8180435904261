//! The activities that make a variable's value of others'.

use super::{Followed, Given, usually_given};
use crate::collections::{HashMap, HashSet};
use crate::graph::Analysis;
use crate::graph::effects::{Effects, VarId};
use crate::model::{Activity, ActivityId, Code, Kind};

/// By activity that makes a value: which of its reads go into it.
pub struct Carriers {
    inputs: HashMap<ActivityId, Vec<usize>>,
}

impl Carriers {
    pub fn new(analysis: &Analysis<'_>, followed: &dyn Followed) -> Self {
        let activities = analysis.workflow.activities.iter().zip(&analysis.effects);
        let inputs = activities.filter_map(|(activity, effects)| {
            let inputs = inputs(activity, effects, followed)?;
            Some((activity.id, inputs))
        });
        Self { inputs: inputs.collect() }
    }

    /// The reads of an activity that go into what it writes.
    pub fn inputs(&self, activity: ActivityId) -> &[usize] {
        self.inputs.get(&activity).map_or(&[], Vec::as_slice)
    }

    /// A bit for each of these variables and those whose value can go into theirs.
    pub fn leading_to(&self, analysis: &Analysis<'_>, sinks: impl IntoIterator<Item = VarId>) -> HashMap<VarId, usize> {
        let mut made_by: HashMap<VarId, Vec<ActivityId>> = HashMap::default();
        for (activity, effects) in analysis.workflow.activities.iter().zip(&analysis.effects) {
            if self.inputs.contains_key(&activity.id) {
                for write in effects.writes.iter().filter(|write| usually_given(write) == Given::Inputs) {
                    made_by.entry(write.variable).or_default().push(activity.id);
                }
            }
        }
        let mut bits = HashMap::default();
        let mut open: Vec<VarId> = sinks.into_iter().collect();
        while let Some(variable) = open.pop() {
            let next = bits.len();
            if *bits.entry(variable).or_insert(next) != next {
                continue;
            }
            for &id in made_by.get(&variable).into_iter().flatten() {
                let Some(effects) = analysis.effects.get(id.0 as usize) else { continue };
                open.extend(self.inputs(id).iter().filter_map(|&read| Some(effects.reads.get(read)?.variable)));
            }
        }
        bits
    }
}

fn inputs(activity: &Activity<'_>, effects: &Effects<'_>, followed: &dyn Followed) -> Option<Vec<usize>> {
    let reads = effects.reads.iter().enumerate().filter(|(_, read)| !read.guessed);
    match &activity.kind {
        Kind::Assign(_) => Some(reads.filter(|(_, read)| read.part.is_some()).map(|(index, _)| index).collect()),
        Kind::Code(code) => {
            let script = code.script.value()?;
            let words = script_words(script);
            if followed.is_cleaned_by(&words) {
                return None;
            }
            let named: HashSet<_> = named_targets(code, &words).collect();
            Some(reads.filter(|(_, read)| named.contains(&read.node)).map(|(index, _)| index).collect())
        }
        _ => None,
    }
}

/// The bindings' variable names of those parameters that the script names.
fn named_targets<'c>(
    code: &'c Code<'_>,
    words: &'c HashSet<&str>,
) -> impl Iterator<Item = crate::document::NodeId> + 'c {
    let parameters = code.parameters.get().into_iter().flatten();
    parameters
        .filter(|parameter| parameter.name.value().is_some_and(|name| words.contains(name)))
        .filter_map(|parameter| Some(parameter.value.get()?.target()?.0))
}

/// The words of a script: its names, and those in its texts and comments.
fn script_words(script: &str) -> HashSet<&str> {
    script.split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '$')).collect()
}
