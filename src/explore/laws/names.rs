//! Finds names in laws and `[explore]` that no service has: with a misspelled name, a law would check nothing.

use std::path::{Path, PathBuf};

use super::monitors::concerns;
use crate::common::collections::HashSet;
use crate::config::{Config, Law, LawCondition, Placed};
use crate::files::toml_file::TomlError;
use crate::model::{ActivityKind, FieldType};
use crate::simulate::{Plan, quote};
use crate::text::suggest::Suggester;

/// The names that a service has.
#[derive(Debug, Default)]
pub struct ServiceNames {
    /// The absolute path.
    workflow: PathBuf,
    activities: Vec<String>,
    approvals: Vec<String>,
    variables: Vec<String>,
    /// Methods that are called.
    methods: Vec<String>,
    /// Of the order form.
    fields: Vec<String>,
}

impl ServiceNames {
    /// The names of the service with this workflow, given by its absolute path.
    pub fn of(plan: &Plan<'_>, workflow: &Path) -> Self {
        let activities = || plan.workflow.activities.iter();
        let name = |activity: &crate::model::Activity<'_>| activity.name.value().map(|name| (*name).to_owned());
        let approvals = activities().filter(|activity| matches!(activity.kind, ActivityKind::Approval(_)));
        let methods = activities().filter_map(|activity| activity.provider()?.method.value());
        let fields = plan.form.iter().flat_map(|form| &form.form.fields);
        let fields = fields.filter(|field| field.field_type != FieldType::FormSection);
        Self {
            workflow: workflow.to_path_buf(),
            activities: activities().filter_map(name).collect(),
            approvals: approvals.filter_map(name).collect(),
            variables: plan.names.iter().map(str::to_owned).collect(),
            methods: methods.map(str::to_owned).collect(),
            fields: fields.filter_map(|field| field.name.value()).map(|name| (*name).to_owned()).collect(),
        }
    }
}

/// A name that no service has.
pub struct UnknownName {
    /// The law that has it; `None` for a name in `explore.fields`.
    pub law: Option<String>,
    pub error: TomlError,
}

/// An error for each name in laws and `explore.fields` that no concerned service has. Names are judged only if all
/// services below the folder of the configuration were explored, which `is_whole` decides.
pub fn unknown_names(config: &Config, services: &[ServiceNames], is_whole: impl Fn(&Path) -> bool) -> Vec<UnknownName> {
    let suggester = Suggester::default();
    let mut errors = Vec::new();
    for law in config.laws.iter().filter(|law| is_whole(&law.folder)) {
        let concerned = services.iter().filter(|service| concerns(law, &service.workflow)).collect();
        let check = Check { config, suggester: &suggester, services: concerned };
        let name = &law.name.value;
        errors.extend(check.law(law).into_iter().map(|error| UnknownName { law: Some(name.clone()), error }));
    }
    let fields = config.explore.fields.iter().map(|(field, _)| field);
    let check = Check { config, suggester: &suggester, services: services.iter().collect() };
    let fields = fields.filter(|field| is_whole(config.folder_of(field.place)));
    let fields = check.unknown("unknown field", fields, |service| &service.fields);
    errors.extend(fields.into_iter().map(|error| UnknownName { law: None, error }));
    errors
}

struct Check<'c> {
    config: &'c Config,
    suggester: &'c Suggester,
    services: Vec<&'c ServiceNames>,
}

impl Check<'_> {
    fn law(&self, law: &Law) -> Vec<TomlError> {
        if self.services.is_empty() {
            let patterns = law.services.iter().flatten().take(1);
            let error = |pattern: &Placed| {
                let reason = format!("no workflow matches {} in `services` of a law", quote(&pattern.value));
                self.config.error_at(pattern.place, &reason)
            };
            return patterns.map(error).collect();
        }
        let conditions: Vec<&LawCondition> = law.when.iter().chain(&law.expect).collect();
        let mut errors = Vec::new();
        let variables = conditions.iter().flat_map(|condition| condition.variables.iter().map(|(name, _)| name));
        errors.extend(self.unknown("undefined variable", variables, |service| &service.variables));
        let approvals = conditions.iter().flat_map(|condition| condition.approvals.iter().map(|(name, _)| name));
        errors.extend(self.unknown("unknown Approval", approvals, |service| &service.approvals));
        let methods = conditions.iter().flat_map(|condition| condition.calls.iter().map(|(name, _)| name));
        let methods = methods.filter(|name| self.config.catalog.method(&name.value).is_none());
        errors.extend(self.unknown("unknown method", methods, |service| &service.methods));
        let activities = law.before.iter().flat_map(|(first, second)| [first, second]);
        errors.extend(self.unknown("unknown activity", activities, |service| &service.activities));
        errors
    }

    fn unknown<'n>(
        &self,
        what: &str,
        names: impl Iterator<Item = &'n Placed>,
        known: impl Fn(&ServiceNames) -> &Vec<String>,
    ) -> Vec<TomlError> {
        let known: Vec<&str> = self.services.iter().flat_map(|service| known(service)).map(String::as_str).collect();
        let known_set: HashSet<&str> = known.iter().copied().collect();
        let unknown = names.filter(|name| !known_set.contains(name.value.as_str()));
        let error = |name: &Placed| {
            let near = self.suggester.did_you_mean(&name.value, known.iter().copied());
            self.config.error_at(name.place, &format!("{what} {}{near}", quote(&name.value)))
        };
        unknown.map(error).collect()
    }
}
