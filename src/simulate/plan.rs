//! Everything that runs only read.

use std::sync::Arc;

use super::entries::ScenarioIndex;
use super::load::LoadedScenario;
use super::program::Program;
use super::scenario::{FileLocation, Scenario};
use super::strings::quote;
use super::variables::VariableTable;
use crate::config::Config;
use crate::diagnostic::{FileId, Location};
use crate::document::{Document, NodeId};
use crate::ldap::Directory;
use crate::model::{Activity, ActivityId, Form, Workflow};
use crate::redaction::Mask;

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
}

impl<'p> Prepared<'p> {
    pub fn new(workflow: &'p Workflow<'p>, form: Option<&Form<'p>>, config: &'p Config) -> Self {
        let names = VariableTable::of_order(workflow, form, config);
        Self { program: Program::new(workflow, &names, config), names: Arc::new(names) }
    }
}

impl<'p> Documents<'p> {
    pub fn prepare(&self) -> Prepared<'p> {
        Prepared::new(self.workflow, self.form.map(|form| form.form), self.config)
    }

    pub fn plan(self, loaded: &'p LoadedScenario, prepared: Prepared<'p>) -> Plan<'p> {
        let Self { file, document, workflow, form, config, directory } = self;
        let Prepared { names, program } = prepared;
        let (scenario, scenario_file) = (&loaded.scenario, loaded.file);
        let index = ScenarioIndex::new(scenario);
        Plan { scenario, index, scenario_file, file, document, workflow, form, config, names, program, directory }
    }
}

impl<'p> Plan<'p> {
    /// The location of a node of the workflow.
    pub fn at(&self, node: NodeId) -> Location {
        locate(self.file, self.document, node)
    }

    pub fn in_scenario(&self, location: &FileLocation) -> Location {
        Location { file: self.scenario_file, pointer: location.pointer.clone(), span: location.span }
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
