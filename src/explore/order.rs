//! The documents of an order, and the plans of scenarios with them.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::common::collections::HashMap;
use crate::config::Config;
use crate::ldap::Directory;
use crate::model::ActivityId;
use crate::project::{FormDocument, ServiceModel, WorkflowDocument};
use crate::simulate::scenario::{self, DirectorySource, Scenario, ScenarioSyntax};
use crate::simulate::{FormPlan, Plan, Prepared, ScenarioIndex};
use crate::text::diagnostic::FileId;

/// A workflow with its order form.
pub struct Order<'o> {
    pub workflow: &'o WorkflowDocument<'o>,
    pub form: Option<&'o FormDocument<'o>>,
    pub config: &'o Config,
    pub prepared: Prepared<'o>,
    /// The names of the files, relative to the folder of the workflow.
    pub workflow_name: String,
    pub form_name: Option<String>,
    /// The given directory, with its name relative to the folder of the workflow; `None` when it is made up.
    pub directory: Option<(String, &'o Directory)>,
}

impl<'o> Order<'o> {
    pub fn plan<'p>(&'p self, scenario: &'p Scenario, directory: &'p Directory) -> Plan<'p> {
        let form = self.form.map(|form| FormPlan { file: form.file, document: form.document, form: form.form });
        Plan {
            scenario,
            index: ScenarioIndex::new(scenario),
            // The scenario is in no file, so its places are not shown.
            scenario_file: FileId(u32::MAX),
            file: self.workflow.file,
            document: self.workflow.document,
            workflow: self.workflow.workflow,
            form,
            config: self.config,
            names: Arc::clone(&self.prepared.names),
            program: Arc::clone(&self.prepared.program),
            secrets: Arc::clone(&self.prepared.secrets),
            directory,
        }
    }

    /// The name of an activity.
    pub fn name(&self, id: Option<ActivityId>) -> String {
        let activity = id.and_then(|id| self.workflow.workflow.activity(id));
        activity.and_then(|activity| activity.name.value()).unwrap_or_default().to_owned()
    }
}

/// A scenario with its directory.
pub struct ReadScenario {
    pub scenario: Scenario,
    pub directory: Directory,
}

/// Reads a generated scenario.
///
/// # Errors
/// Why it is invalid, which is a bug of wflint.
pub fn read(order: &Order<'_>, members: &Map<String, Value>) -> Result<ReadScenario, String> {
    let text = serde_json::to_string(members).map_err(|error| error.to_string())?;
    let mut scenario = scenario::read(&text, ScenarioSyntax::Json).map_err(|problems| {
        let problems: Vec<String> = problems.into_iter().map(|problem| problem.message).collect();
        problems.join("; ")
    })?;
    let directory = match (&mut scenario.directory, &order.directory) {
        (DirectorySource::Inline(entries, _), _) => Directory::new(std::mem::take(entries))?,
        (DirectorySource::File(_), Some((_, directory))) => (*directory).clone(),
        _ => Directory::default(),
    };
    Ok(ReadScenario { scenario, directory })
}

/// Names in an error.
const MAX_NAMES: usize = 5;

/// The order forms of a service.
pub struct OrderForms<'m, 'p> {
    forms: Vec<&'m FormDocument<'p>>,
    /// By name in lower case, the first.
    by_name: HashMap<String, &'m FormDocument<'p>>,
}

impl<'m, 'p> OrderForms<'m, 'p> {
    pub fn of(model: &'m ServiceModel<'p>) -> Self {
        let forms: Vec<&FormDocument<'p>> = model.forms.iter().filter(|form| form.is_order_form).collect();
        let mut by_name = HashMap::default();
        for form in &forms {
            by_name.entry(form.name.to_ascii_lowercase()).or_insert(*form);
        }
        Self { forms, by_name }
    }

    /// The order form of a workflow: of several, the one with its stem.
    ///
    /// # Errors
    /// Several forms, none of which has the name of the workflow.
    pub fn form_of(&self, workflow: &str) -> Result<Option<&'m FormDocument<'p>>, String> {
        match self.forms.as_slice() {
            [] => Ok(None),
            [only] => Ok(Some(only)),
            several => {
                let name = workflow.rsplit('/').next().unwrap_or_default();
                let stem = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
                let own = self.by_name.get(&stem).copied();
                own.map(Some).ok_or_else(|| {
                    format!("several order forms ({}), none with the name of the workflow", first_names(several))
                })
            }
        }
    }
}

/// The names of the first forms, and how many more there are.
fn first_names(forms: &[&FormDocument<'_>]) -> String {
    let names: Vec<&str> = forms.iter().take(MAX_NAMES).map(|form| form.name).collect();
    match forms.len() - names.len() {
        0 => names.join(", "),
        more => format!("{} and {more} more", names.join(", ")),
    }
}
