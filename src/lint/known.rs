//! Findings that are not new.

use crate::identity::Counts;
use crate::project::{Service, ServiceFiles};

/// The findings of a service that are known.
#[derive(Debug)]
pub(super) enum Known {
    /// All findings are known: nothing has changed.
    All,
    /// The number of known findings of each identity, with files named as in reports.
    Counted(Counts),
}

/// Tells which findings are known, from an earlier state of the documents.
pub(super) trait History: Sync {
    /// # Errors
    /// An old version of a file that cannot be read.
    fn known(&self, service: &Service, read: &ServiceFiles) -> Result<Known, String>;
}
