//! Runs from which those are taken that cover a workflow.

use std::collections::BTreeSet;

use super::explored::CoverRun;
use super::search::{Explorer, Observation};
use super::shown::Shower;
use crate::simulate::Covered;

/// Runs to take some from: those of the ends, and for each activity and branch one that takes it.
pub fn candidates(
    shower: &Shower<'_, '_>,
    explorer: &mut Explorer<'_, '_, '_>,
    ends: &[CoverRun],
) -> Result<Vec<CoverRun>, String> {
    let explored = |run: &CoverRun| {
        let reaches = run.reaches.iter().copied().filter(|covered| covered.is_explored()).collect();
        CoverRun { reaches, ..run.clone() }
    };
    let mut runs: Vec<CoverRun> = ends.iter().map(explored).collect();
    let taken: BTreeSet<Covered> = runs.iter().flat_map(|run| run.reaches.iter().copied()).collect();
    let all: Vec<Observation> = explorer.observed.all.keys().cloned().collect();
    for observation in all {
        let Observation::Takes(covered) = &observation else { continue };
        if taken.contains(covered) {
            continue;
        }
        let Some(run) = explorer.run_with(&observation) else { continue };
        let (replayed, ()) = shower.replay(&run, &shower.takes(*covered), |_, _| Ok(()))?;
        runs.push(explored(&shower.cover_run(&run, replayed)));
    }
    Ok(runs)
}

/// The cheapest run for each part that is missing, of all that some run takes; what they reach are such covereds.
pub fn covering(
    shower: &Shower<'_, '_>,
    explorer: &mut Explorer<'_, '_, '_>,
    ends: &[CoverRun],
    missing: &BTreeSet<Covered>,
) -> Result<Vec<CoverRun>, String> {
    let only_missing =
        |run: CoverRun| CoverRun { reaches: run.reaches.intersection(missing).copied().collect(), ..run };
    let found = missing.iter().filter_map(|covered| {
        let (cost, _) = explorer.observed.all.get(&Observation::Takes(*covered))?;
        Some((*cost, *covered))
    });
    let mut found: Vec<_> = found.collect();
    found.sort_unstable();
    // Each with its number of choices that are not the usual ones.
    let mut runs: Vec<(u32, CoverRun)> = Vec::new();
    for ((deviations, _), covered) in found {
        if runs.iter().any(|(known, run)| *known <= deviations && run.reaches.contains(&covered)) {
            continue;
        }
        let Some(run) = explorer.run_with(&Observation::Takes(covered)) else { continue };
        let (replayed, ()) = shower.replay(&run, &shower.takes(covered), |_, _| Ok(()))?;
        runs.push((deviations, only_missing(shower.cover_run(&run, replayed))));
    }
    let mut runs: Vec<CoverRun> = runs.into_iter().map(|(_, run)| run).collect();
    // Orders that wait forever take some that no order takes that ends.
    for covered in missing {
        let takes = |run: &&CoverRun| run.reaches.contains(covered);
        if !runs.iter().any(|run| takes(&run)) {
            runs.extend(ends.iter().find(takes).cloned().map(only_missing));
        }
    }
    Ok(runs)
}
