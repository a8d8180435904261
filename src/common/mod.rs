//! What everything may use: the maps and sets, all limits in one file, cancellation of long work, measured times, and the
//! ways in which an order can end.

pub mod cancellation;
pub(crate) mod collections;
pub mod limits;
pub mod outcomes;
pub mod timing;
