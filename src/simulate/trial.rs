//! Scenarios with another document in place of their workflow.

use std::cell::RefCell;
use std::sync::Arc;

use super::expect::check;
use super::load::LoadedScenario;
use super::names::NameCheck;
use super::plan::{Documents, Prepared};
use super::program::Program;
use super::run::run;
use super::session::Session;
use super::variables::VariableTable;
use crate::document::Document;
use crate::model::Workflow;
use crate::script::Sandbox;
use crate::suggest::Suggester;

/// A document in place of the workflow that a session has loaded.
pub struct Replacement<'r> {
    pub document: &'r Document,
    pub workflow: &'r Workflow<'r>,
    pub suggester: &'r Suggester,
}

impl Session<'_> {
    /// Whether a scenario of the session passes with another workflow. One with a name that nothing has does not.
    pub fn passes<'r>(
        &'r self,
        loaded: &'r LoadedScenario,
        replacement: &Replacement<'r>,
        sandbox: &RefCell<Sandbox>,
    ) -> bool {
        let Some(documents) = self.documents(loaded) else { return false };
        let Replacement { document, workflow, suggester } = *replacement;
        let (form, config) = (documents.form.map(|form| form.form), documents.config);
        let names = VariableTable::of_order(workflow, form, config);
        let check_names = NameCheck { loaded, workflow, form, config, variables: &names, suggester };
        if !check_names.problems().is_empty() {
            return false;
        }
        let prepared = Prepared { program: Program::new(workflow, &names, config), names: Arc::new(names) };
        let plan = Documents { document, workflow, ..documents }.plan(loaded, prepared);
        check(&plan, &run(&plan, sandbox)).iter().all(|check| check.passed)
    }
}
