//! `WF3`: outputs and data flow.

pub mod assigned_variables_disagree;
pub mod dead_assignment;
pub mod literal_placeholder;
pub mod maybe_unassigned;
pub mod never_written;
pub mod not_assignable;
pub mod output_overwritten;
pub mod property_not_requested;
pub mod self_assignment;
pub mod undeclared_output;
pub mod unknown_placeholder;
pub mod unprefixed_collision;

use crate::document::NodeId;
use crate::graph::Read;

/// The reads that a finding at the first one shows as related places.
pub(super) fn other_reads<'r>(reads: &[&'r Read], first: NodeId) -> impl Iterator<Item = &'r Read> {
    const MAX_SHOWN: usize = 10;
    reads.iter().copied().skip(1).filter(move |read| read.node != first).take(MAX_SHOWN).collect::<Vec<_>>().into_iter()
}
