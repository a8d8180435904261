//! The variables that the activities of a workflow use, or may use: what `ownBoundVariables` can contain.

use std::ops::Range;

use crate::common::collections::{HashMap, PrefixMap};
use crate::document::NodeId;
use crate::graph::{Analysis, FormUsers, VarId};
use crate::model::{Activity, ActivityId, ActivityKind, Binding};
use crate::text::source::Span;

/// The uses in a workflow.
pub struct UsedVariables<'c> {
    analysis: &'c Analysis<'c>,
    /// By name, of those that some `ownBoundVariables` lists, in the order of the activities: variables, and words of
    /// strings and scripts that may be variables.
    names: HashMap<&'c str, Vec<Use>>,
    /// By prefix of unknown outputs, the activities that may write them.
    written_prefixes: PrefixMap<Vec<ActivityId>>,
    /// The activities that may use any variable.
    opaque: Vec<ActivityId>,
    forms: FormUsers<'c, 'c>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Use {
    activity: ActivityId,
    /// The value that, once cleared, no longer uses the variable.
    node: Option<NodeId>,
}

impl<'c> UsedVariables<'c> {
    pub fn of(analysis: &'c Analysis<'c>) -> Self {
        let activities = &analysis.workflow.activities;
        let lists = activities.iter().filter_map(|activity| activity.own_bound_variables.get());
        let listed = lists.flat_map(|list| list.iter()).filter_map(|(_, name)| name);
        let mut used = Self {
            analysis,
            names: listed.map(|name| (name, Vec::new())).collect(),
            written_prefixes: PrefixMap::default(),
            opaque: Vec::new(),
            forms: FormUsers::of(&analysis.effects),
        };
        for (activity, effects) in activities.iter().zip(&analysis.effects) {
            if effects.may_read {
                used.opaque.push(activity.id);
                continue;
            }
            let reads = effects.reads.iter().map(|read| (read.variable, read.node));
            let writes = effects.writes.own().iter().map(|write| (write.variable, write.node));
            for (variable, node) in reads.chain(writes) {
                used.add(activity, analysis.names.name(variable), Some(node));
            }
            if let Some(prefix) = effects.may_write {
                used.written_prefixes.of(prefix).push(activity.id);
            }
            used.add_possible_names(activity);
        }
        used
    }

    /// Whether an activity or its descendants use a variable that it lists, or may use it, once these values are cleared:
    /// names, or objects or arrays around names, such as whole activities. It is not documented whether a container lists the variables of its
    /// children.
    pub fn uses(&self, activity: &Activity<'_>, name: &str, cleared: &[NodeId]) -> bool {
        let analysis = self.analysis;
        let range = activity.id..activity.end;
        let cleared: Vec<Span> = cleared.iter().map(|&node| analysis.document.span(node)).collect();
        let is_left = |found: &&Use| {
            // What no value of its own has is cleared with its activity.
            let node = found.node.or_else(|| analysis.workflow.activity(found.activity).map(|activity| activity.node));
            let span = node.map(|node| analysis.document.span(node));
            let is_in = |around: &Span| span.is_some_and(|span| around.start <= span.start && span.end <= around.end);
            !cleared.iter().any(is_in)
        };
        let uses = self.names.get(name).map_or(&[][..], |uses| inside(uses, |found| found.activity, &range));
        uses.iter().any(|found| is_left(&found))
            || analysis.names.id(name).is_some_and(|variable| self.is_shown(&range, variable))
            || self.may_use(&range, name)
    }

    /// Whether the form of an Approval shows a variable.
    fn is_shown(&self, range: &Range<ActivityId>, variable: VarId) -> bool {
        self.forms.showing(variable).any(|approvals| !inside(approvals, |&id| id, range).is_empty())
    }

    fn may_use(&self, range: &Range<ActivityId>, name: &str) -> bool {
        let has_some = |activities: &[ActivityId]| !inside(activities, |&id| id, range).is_empty();
        has_some(&self.opaque) || self.written_prefixes.prefixes(name).any(|(_, ids)| has_some(ids))
    }

    fn add(&mut self, activity: &Activity<'_>, name: &str, node: Option<NodeId>) {
        let Some(uses) = self.names.get_mut(name) else { return };
        let found = Use { activity: activity.id, node };
        if uses.last() != Some(&found) {
            uses.push(found);
        }
    }

    /// Names that are not among the effects: stale targets, and words of strings and scripts that may be names.
    fn add_possible_names(&mut self, activity: &'c Activity<'_>) {
        let mut add_target = |binding: &Binding<'c>| {
            if let Some((node, name)) = binding.bound_to.known() {
                self.add(activity, name, Some(node));
            }
        };
        let copies = activity.provider().and_then(|provider| provider.all.get()).into_iter().flatten();
        copies.filter_map(|copy| copy.value.get()).for_each(&mut add_target);
        activity.bindings(|binding, _| add_target(binding));
        activity.bindings(|binding, _| {
            self.add_placeholders(activity, binding.literal_text().map(|(_, text)| text));
        });
        match &activity.kind {
            ActivityKind::Status { translations, .. } => {
                let texts = translations.get().into_iter().flatten().filter_map(|entry| entry.text);
                texts.for_each(|text| self.add_placeholders(activity, Some(text)));
            }
            ActivityKind::Code(code) => {
                let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '$');
                let script = code.script.value().unwrap_or_default();
                script.split(|letter| !is_part(letter)).for_each(|word| self.add(activity, word, None));
            }
            _ => {}
        }
    }

    /// It is not documented whether strings outside an Assign can have placeholders, so they may.
    fn add_placeholders(&mut self, activity: &Activity<'_>, text: Option<&'c str>) {
        let found = self.analysis.scope.placeholders(text.unwrap_or_default());
        found.for_each(|placeholder| self.add(activity, placeholder.name, None));
    }
}

/// Whether the bindings of an activity itself use a variable: quicker to see than by the index of all uses, which is not
/// needed if all lists are like that. False if another one than the first few of very many does.
pub fn uses_itself(analysis: &Analysis<'_>, activity: &Activity<'_>, name: &str) -> bool {
    const FEW: usize = 32;
    let Some((effects, variable)) = analysis.effects(activity.id).zip(analysis.names.id(name)) else { return false };
    let reads = effects.reads.iter().take(FEW).map(|read| read.variable);
    let mut used = reads.chain(effects.writes.own().iter().take(FEW).map(|write| write.variable));
    used.any(|used| used == variable)
}

/// The part of a list, sorted by activity, that is about a range of activities.
fn inside<'l, T>(list: &'l [T], activity: impl Fn(&T) -> ActivityId, range: &Range<ActivityId>) -> &'l [T] {
    let start = list.partition_point(|entry| activity(entry) < range.start);
    let end = list.partition_point(|entry| activity(entry) < range.end);
    list.get(start..end).unwrap_or_default()
}
