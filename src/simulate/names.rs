//! Finds names in a scenario that do not exist: with a misspelled name, it would test nothing.

use super::load::{LoadedScenario, scenario_problem};
use super::scenario::{Approvals, Spanned};
use super::variables::VariableTable;
use crate::collections::HashSet;
use crate::config::Config;
use crate::diagnostic::{Diagnostic, quote};
use crate::model::{ActivityKind, FieldType, Form, Workflow};
use crate::suggest::Suggester;

/// Checks the names in a scenario.
pub(super) struct NameCheck<'c> {
    pub loaded: &'c LoadedScenario,
    pub workflow: &'c Workflow<'c>,
    pub form: Option<&'c Form<'c>>,
    pub config: &'c Config,
    pub variables: &'c VariableTable,
    pub suggester: &'c Suggester,
}

impl NameCheck<'_> {
    /// One error for each name that does not exist.
    pub fn problems(&self) -> Vec<Diagnostic> {
        let scenario = &self.loaded.scenario;
        let expect = scenario.expect.as_ref();
        let submit: Vec<_> = scenario.submit.iter().flatten().map(|input| &input.name).collect();
        let variables = scenario.variables.iter().map(|input| &input.name);
        let variables = variables.chain(expect.into_iter().flat_map(|expect| expect.variables.iter().map(|it| &it.0)));
        let mut problems = match self.form {
            Some(form) => self.check_fields(form, &submit),
            None => self.check_variables(
                submit.into_iter(),
                Some("name a variable of the workflow: without `form`, `submit` sets variables"),
            ),
        };
        problems.extend(self.check_variables(variables, None));
        problems.extend(self.check_approvals());
        let faults = scenario.faults.iter().map(|fault| &fault.method);
        let calls = expect.into_iter().flat_map(|expect| expect.calls.iter().map(|it| &it.0));
        problems.extend(self.check_methods(faults.chain(calls)));
        problems
    }

    fn check_fields(&self, form: &Form<'_>, submit: &[&Spanned<String>]) -> Vec<Diagnostic> {
        let fields = || form.fields.iter().filter(|field| field.field_type != FieldType::FormSection);
        let names: Vec<&str> = fields().filter_map(|field| field.name.value()).collect();
        let known_set: HashSet<&str> = names.iter().copied().collect();
        let all: HashSet<&str> = form.fields.iter().filter_map(|field| field.name.value()).collect();
        let (sections, unknown): (Vec<&Spanned<String>>, Vec<_>) = submit
            .iter()
            .copied()
            .filter(|name| !known_set.contains(name.value.as_str()))
            .partition(|name| all.contains(name.value.as_str()));
        let mut problems: Vec<Diagnostic> = sections
            .into_iter()
            .map(|name| self.problem(name, format!("value for section {}", quote(&name.value)), None))
            .collect();
        problems.extend(unknown.into_iter().map(|name| self.unknown("unknown field", name, &names, None)));
        problems
    }

    fn check_variables<'n>(
        &self,
        names: impl Iterator<Item = &'n Spanned<String>>,
        help: Option<&str>,
    ) -> Vec<Diagnostic> {
        let known: Vec<&str> = self.variables.iter().collect();
        let undefined = names.filter(|name| self.variables.slot(&name.value).is_none());
        undefined.map(|name| self.unknown("undefined variable", name, &known, help)).collect()
    }

    fn check_approvals(&self) -> Vec<Diagnostic> {
        let scenario = &self.loaded.scenario;
        let approvals =
            self.workflow.activities.iter().filter(|activity| matches!(activity.kind, ActivityKind::Approval(_)));
        let known: Vec<&str> = approvals.filter_map(|activity| activity.name.value()).collect();
        let named = match &scenario.approvals {
            Approvals::Named(named) => named.as_slice(),
            Approvals::InOrder(_) => &[],
        };
        let expected = scenario.expect.iter().flat_map(|expect| expect.approvals.iter().map(|it| &it.0));
        let names = named.iter().map(|entry| &entry.activity).chain(expected);
        let known_set: HashSet<&str> = known.iter().copied().collect();
        let unknown = names.filter(|name| !known_set.contains(name.value.as_str()));
        unknown.map(|name| self.unknown("unknown Approval", name, &known, None)).collect()
    }

    /// A method that the workflow does not call and no catalog has.
    fn check_methods<'n>(&self, names: impl Iterator<Item = &'n Spanned<String>>) -> Vec<Diagnostic> {
        let catalog = &self.config.catalog;
        let called = self.workflow.activities.iter().filter_map(|activity| activity.provider()?.method.value());
        let called: Vec<&str> = called.collect();
        let called_set: HashSet<&str> = called.iter().copied().collect();
        let unknown = names
            .filter(|name| !called_set.contains(name.value.as_str()) && catalog.method(&name.value).is_none())
            .map(|name| {
                // Suggests a method that the workflow calls, if one is similar.
                let near = self.suggester.nearest(&name.value, called.iter().copied());
                let known: Vec<&str> = match near {
                    Some(near) => vec![near],
                    None => catalog.methods.iter().map(|method| method.name.as_str()).collect(),
                };
                self.unknown("unknown method", name, &known, None)
            });
        unknown.collect()
    }

    fn unknown(&self, what: &str, name: &Spanned<String>, known: &[&str], help: Option<&str>) -> Diagnostic {
        let near = self.suggester.did_you_mean(&name.value, known.iter().copied());
        self.problem(name, format!("{what} {}{near}", quote(&name.value)), help)
    }

    fn problem(&self, name: &Spanned<String>, message: String, help: Option<&str>) -> Diagnostic {
        scenario_problem(self.loaded.file, &name.location, message, help.map(str::to_owned))
    }
}
