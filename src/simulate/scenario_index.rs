//! The entries of a scenario by what runs look for: there may be thousands, and each call and each party looks for one.

use super::scenario::{Approvals, Scenario};
use crate::collections::HashMap;

#[derive(Debug, Default)]
pub struct ScenarioIndex<'p> {
    /// By method and number of the call, the first fault.
    faults: HashMap<(&'p str, Option<u64>), usize>,
    /// By mail address in lower case, in the order of the file.
    signers: HashMap<String, Vec<usize>>,
    /// By name, the first entry under `approvals`.
    approvals: HashMap<&'p str, usize>,
    /// By method, the first entry under `providers`.
    results: HashMap<&'p str, usize>,
}

impl<'p> ScenarioIndex<'p> {
    pub fn new(scenario: &'p Scenario) -> Self {
        let mut found = Self::default();
        for (index, fault) in scenario.faults.iter().enumerate() {
            found.faults.entry((fault.method.value.as_str(), fault.call)).or_insert(index);
        }
        for (index, signer) in scenario.signing.iter().enumerate() {
            found.signers.entry(signer.mail.value.trim().to_ascii_lowercase()).or_default().push(index);
        }
        if let Approvals::Named(named) = &scenario.approvals {
            for (index, entry) in named.iter().enumerate() {
                found.approvals.entry(&entry.activity.value).or_insert(index);
            }
        }
        for (index, entry) in scenario.providers.iter().enumerate() {
            found.results.entry(&entry.method.value).or_insert(index);
        }
        found
    }

    /// Index of the entry under `approvals` of an Approval.
    pub fn approval(&self, name: &str) -> Option<usize> {
        self.approvals.get(name).copied()
    }

    /// Index of the entry under `providers` of a method.
    pub fn results(&self, method: &str) -> Option<usize> {
        self.results.get(method).copied()
    }

    /// Index of the fault that makes a call of a method fail; `call` counts from 1. A fault with the
    /// number of the call comes before one without a number.
    pub fn fault_of(&self, method: &str, call: u64) -> Option<usize> {
        let find = |number: Option<u64>| self.faults.get(&(method, number)).copied();
        find(Some(call)).or_else(|| find(None))
    }

    /// The indices of the entries under `signing` of a person.
    pub fn signers(&self, mail: &str) -> &[usize] {
        if self.signers.is_empty() {
            return &[];
        }
        self.signers.get(&mail.to_ascii_lowercase()).map_or(&[], Vec::as_slice)
    }
}
