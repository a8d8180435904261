//! The ends that a report shows, and the runs that show what lint claims of loops (WF404).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::Value;

use super::ends::End;
use super::explored::{CoverRun, ShownClaim};
use super::replay::Replayer;
use super::search::{Claim, FoundEnd};
use crate::facts::Context;
use crate::graph::Analysis;
use crate::redaction::Mask;
use crate::simulate::Plan;

/// The values that masked variables had.
type Masked = Vec<(Mask, Arc<str>)>;

/// The ends for reports.
pub struct ShownEnds<'f> {
    /// Without duplicates, with what their runs reach.
    pub runs: Vec<CoverRun>,
    /// Their indices.
    pub indices: BTreeMap<&'f End, usize>,
    pub masked: Masked,
}

/// The ends for reports, without duplicates, with what their runs reach.
pub fn shown_ends<'f>(replayer: &Replayer<'_, '_>, found: &'f [FoundEnd<'_, '_>]) -> Result<ShownEnds<'f>, String> {
    let (mut ends, mut masked) = (Vec::new(), Vec::new());
    let mut known = BTreeSet::new();
    for found in found {
        // The first is the cheapest.
        if !known.insert(&found.end) {
            continue;
        }
        let (end, replayed) = replayer.end(found)?;
        masked.extend(replayed.masked);
        ends.push((&found.end, CoverRun { end, reaches: replayed.reaches }));
    }
    ends.sort_by_key(|(end, _)| end.ending);
    let indices = ends.iter().enumerate().map(|(index, (end, _))| (*end, index)).collect();
    Ok(ShownEnds { runs: ends.into_iter().map(|(_, run)| run).collect(), indices, masked })
}

/// The claims about the loops of a workflow.
pub fn claims(context: &Context<'_>, analysis: &Analysis<'_>, plan: &Plan<'_>) -> Vec<Claim> {
    let loops = context.loops().filter(|while_loop| while_loop.analysis.file == analysis.file);
    let claims = loops.flat_map(|while_loop| {
        let claim = |statuses: Vec<_>| {
            let values = statuses.into_iter().filter_map(|(variable, status)| {
                Some((plan.names.slot(analysis.names.name(variable))?, String::from(status)))
            });
            Claim { activity: while_loop.activity.id, values: values.collect() }
        };
        while_loop.endless_statuses().into_iter().map(claim).collect::<Vec<_>>()
    });
    claims.collect()
}

/// The cheapest run for each claim that a cycle shows.
///
/// # Errors
/// A run does not end the same when it is replayed.
pub fn shown_claims(
    claims: &[Claim],
    found: &[FoundEnd<'_, '_>],
    replayer: &Replayer<'_, '_>,
) -> Result<Vec<ShownClaim>, String> {
    let mut shown = Vec::new();
    for (index, claim) in claims.iter().enumerate() {
        let shows = |end: &&FoundEnd<'_, '_>| end.end.ending.is_cycle() && end.judged.claims.contains(&index);
        let (Some(end), Some(activity)) = (found.iter().find(shows), replayer.place(claim.activity)) else { continue };
        let scenario: Value = replayer.end(end)?.0.scenario;
        shown.push(ShownClaim { activity, scenario });
    }
    Ok(shown)
}
