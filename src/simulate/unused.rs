//! Entries of a scenario that had no effect, most often because of a misspelled address or name.

use super::scenario::{ApprovalRuns, Approvals, Scenario, SigningRuns};
use crate::collections::{HashMap, HashSet};
use crate::simulate::quote;
use crate::text::count;

/// The entries of a scenario that had an effect.
#[derive(Debug, Clone, Default)]
pub struct UsedEntries {
    signing: HashSet<(usize, usize)>,
    faults: HashSet<usize>,
    results: HashSet<(usize, usize)>,
    /// By the pointer of the key of the person, which no two entries share.
    answers: HashSet<String>,
}

impl UsedEntries {
    /// Marks an entry under `signing`, by person and case.
    pub fn signing(&mut self, person: usize, case: usize) {
        self.signing.insert((person, case));
    }

    pub fn fault(&mut self, index: usize) {
        self.faults.insert(index);
    }

    /// Marks a result under `providers`, by method and call.
    pub fn result(&mut self, method: usize, call: usize) {
        self.results.insert((method, call));
    }

    /// Marks an answer under `approvals`, by the pointer of the person.
    pub fn answer(&mut self, pointer: &str) {
        if !self.answers.contains(pointer) {
            self.answers.insert(pointer.to_owned());
        }
    }

    /// A warning for each entry that had no effect; equal ones once, with their number.
    pub fn warnings(&self, scenario: &Scenario) -> Vec<String> {
        let mut warnings = Vec::new();
        for (index, signer) in scenario.signing.iter().enumerate() {
            let all = match &signer.runs {
                SigningRuns::Every(_) => 1,
                SigningRuns::Each(acts) => acts.len(),
            };
            let used = (0..all).filter(|&case| self.signing.contains(&(index, case))).count();
            let who = quote(&signer.mail.value);
            if used == 0 {
                warnings.push(format!("unused entry {who} under `signing`: never asked to sign"));
            } else if used < all {
                let cases = count(used, "case");
                warnings.push(format!("unused entries of {who} under `signing`: asked by {cases}, {all} entries"));
            }
        }
        self.add_approvals(scenario, &mut warnings);
        for (index, fault) in scenario.faults.iter().enumerate() {
            if !self.faults.contains(&index) {
                let method = quote(&fault.method.value);
                warnings.push(match fault.call {
                    Some(call) => {
                        format!("unused entry {method} at call {call} under `faults`: it was not called so often")
                    }
                    None => format!("unused entry {method} under `faults`: never called"),
                });
            }
        }
        for (index, method) in scenario.providers.iter().enumerate() {
            let unused = (0..method.results.len()).filter(|&call| !self.results.contains(&(index, call))).count();
            let name = quote(&method.method.value);
            if unused > 0 {
                let all = method.results.len();
                warnings.push(format!("unused results of {name} under `providers`: {unused} of {all}"));
            }
        }
        counted(warnings)
    }

    fn add_approvals(&self, scenario: &Scenario, warnings: &mut Vec<String>) {
        let mut add = |activity: Option<&str>, answers: &super::scenario::Answers| {
            for person in answers {
                if !self.answers.contains(&person.mail.location.pointer) {
                    let (who, of) = (quote(&person.mail.value), activity.map(quote));
                    let of = of.map_or_else(|| "`approvals`".to_owned(), |of| format!("`approvals` of {of}"));
                    warnings.push(format!("unused entry {who} under {of}: never asked for an approval"));
                }
            }
        };
        match &scenario.approvals {
            Approvals::InOrder(runs) => runs.iter().for_each(|answers| add(None, &answers.value)),
            Approvals::Named(named) => {
                for entry in named {
                    let name = Some(entry.activity.value.as_str());
                    match &entry.runs {
                        ApprovalRuns::Every(answers) => add(name, answers),
                        ApprovalRuns::Each(runs) => runs.iter().for_each(|answers| add(name, &answers.value)),
                    }
                }
            }
        }
    }
}

/// Strings without repetitions, in the order of the first of each.
fn counted(strings: Vec<String>) -> Vec<String> {
    let mut numbers: HashMap<String, usize> = HashMap::default();
    for string in &strings {
        *numbers.entry(string.clone()).or_default() += 1;
    }
    let with_number = |string: String| match numbers.remove(&string)? {
        1 => Some(string),
        number => Some(format!("{string} ({number} times)")),
    };
    strings.into_iter().filter_map(with_number).collect()
}
