//! Everything that a run needs and does not change.

use crate::config::Config;
use crate::diagnostic::{FileId, Location};
use crate::document::{Document, NodeId};
use crate::ldap::Directory;
use crate::model::{Activity, ActivityId, Form, Workflow};
use crate::redaction::Mask;
use crate::simulate::quote;

use super::scenario::{Place, Scenario};
use super::variables::Names;

/// A scenario with the documents that it names.
pub struct Plan<'p> {
    /// The scenario.
    pub scenario: &'p Scenario,
    /// Its file.
    pub scenario_file: FileId,
    /// The workflow's file.
    pub file: FileId,
    /// The workflow's JSON.
    pub document: &'p Document,
    /// The workflow.
    pub workflow: &'p Workflow<'p>,
    /// The order form, if there is one.
    pub form: Option<FormPlan<'p>>,
    /// The configuration of the workflow.
    pub config: &'p Config,
    /// The variables that exist.
    pub names: Names,
    /// The people and groups.
    pub directory: &'p Directory,
}

/// The order form of a plan.
#[derive(Debug, Clone, Copy)]
pub struct FormPlan<'p> {
    /// Its file.
    pub file: FileId,
    /// Its JSON.
    pub document: &'p Document,
    /// What it says.
    pub form: &'p Form<'p>,
}

impl<'p> Plan<'p> {
    /// The place of a value of the workflow.
    pub fn at(&self, node: NodeId) -> Location {
        locate(self.file, self.document, node)
    }

    /// A place in the scenario.
    pub fn in_scenario(&self, place: &Place) -> Location {
        Location { file: self.scenario_file, pointer: place.pointer.clone(), span: place.span }
    }

    /// An activity.
    pub fn activity(&self, id: ActivityId) -> Option<&'p Activity<'p>> {
        self.workflow.activity(id)
    }

    /// Whether a document gives a masked variable its first value.
    pub fn presets_masked_variable(&self) -> bool {
        let lists = [Some(&self.workflow.variables), self.form.map(|form| &form.form.variables)];
        lists.into_iter().flatten().filter_map(|list| list.get()).flatten().any(|variable| {
            Mask::of(variable).is_some() && variable.value.value().is_some_and(|value| !value.is_empty())
        })
    }

    /// An activity's name for a message.
    pub fn name(&self, activity: &Activity<'_>) -> String {
        quote(activity.name.value().unwrap_or("(no name)"))
    }
}

impl FormPlan<'_> {
    /// The place of a value of the form.
    pub fn at(&self, node: NodeId) -> Location {
        locate(self.file, self.document, node)
    }
}

fn locate(file: FileId, document: &Document, node: NodeId) -> Location {
    Location { file, pointer: document.pointer(node), span: document.anchor(node) }
}
