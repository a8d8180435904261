//! All scenarios of a run, in parallel.

use std::path::Path;

use rayon::prelude::*;

use super::coverage::Coverage;
use super::expect::{Check, check};
use super::load::{Loaded, LoadedScenario, scenario_problem};
use super::plan::{FormPlan, Plan};
use super::run::{Ended, run};
use super::variables::{VariableTable, system_names};
use crate::collections::HashSet;
use crate::config::Config;
use crate::diagnostic::{Diagnostic, FileId, quote};
use crate::model::{Form, Lowering, Workflow};
use crate::schema::DocumentKind;
use crate::script::Sandbox;
use crate::suggest::{self, Suggester};

/// The documents of a run, modelled.
pub struct Session<'p> {
    loaded: &'p Loaded,
    /// By document.
    models: Vec<Model<'p>>,
    /// What is wrong with scenarios in the light of their documents.
    problems: Vec<Diagnostic>,
}

enum Model<'p> {
    Workflow(Workflow<'p>),
    Form(Form<'p>),
    Other,
}

/// One scenario that has run.
#[derive(Debug)]
pub struct Finished<R> {
    /// Whether everything came out as expected.
    pub passed: bool,
    /// What the report makes of it.
    pub rendered: R,
    /// The workflow's file.
    pub workflow: FileId,
    /// By activity of the workflow: whether it was begun.
    pub reached: Vec<bool>,
}

impl<'p> Session<'p> {
    /// Models the documents that scenarios name.
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
        session.problems = loaded.scenarios.iter().flat_map(|scenario| session.check_submit(scenario)).collect();
        session
    }

    /// Without a form, what is filled in goes to variables, which must exist.
    fn check_submit(&self, loaded: &LoadedScenario) -> Vec<Diagnostic> {
        let Some(names) = self.names(loaded).filter(|_| loaded.form.is_none()) else { return Vec::new() };
        let given = loaded.scenario.submit.iter().flatten();
        let unknown = given.filter(|given| names.slot(&given.name.value).is_none());
        unknown
            .map(|given| {
                let name = &given.name;
                let near = suggest::did_you_mean(&name.value, names.iter());
                let message = format!("{} is no variable of the workflow{near}", quote(&name.value));
                let help = "without `form`, `submit` gives values to variables";
                scenario_problem(loaded.file, &name.location, message, Some(help.to_owned()))
            })
            .collect()
    }

    /// What is wrong with scenarios in the light of their documents; those do not run.
    pub fn problems(&self) -> &[Diagnostic] {
        &self.problems
    }

    /// The scenarios that can run, sorted by the names of their files.
    pub fn scenarios(&self) -> Vec<&'p LoadedScenario> {
        let is_bad =
            |scenario: &&LoadedScenario| self.problems.iter().any(|problem| problem.location.file == scenario.file);
        self.loaded.scenarios.iter().filter(|scenario| !is_bad(scenario)).collect()
    }

    /// The variables that exist in a scenario.
    fn names(&self, loaded: &LoadedScenario) -> Option<VariableTable> {
        let Model::Workflow(workflow) = self.models.get(loaded.workflow)? else { return None };
        let config = self.loaded.configs.get(self.loaded.documents.get(loaded.workflow)?.config)?;
        let mut names = VariableTable::default();
        names.add_declared(&workflow.variables);
        if let Some(Model::Form(form)) = loaded.form.and_then(|form| self.models.get(form)) {
            names.add_declared(&form.variables);
        }
        for name in system_names(workflow, config) {
            names.add(name, None);
        }
        for given in &loaded.scenario.variables {
            names.add(&given.name.value, None);
        }
        Some(names)
    }

    /// The plan of a scenario.
    pub fn plan(&'p self, loaded: &'p LoadedScenario) -> Option<Plan<'p>> {
        let document = self.loaded.documents.get(loaded.workflow)?;
        let Model::Workflow(workflow) = self.models.get(loaded.workflow)? else { return None };
        let form = loaded.form.and_then(|index| {
            let document = self.loaded.documents.get(index)?;
            let Model::Form(form) = self.models.get(index)? else { return None };
            Some(FormPlan { file: document.file, document: &document.document, form })
        });
        let config = self.loaded.configs.get(document.config)?;
        Some(Plan {
            scenario: &loaded.scenario,
            scenario_file: loaded.file,
            file: document.file,
            document: &document.document,
            workflow,
            form,
            config,
            names: self.names(loaded)?,
            directory: self.loaded.directories.get(loaded.directory)?,
        })
    }

    /// Runs scenarios in parallel, and hands what happened to `render`; in their order. To be called
    /// on a pool of threads with enough stack.
    pub fn run<R: Send>(
        &'p self,
        scenarios: &[&'p LoadedScenario],
        program: &Path,
        done: impl Fn() + Sync,
        render: impl Fn(&Plan<'_>, &Ended<'_>, &[Check]) -> R + Sync,
    ) -> Vec<Finished<R>> {
        let one = |sandbox: &mut Sandbox, loaded: &&'p LoadedScenario| {
            let plan = self.plan(loaded)?;
            let ended = run(&plan, sandbox);
            let checks = check(&plan, &ended);
            let rendered = render(&plan, &ended, &checks);
            done();
            let passed = checks.iter().all(|check| check.passed);
            Some(Finished { passed, rendered, workflow: plan.file, reached: ended.record.reached })
        };
        let init = || Sandbox::new(program.to_path_buf());
        scenarios.par_iter().map_init(init, one).flatten_iter().collect()
    }

    /// Nothing of any workflow that scenarios name is reached yet; a workflow each, sorted by the
    /// files' names.
    pub fn coverage(&self) -> Vec<Coverage<'_>> {
        let run: HashSet<usize> = self.scenarios().iter().map(|scenario| scenario.workflow).collect();
        let mut all = Vec::new();
        for (index, (document, model)) in self.loaded.documents.iter().zip(&self.models).enumerate() {
            if let Model::Workflow(workflow) = model
                && run.contains(&index)
            {
                all.push(Coverage::new(document.file, &document.document, workflow));
            }
        }
        // Documents are opened in the order of their paths, and so are their ids.
        all.sort_by_key(|coverage| coverage.file);
        all
    }
}
