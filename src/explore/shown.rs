//! The ends that a report shows.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::explored::CoverRun;
use super::replay::Replayer;
use super::search::FoundEnd;
use crate::redaction::Mask;

/// The values that masked variables had.
pub type Masked = Vec<(Mask, Arc<str>)>;

/// The ends for reports, without duplicates, with what their runs reach.
pub fn shown_ends(replayer: &Replayer<'_, '_>, found: &[FoundEnd<'_, '_>]) -> Result<(Vec<CoverRun>, Masked), String> {
    let (mut ends, mut masked) = (Vec::new(), Vec::new());
    let mut known = BTreeSet::new();
    for end in found {
        // The first is the cheapest.
        if !known.insert(&end.end) {
            continue;
        }
        let (end, replayed) = replayer.end(end)?;
        masked.extend(replayed.masked);
        ends.push(CoverRun { end, reaches: replayed.reaches });
    }
    ends.sort_by_key(|run| run.end.ending);
    Ok((ends, masked))
}
