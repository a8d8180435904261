//! What Status activities publish and how Approvals are decided, and which ends can follow.

use std::collections::BTreeSet;

use super::graph::Embedder;
use crate::common::collections::IndexMap;
use crate::explore::explored::{ApprovalDecision, PublishedStatus, PublishedText};
use crate::simulate::status_value;

impl Embedder<'_, '_, '_, '_> {
    /// The Status activities that some run publishes, in the order of the text.
    pub fn published(&self) -> Vec<PublishedStatus> {
        let following = self.explorer.following();
        let published = self.recorder.published.iter().map(|(activity, published)| {
            // Texts may differ only in what is masked.
            let mut texts: IndexMap<String, BTreeSet<usize>> = IndexMap::default();
            for it in published.texts.values() {
                let text = status_value(&self.masker.apply(&it.text));
                texts.entry(text).or_default().extend(self.ends_after(&it.next, &following));
            }
            let mut ends = self.ends_after(&published.after_others, &following);
            ends.extend(texts.values().flatten());
            PublishedStatus {
                activity: *activity,
                texts: texts.into_iter().map(|(text, ends)| PublishedText { text, ends }).collect(),
                has_more: !published.after_others.is_empty(),
                ends,
            }
        });
        published.collect()
    }

    /// The decisions that some run makes, in the order of the text.
    pub fn decisions(&self) -> Vec<ApprovalDecision> {
        let following = self.explorer.following();
        let decided = self.recorder.decided.iter().map(|((activity, decision), next)| ApprovalDecision {
            activity: *activity,
            decision: *decision,
            ends: self.ends_after(next, &following),
        });
        decided.collect()
    }

    /// The ends that can be reached from nodes.
    fn ends_after(&self, nodes: &BTreeSet<usize>, following: &[Vec<usize>]) -> BTreeSet<usize> {
        let mut seen = vec![false; following.len()];
        let mut open: Vec<usize> = nodes.iter().copied().collect();
        let mut ends = BTreeSet::new();
        while let Some(node) = open.pop() {
            let Some(is_seen) = seen.get_mut(node).filter(|is_seen| !**is_seen) else { continue };
            *is_seen = true;
            ends.extend(self.explorer.end_at(node).and_then(|end| self.ends.get(end).copied()));
            open.extend(following.get(node).into_iter().flatten());
        }
        let is_seen = |node: &usize| seen.get(*node).copied().unwrap_or_default();
        let stays = self.recorder.sets.all.iter().filter(|set| set.members.iter().any(is_seen));
        ends.extend(stays.filter_map(|set| self.ends.get(&set.end).copied()));
        ends
    }
}
