//! Candidate runs for `--cover` and `--suggest`.

use std::collections::BTreeSet;

use super::explored::CoverRun;
use super::replay::Replayer;
use super::search::{Explorer, Observation};
use crate::simulate::Covered;

/// The candidates of `--cover`: the runs to the ends, and one run for each activity and branch.
pub fn candidates(
    replayer: &Replayer<'_, '_>,
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
        let (replayed, ()) = replayer.replay(&run, &replayer.takes(*covered), |_, _| Ok(()))?;
        runs.push(explored(&replayer.cover_run(&run, replayed)));
    }
    Ok(runs)
}

/// The candidates of `--suggest`: the cheapest run for each part in `missing` that some run takes.
pub fn covering(
    replayer: &Replayer<'_, '_>,
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
    // Each with its number of unusual choices.
    let mut runs: Vec<(u32, CoverRun)> = Vec::new();
    for ((deviations, _), covered) in found {
        if runs.iter().any(|(known, run)| *known <= deviations && run.reaches.contains(&covered)) {
            continue;
        }
        let Some(run) = explorer.run_with(&Observation::Takes(covered)) else { continue };
        let (replayed, ()) = replayer.replay(&run, &replayer.takes(covered), |_, _| Ok(()))?;
        runs.push((deviations, only_missing(replayer.cover_run(&run, replayed))));
    }
    let mut runs: Vec<CoverRun> = runs.into_iter().map(|(_, run)| run).collect();
    // Some parts are taken only by orders that never end.
    for covered in missing {
        let takes = |run: &&CoverRun| run.reaches.contains(covered);
        if !runs.iter().any(|run| takes(&run)) {
            runs.extend(ends.iter().find(takes).cloned().map(only_missing));
        }
    }
    Ok(runs)
}
