//! The decisions of the paths that an exploration follows, in memory that is bounded by the paths that are still open.

use fixedbitset::FixedBitSet;

use crate::model::ActivityId;

/// With so few decisions, none are forgotten.
const MIN_FORGET: usize = 4096;

/// A decision on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    pub(super) previous: Option<u32>,
    /// The While, If, Approval or Provider.
    pub activity: ActivityId,
    /// Whether its condition was true, it was approved, or the call succeeded.
    pub outcome: bool,
}

/// Decisions of many paths. Paths with a common beginning share it: each decision points to the one before it.
#[derive(Debug, Default)]
pub struct Trail {
    decisions: Vec<Decision>,
    /// How many decisions were left when some were forgotten.
    kept: usize,
}

impl Trail {
    /// Adds a decision, and returns its index.
    pub fn push(&mut self, decision: Decision) -> Option<u32> {
        self.decisions.push(decision);
        u32::try_from(self.decisions.len() - 1).ok()
    }

    /// The decisions of a path, the last one first.
    pub fn path(&self, last: Option<u32>) -> impl Iterator<Item = &Decision> {
        let mut next = last;
        std::iter::from_fn(move || {
            let decision = self.decisions.get(next? as usize)?;
            next = decision.previous;
            Some(decision)
        })
    }

    /// Whether there are twice as many decisions as were left the last time, so that forgetting takes linear time in all.
    pub const fn is_long(&self) -> bool {
        self.decisions.len() >= MIN_FORGET && self.decisions.len() / 2 >= self.kept
    }

    /// Forgets the decisions that are on no path with one of these ends, and changes the ends to the new indices.
    pub fn forget_others(&mut self, ends: Vec<&mut Option<u32>>) {
        let mut kept = FixedBitSet::with_capacity(self.decisions.len());
        for end in ends.iter().filter_map(|end| **end) {
            kept.grow_and_insert(end as usize);
        }
        // Each is after those of the path to it.
        for (index, decision) in self.decisions.iter().enumerate().rev() {
            if let Some(previous) = decision.previous.filter(|_| kept.contains(index)) {
                kept.grow_and_insert(previous as usize);
            }
        }
        // By the old index.
        let mut numbers: Vec<u32> = Vec::with_capacity(self.decisions.len());
        let (mut index, mut number) = (0, 0);
        self.decisions.retain(|_| {
            let is_kept = kept.contains(index);
            numbers.push(number);
            index += 1;
            number += u32::from(is_kept);
            is_kept
        });
        let renumbered = |index: Option<u32>| numbers.get(index? as usize).copied();
        self.decisions.shrink_to_fit();
        for decision in &mut self.decisions {
            decision.previous = renumbered(decision.previous);
        }
        for end in ends {
            *end = renumbered(*end);
        }
        self.kept = self.decisions.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_decisions_of_open_paths_are_kept() {
        let mut trail = Trail::default();
        let mut add = |previous, number| trail.push(Decision { previous, activity: ActivityId(number), outcome: true });
        let first = add(None, 0);
        let left = add(first, 1);
        add(left, 2);
        let mut right = add(first, 3);
        let mut last = add(right, 4);
        let mut none = None;
        trail.forget_others(vec![&mut last, &mut right, &mut none]);
        let path = |end| trail.path(end).map(|decision| decision.activity.0).collect::<Vec<_>>();
        assert_eq!((path(last), path(right), path(none)), (vec![4, 3, 0], vec![3, 0], vec![]));
        assert_eq!(trail.decisions.len(), 3);
    }
}
