//! With what the findings after a fix are compared: the identities of what was found before it.

use std::sync::Arc;

use crate::common::collections::HashMap;
use crate::lint::identity::{Counts, Identifier, Identity};
use crate::project::{File, Project, Service, ServiceFiles};
use crate::text::diagnostic::{Diagnostic, FileId};

/// The identities of all findings in a service.
#[derive(Debug, Clone, Default)]
pub struct Identities {
    /// The [`Identity::short_hash`] of each finding of all rules, reported or not, sorted: there may be very many, and
    /// those of a large document have long names.
    hashes: Vec<u64>,
    /// Those of the findings whose fixes may be tried.
    fixable: HashMap<Parts, Identity>,
}

/// What the identity of a finding depends on: the file, the JSON Pointer and the code.
type Parts = (FileId, String, &'static str);

fn parts(diagnostic: &Diagnostic) -> Parts {
    (diagnostic.location.file, diagnostic.location.pointer.clone(), diagnostic.code)
}

impl Identities {
    /// `identities` are those of `fixable`.
    pub fn new(mut hashes: Vec<u64>, fixable: &[&Diagnostic], identities: Vec<Identity>) -> Self {
        hashes.sort_unstable();
        Self { hashes, fixable: fixable.iter().map(|diagnostic| parts(diagnostic)).zip(identities).collect() }
    }

    /// How many findings have an identity with this hash.
    pub fn count(&self, hash: u64) -> usize {
        let start = self.hashes.partition_point(|&known| known < hash);
        self.hashes.partition_point(|&known| known <= hash) - start
    }

    /// The identity of a finding whose fix may be tried.
    pub fn of_fixable(&self, diagnostic: &Diagnostic) -> Option<&Identity> {
        self.fixable.get(&parts(diagnostic))
    }
}

/// With what the findings after a fix are compared; `None` if there are some, but none has a fix.
pub(super) fn before_fixes(found: &[Box<Diagnostic>], files: &[&File], project: &Project) -> Option<Identities> {
    let listed = found.iter().map(Box::as_ref);
    let fixable: Vec<&Diagnostic> = listed.filter(|diagnostic| diagnostic.repairs().next().is_some()).collect();
    if fixable.is_empty() && !found.is_empty() {
        return None;
    }
    let mut hashes = Vec::with_capacity(found.len());
    let identities = identify(found, files, project, &fixable, |identity, _| hashes.push(identity.short_hash()));
    Some(Identities::new(hashes, &fixable, identities))
}

/// Calls a function with each finding and its identity, and returns those of the `wanted` ones. Files are named as in
/// reports.
pub(super) fn identify(
    found: &[Box<Diagnostic>],
    files: &[&File],
    project: &Project,
    wanted: &[&Diagnostic],
    mut each: impl FnMut(Identity, &Diagnostic),
) -> Vec<Identity> {
    let mut identifier = Identifier::new(files);
    let mut identify = |diagnostic: &Diagnostic| {
        let name = project.name_and_path(diagnostic.location.file).map_or("", |(name, _)| name);
        identifier.identify(diagnostic, Arc::from(name))
    };
    for diagnostic in found {
        each(identify(diagnostic), diagnostic);
    }
    wanted.iter().map(|diagnostic| identify(diagnostic)).collect()
}

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
    fn known(&self, service: &Service, read: &ServiceFiles) -> Result<Known, String>;
}
