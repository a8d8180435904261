//! What everything may use: the maps and sets, all limits in one file, cancellation of long work, measured times, the
//! ways in which an order can end, and strings that live as long as the process.

pub mod cancellation;
pub(crate) mod collections;
pub mod intern;
pub mod limits;
pub mod outcomes;
pub mod timing;
