//! Selects few runs that together reach everything that any run reaches.

use std::collections::BTreeSet;

/// The indices of the runs to keep, in order: repeatedly the run that adds the most (the greedy algorithm for set
/// cover), then without runs that later ones made superfluous.
pub fn cover<T: Ord + Copy>(runs: &[&BTreeSet<T>]) -> Vec<usize> {
    let mut open: BTreeSet<T> = runs.iter().flat_map(|reaches| reaches.iter().copied()).collect();
    let mut kept = Vec::new();
    while !open.is_empty() {
        let added = runs.iter().map(|reaches| reaches.intersection(&open).count());
        // `max_by_key` returns the last of several maxima; reversed, the first one.
        let Some((best, _)) = added.enumerate().rev().max_by_key(|(_, added)| *added) else { break };
        let Some(reaches) = runs.get(best) else { break };
        open.retain(|one| !reaches.contains(one));
        kept.push(best);
    }
    without_superfluous(runs, kept)
}

fn without_superfluous<T: Ord + Copy>(runs: &[&BTreeSet<T>], mut kept: Vec<usize>) -> Vec<usize> {
    kept.sort_unstable();
    // Costly runs come last.
    for index in kept.clone().into_iter().rev() {
        let others: BTreeSet<T> = kept
            .iter()
            .filter(|other| **other != index)
            .filter_map(|other| runs.get(*other))
            .copied()
            .flatten()
            .copied()
            .collect();
        if runs.get(index).is_some_and(|reaches| reaches.is_subset(&others)) {
            kept.retain(|other| *other != index);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covering(runs: &[&[u32]]) -> Vec<usize> {
        let sets: Vec<BTreeSet<u32>> = runs.iter().map(|run| run.iter().copied().collect()).collect();
        cover(&sets.iter().collect::<Vec<_>>())
    }

    #[test]
    fn few_runs_reach_everything() {
        assert_eq!(covering(&[]), Vec::<usize>::new());
        assert_eq!(covering(&[&[], &[]]), Vec::<usize>::new());
        assert_eq!(covering(&[&[1, 2], &[1, 2, 3], &[4]]), [1, 2]);
        assert_eq!(covering(&[&[1, 2], &[1, 2]]), [0]);
    }

    #[test]
    fn superfluous_run_is_dropped() {
        // The second adds the most, and then both others are needed.
        assert_eq!(covering(&[&[1, 2, 3], &[2, 3, 4, 5], &[4, 5, 6]]), [0, 2]);
    }
}
