//! With what the findings after a fix are compared: the identities of what was found before it.

use crate::collections::HashMap;
use crate::diagnostic::{Diagnostic, FileId};
use crate::identity::Identity;

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
