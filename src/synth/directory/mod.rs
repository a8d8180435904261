//! Makes up the directory entries that the lookups of a run need.

mod scenario_directory;

pub use scenario_directory::{SUFFIX, ScenarioDirectory, escaped};
