//! The identities of all findings in a service, with which those after a fix are compared.

use crate::collections::HashMap;
use crate::diagnostic::{Diagnostic, FileId};
use crate::identity::Identity;

/// What is compared with the findings after a fix.
#[derive(Debug, Default)]
pub struct Identities {
    /// The [`Identity::short_hash`] of each finding of all rules, reported or not, sorted: there may be very many, and
    /// those of a large document have long names.
    hashes: Vec<u64>,
    /// By place, those of the findings that have a fix.
    fixable: HashMap<Place, Identity>,
}

/// What the identity of a finding depends on: the file, the JSON Pointer and the code.
type Place = (FileId, String, &'static str);

fn place(diagnostic: &Diagnostic) -> Place {
    (diagnostic.location.file, diagnostic.location.pointer.clone(), diagnostic.code)
}

impl Identities {
    /// `identities` are those of the findings that have a fix.
    pub fn new(mut hashes: Vec<u64>, fixable: &[&Diagnostic], identities: Vec<Identity>) -> Self {
        hashes.sort_unstable();
        Self { hashes, fixable: fixable.iter().map(|diagnostic| place(diagnostic)).zip(identities).collect() }
    }

    /// How many findings have an identity.
    pub fn count(&self, hash: u64) -> usize {
        let start = self.hashes.partition_point(|&known| known < hash);
        self.hashes.partition_point(|&known| known <= hash) - start
    }

    /// The identity of a finding that has a fix.
    pub fn of_fixable(&self, diagnostic: &Diagnostic) -> Option<&Identity> {
        self.fixable.get(&place(diagnostic))
    }
}
