//! The identities of what was found in a service.

use std::sync::Arc;

use super::check::Found;
use super::counted::document;
use super::identities::Identities;
use crate::diagnostic::Diagnostic;
use crate::identity::{Identifier, Identity};
use crate::project::{File, Project};
use crate::rules::{ElementNames, RuleFindings};

/// Maximum number of findings whose identities are kept. A service with more is linted once more when a fix is tried.
const MAX_KEPT: usize = 10_000;

/// With what the findings after a fix are compared; `None` if there are some, but none has a fix, or if there are more than
/// [`MAX_KEPT`].
pub(super) fn before_fixes(found: &Found, files: &[&File], project: &Project) -> Option<Identities> {
    let listed = found.diagnostics.iter().map(Box::as_ref);
    let fixable: Vec<&Diagnostic> = listed.filter(|diagnostic| diagnostic.fix.is_some()).collect();
    if fixable.is_empty() && found.len() > 0 || found.len() > MAX_KEPT {
        return None;
    }
    let mut hashes = Vec::with_capacity(found.len());
    let identities = identify(found, files, project, &fixable, |identity| hashes.push(identity.short_hash()));
    Some(Identities::new(hashes, &fixable, identities))
}

/// Calls a function with the identity of each finding, and returns those of the `wanted` ones. Files are named as in
/// reports.
pub(super) fn identify(
    found: &Found,
    files: &[&File],
    project: &Project,
    wanted: &[&Diagnostic],
    mut each: impl FnMut(Identity),
) -> Vec<Identity> {
    let mut identifier = Identifier::new(files);
    let mut identify = |diagnostic: &Diagnostic| {
        let name = project.name_and_path(diagnostic.location.file).map_or("", |(name, _)| name);
        identifier.identify(diagnostic, Arc::from(name))
    };
    for diagnostic in &found.diagnostics {
        each(identify(diagnostic));
    }
    let mut names = ElementNames::default();
    for RuleFindings { stamp, findings } in &found.counted.rules {
        for finding in findings {
            each(identify(&finding.to_diagnostic(stamp, document(files, finding.file), &mut names)));
        }
    }
    wanted.iter().map(|diagnostic| identify(diagnostic)).collect()
}
