//! The scenarios of one `--simulate`, with the models of the documents that they name.

use super::coverage::Coverage;
use super::load::{Loaded, LoadedScenario};
use super::names::NameCheck;
use super::plan::{Documents, FormPlan};
use super::variables::VariableTable;
use crate::collections::HashSet;
use crate::config::Config;
use crate::diagnostic::Diagnostic;
use crate::model::{Form, Lowering, Workflow};
use crate::schema::DocumentKind;
use crate::suggest::Suggester;

pub struct Session<'p> {
    loaded: &'p Loaded,
    /// In the order of `loaded.documents`.
    models: Vec<Model<'p>>,
    /// Errors in scenarios that only their documents show.
    problems: Vec<Diagnostic>,
}

enum Model<'p> {
    Workflow(Workflow<'p>),
    Form(Form<'p>),
    Other,
}

impl<'p> Session<'p> {
    pub fn new(loaded: &'p Loaded, suggester: &'p Suggester, fallback: &'p Config) -> Self {
        let models = loaded.documents.iter().map(|document| {
            let config = loaded.configs.get(document.config).unwrap_or(fallback);
            let lowering = Lowering { document: &document.document, types: &config.types, suggester };
            match document.kind {
                DocumentKind::Workflow => Model::Workflow(Workflow::lower(lowering)),
                DocumentKind::Form => Model::Form(Form::lower(lowering)),
                DocumentKind::SigningCase => Model::Other,
            }
        });
        let mut session = Self { loaded, models: models.collect(), problems: Vec::new() };
        session.problems =
            loaded.scenarios.iter().flat_map(|scenario| session.check_names(scenario, suggester)).collect();
        session
    }

    /// The names in a scenario that nothing in its documents has.
    fn check_names(&self, loaded: &LoadedScenario, suggester: &Suggester) -> Vec<Diagnostic> {
        let check = || {
            let Model::Workflow(workflow) = self.models.get(loaded.workflow)? else { return None };
            let form = loaded.form.and_then(|form| match self.models.get(form)? {
                Model::Form(form) => Some(form),
                Model::Workflow(_) | Model::Other => None,
            });
            let config = self.loaded.configs.get(self.loaded.documents.get(loaded.workflow)?.config)?;
            let variables = self.names(loaded)?;
            Some(NameCheck { loaded, workflow, form, config, variables: &variables, suggester }.problems())
        };
        check().unwrap_or_default()
    }

    /// Errors in scenarios that only their documents show, such as undefined variables; such
    /// scenarios do not run.
    pub fn problems(&self) -> &[Diagnostic] {
        &self.problems
    }

    /// The scenarios that can run, sorted by the names of their files.
    pub fn scenarios(&self) -> Vec<&'p LoadedScenario> {
        let bad: HashSet<_> = self.problems.iter().map(|problem| problem.location.file).collect();
        self.loaded.scenarios.iter().filter(|scenario| !bad.contains(&scenario.file)).collect()
    }

    /// The variables that exist in the order of a scenario.
    fn names(&self, loaded: &LoadedScenario) -> Option<VariableTable> {
        let Model::Workflow(workflow) = self.models.get(loaded.workflow)? else { return None };
        let config = self.loaded.configs.get(self.loaded.documents.get(loaded.workflow)?.config)?;
        let form = loaded.form.and_then(|form| match self.models.get(form)? {
            Model::Form(form) => Some(form),
            Model::Workflow(_) | Model::Other => None,
        });
        Some(VariableTable::of_order(workflow, form, config))
    }

    /// The documents that a scenario names.
    pub fn documents(&'p self, loaded: &LoadedScenario) -> Option<Documents<'p>> {
        let document = self.loaded.documents.get(loaded.workflow)?;
        let Model::Workflow(workflow) = self.models.get(loaded.workflow)? else { return None };
        let form = loaded.form.and_then(|index| {
            let document = self.loaded.documents.get(index)?;
            let Model::Form(form) = self.models.get(index)? else { return None };
            Some(FormPlan { file: document.file, document: &document.document, form })
        });
        let config = self.loaded.configs.get(document.config)?;
        let directory = self.loaded.directories.get(loaded.directory)?;
        Some(Documents { file: document.file, document: &document.document, workflow, form, config, directory })
    }

    /// The coverage before the first run: one entry for each workflow, sorted by the files' names.
    pub fn coverage(&self) -> Vec<Coverage<'_>> {
        let documents = self.loaded.documents.iter().zip(&self.models);
        let workflows = documents.filter_map(|(document, model)| match model {
            Model::Workflow(workflow) => Some((document, workflow)),
            Model::Form(_) | Model::Other => None,
        });
        let mut workflows: Vec<_> = workflows.collect();
        workflows.sort_by(|(one, _), (other, _)| one.name.cmp(&other.name));
        let coverage = workflows.into_iter();
        coverage.map(|(document, workflow)| Coverage::new(document.file, &document.document, workflow)).collect()
    }
}
