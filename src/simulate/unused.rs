//! Entries of a scenario that had no effect, most often because of a misspelled address or name.

use super::scenario::{ApprovalRuns, Approvals, Scenario};
use crate::collections::HashSet;
use crate::simulate::quote;

/// The entries of a scenario that had an effect.
#[derive(Debug, Default)]
pub struct UsedEntries {
    signing: HashSet<usize>,
    faults: HashSet<usize>,
    results: HashSet<(usize, usize)>,
    /// By the pointer of the key of the person, which no two entries share.
    answers: HashSet<String>,
}

impl UsedEntries {
    pub fn signing(&mut self, index: usize) {
        self.signing.insert(index);
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

    /// One warning for each entry that had no effect.
    pub fn warnings(&self, scenario: &Scenario) -> Vec<String> {
        let mut warnings = Vec::new();
        for (index, person) in scenario.signing.iter().enumerate() {
            if !self.signing.contains(&index) {
                let who = quote(&person.mail.value);
                warnings.push(format!("unused entry {who} under `signing`: never asked to sign"));
            }
        }
        self.add_approvals(scenario, &mut warnings);
        for (index, fault) in scenario.faults.iter().enumerate() {
            if !self.faults.contains(&index) {
                let method = quote(&fault.method.value);
                warnings.push(match fault.call {
                    Some(call) => format!("unused fault of {method} at call {call}"),
                    None => format!("unused fault of {method}"),
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
        warnings
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
