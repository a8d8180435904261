//! Everything that runs only read.

use std::sync::Arc;

use super::load::LoadedScenario;
use super::program::Program;
use super::scenario::{Answers, ApprovalRuns, Approvals, Scenario, SigningAct, SigningRuns};
use super::secrets::secrets_of;
use super::strings::quote;
use super::variables::VariableTable;
use crate::common::collections::{HashMap, HashSet};
use crate::config::Config;
use crate::document::{Document, NodeId};
use crate::ldap::Directory;
use crate::model::{Activity, ActivityId, Form, Workflow};
use crate::redaction::{Mask, Redactions};
use crate::text::count;
use crate::text::diagnostic::{FileId, Location};

/// A scenario with the documents that it names.
pub struct Plan<'p> {
    pub scenario: &'p Scenario,
    pub index: ScenarioIndex<'p>,
    pub scenario_file: FileId,
    /// The workflow's.
    pub file: FileId,
    /// The workflow's.
    pub document: &'p Document,
    pub workflow: &'p Workflow<'p>,
    pub form: Option<FormPlan<'p>>,
    pub config: &'p Config,
    pub names: Arc<VariableTable>,
    pub program: Arc<Program<'p>>,
    /// The hard-coded secrets of the documents and the scenario, which no text of a run shows.
    pub secrets: Arc<Redactions>,
    pub directory: &'p Directory,
}

/// The documents that a scenario names.
#[derive(Clone, Copy)]
pub struct Documents<'p> {
    /// The workflow's.
    pub file: FileId,
    /// The workflow's.
    pub document: &'p Document,
    pub workflow: &'p Workflow<'p>,
    pub form: Option<FormPlan<'p>>,
    pub config: &'p Config,
    pub directory: &'p Directory,
}

#[derive(Debug, Clone, Copy)]
pub struct FormPlan<'p> {
    pub file: FileId,
    pub document: &'p Document,
    pub form: &'p Form<'p>,
}

/// The data that all runs of a workflow with a form share, whatever their scenarios.
#[derive(Clone)]
pub struct Prepared<'p> {
    pub names: Arc<VariableTable>,
    pub program: Arc<Program<'p>>,
    /// The hard-coded secrets of the documents.
    pub secrets: Arc<Redactions>,
}

impl<'p> Prepared<'p> {
    pub fn new(workflow: &'p Workflow<'p>, form: Option<&Form<'p>>, config: &'p Config) -> Self {
        let names = VariableTable::of_order(workflow, form, config);
        Self { program: Program::new(workflow, &names, config), names: Arc::new(names), secrets: Arc::default() }
    }
}

impl<'p> Documents<'p> {
    pub fn prepare(&self) -> Prepared<'p> {
        Prepared::new(self.workflow, self.form.map(|form| form.form), self.config)
    }

    pub fn plan(self, loaded: &'p LoadedScenario, prepared: Prepared<'p>) -> Plan<'p> {
        let Self { file, document, workflow, form, config, directory } = self;
        let Prepared { names, program, secrets } = prepared;
        let (scenario, scenario_file) = (&loaded.scenario, loaded.file);
        let index = ScenarioIndex::new(scenario);
        let secrets = match secrets_of(scenario) {
            own if own.is_empty() => secrets,
            own => Arc::new(Redactions::clone(&secrets).and(own)),
        };
        Plan {
            scenario,
            index,
            scenario_file,
            file,
            document,
            workflow,
            form,
            config,
            names,
            program,
            secrets,
            directory,
        }
    }
}

impl<'p> Plan<'p> {
    /// The location of a node of the workflow.
    pub fn at(&self, node: NodeId) -> Location {
        locate(self.file, self.document, node)
    }

    pub fn activity(&self, id: ActivityId) -> Option<&'p Activity<'p>> {
        self.workflow.activity(id)
    }

    /// Whether the text of a document holds the initial value of a masked variable.
    pub fn presets_masked_variable(&self) -> bool {
        let lists = [Some(&self.workflow.variables), self.form.map(|form| &form.form.variables)];
        lists.into_iter().flatten().filter_map(|list| list.get()).flatten().any(|variable| {
            Mask::of(variable).is_some() && variable.value().value().is_some_and(|value| !value.is_empty())
        })
    }

    /// The quoted name of an activity, for messages.
    pub fn name(&self, activity: &Activity<'_>) -> String {
        quote(activity.name.value().unwrap_or("(no name)"))
    }
}

impl FormPlan<'_> {
    /// The location of a node of the form.
    pub fn at(&self, node: NodeId) -> Location {
        locate(self.file, self.document, node)
    }
}

fn locate(file: FileId, document: &Document, node: NodeId) -> Location {
    Location { file, pointer: document.pointer(node), span: document.anchor(node) }
}

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

/// The entries of a scenario that had an effect.
#[derive(Debug, Clone, Default)]
pub struct UsedEntries {
    signing: HashSet<(usize, usize)>,
    faults: HashSet<usize>,
    results: HashSet<(usize, usize)>,
    /// By the pointer of the key of the person, which no two entries share.
    answers: HashSet<String>,
    /// The cases that asked each entry of `signing`, in the order in which they did.
    asked: HashMap<usize, Vec<usize>>,
}

impl UsedEntries {
    /// What a person does in a case that asks it to sign, by the entry under `signing`.
    pub fn signing(&mut self, person: usize, runs: &SigningRuns, case: usize) -> Option<SigningAct> {
        match runs {
            SigningRuns::Every(act) => {
                self.signing.insert((person, 0));
                Some(*act)
            }
            SigningRuns::Each(acts) => {
                // A case that asks the person twice, as two parties, is one case.
                let asked = self.asked.entry(person).or_default();
                let number = asked.iter().position(|known| *known == case).unwrap_or_else(|| {
                    asked.push(case);
                    asked.len() - 1
                });
                self.signing.insert((person, number));
                acts.get(number).copied().flatten()
            }
        }
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
        let mut add = |activity: Option<&str>, answers: &Answers| {
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
