//! What a lint of a service leaves for the next one.

use super::focus::KnownFindings;
use super::known_versions::KnownVersions;
use crate::graph::KnownPaths;

/// What is known of the last versions of one service, while its configuration stays the same.
#[derive(Debug, Default)]
pub struct KnownService {
    /// Workflows that are not explored again where their programs are the same.
    pub paths: KnownPaths,
    /// Where rules found nothing, so that they are not checked again.
    pub findings: KnownFindings,
    /// What was found in the last versions, for the trial of fixes.
    pub versions: KnownVersions,
}
