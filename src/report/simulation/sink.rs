//! The interface of reports of scenarios.

use std::io;

use crate::mutants::Mutants;
use crate::simulate::ScenarioSink;

/// A report of scenarios, and of the changes that they notice.
pub trait SimulationSink: ScenarioSink {
    /// Called before the end, if workflows were to be changed; `None` if a scenario failed.
    ///
    /// # Errors
    /// When nothing more can be written.
    fn mutants(&mut self, mutants: Option<&Mutants>) -> io::Result<()>;
}
