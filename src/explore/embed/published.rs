//! What Status activities publish, and which ends can follow.

use std::collections::BTreeSet;

use super::graph::Embedder;
use crate::explore::explored::PublishedStatus;
use crate::simulate::status_value;

impl Embedder<'_, '_, '_, '_> {
    /// The Status activities that some run publishes, in the order of the text.
    pub fn published(&self) -> Vec<PublishedStatus> {
        let following = self.explorer.following();
        let published = self.recorder.published.iter().map(|(activity, published)| {
            let mut seen = BTreeSet::new();
            let mut open: Vec<usize> = published.next.iter().copied().collect();
            let mut ends = BTreeSet::new();
            while let Some(node) = open.pop() {
                if !seen.insert(node) {
                    continue;
                }
                ends.extend(self.explorer.end_at(node).and_then(|end| self.ends.get(end).copied()));
                open.extend(following.get(node).into_iter().flatten());
            }
            let stays = self.recorder.sets.all.iter().filter(|set| set.members.iter().any(|node| seen.contains(node)));
            ends.extend(stays.filter_map(|set| self.ends.get(&set.end).copied()));
            let mut texts: Vec<String> = Vec::new();
            for text in published.texts.iter().map(|text| status_value(&self.masker.apply(text))) {
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
            PublishedStatus { activity: *activity, texts, ends: ends.into_iter().collect() }
        });
        published.collect()
    }
}
