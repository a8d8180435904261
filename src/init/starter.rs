//! A first scenario for a workflow: the usual one of the runs that exploring finds, in which every field is filled and
//! everybody who is asked agrees.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use jiff::civil::Date;
use serde_json::{Map, Value, json};

use super::exploration::shown;
use super::{ORIGIN, yaml};
use crate::explore::{self, Covers, Ending, ExploredService, explore_project};
use crate::files::boundary::Boundary;
use crate::files::read::is_regular;
use crate::lint::pool;
use crate::model::{Field, FieldType};
use crate::project::{self, File, Overrides, Project, Service, ServiceModel, relative_name};
use crate::report::end_reasons;
use crate::simulate::scenario::MAX_KEY_BYTES;

/// States that are explored. Runs with the fewest unusual choices come first.
const MAX_STATES: usize = 5000;

pub struct ScenarioRequest<'r> {
    /// The workflow, absolute.
    pub workflow: &'r Path,
    pub current: &'r Path,
    /// This program, which runs scripts in a child process.
    pub program: &'r Path,
    pub today: Date,
}

/// A scenario that was made.
#[derive(Debug)]
pub struct StarterScenario {
    pub text: String,
    /// Whether it passes. Otherwise its comments say what to fill in.
    pub passes: bool,
}

/// Makes a scenario for a workflow, in the same folder. Needs the stack of the threads of [`pool`].
pub fn starter_scenario(request: &ScenarioRequest<'_>) -> Result<StarterScenario, String> {
    let ScenarioRequest { workflow, current, program, today } = *request;
    let folder = workflow.parent().unwrap_or(workflow);
    let boundary = Boundary::below(vec![current.to_path_buf(), folder.to_path_buf()]);
    let name = relative_name(workflow, current);
    let failed = |reason: &str| format!("cannot write a scenario for {name}: {reason}");
    if !is_regular(workflow) {
        return Err(format!("cannot read {name}: no such file"));
    }
    let project = find(request, &boundary)?;
    let named = |service: &&Service| service.files.iter().any(|&id| project.is_reported(id));
    let service = project.services.iter().find(named).ok_or_else(|| failed("no such file"))?;
    let read = project.read(service, &Overrides::new());
    let unread = || read.unreadable.first().map_or_else(|| failed("not a workflow"), |(_, reason)| reason.clone());
    let file = read.files.iter().find(|file| file.reported).ok_or_else(unread)?;
    file.workflow().map_err(|reason| failed(&reason))?;
    if let Some(duplicate) = file.duplicate_key() {
        return Err(failed(&duplicate));
    }
    let found = explore_project(
        &explore::Request {
            project: &project,
            program,
            boundary: &boundary,
            max_states: Some(MAX_STATES),
            proves: false,
            overrides: &Overrides::new(),
            covers: Covers::Missing(&BTreeMap::new()),
            embeds: None,
            progress: &|_| {},
        },
        &[],
        today,
        &*pool(None)?,
    )?;
    if let Some((comment, scenario)) = found.explored.services.first().and_then(usual) {
        let text = format!("# {ORIGIN} The values are made up.\n# {}\n", shown(&comment));
        return Ok(StarterScenario { text: text + &yaml::document(scenario), passes: true });
    }
    let unexplored = found.explored.unexplored.into_iter().next().map(|(_, reason)| reason);
    let reason = unexplored.or(found.unreadable.first().cloned());
    let files: Vec<&File> = read.files.iter().collect();
    let config = project.configs.get(service.config).ok_or_else(|| failed("not a workflow"))?;
    let model = ServiceModel::new(&files, config);
    let name_of = |id| project.name_and_path(id).map(|(_, path)| relative_name(path, folder));
    let mut forms = model.forms.iter().filter(|form| form.is_order_form);
    let form = forms.next().and_then(|form| Some((name_of(form.file)?, &form.form.fields)));
    let scenario = to_fill_in(&name_of(file.id).unwrap_or_default(), form);
    let mut text = format!("# {ORIGIN}\n#\n# To fill in, so that it passes:\n");
    let _ = writeln!(text, "# - {}", shown(&reason.unwrap_or_else(|| "what `wflint simulate` reports".to_owned())));
    Ok(StarterScenario { text: text + &yaml::document(&scenario), passes: false })
}

/// The project of the service.
fn find(request: &ScenarioRequest<'_>, boundary: &Boundary) -> Result<Project, String> {
    let project = project::find(&project::Request {
        current: request.current.to_path_buf(),
        paths: vec![request.workflow.to_path_buf()],
        boundary: boundary.clone(),
        ..project::Request::default()
    });
    let project = project.map_err(|error| error.0)?;
    match project.unreadable.first() {
        Some(reason) => Err(reason.clone()),
        None => Ok(project),
    }
}

/// The run with the fewest unusual choices to the best end, and how it ends.
fn usual(service: &ExploredService) -> Option<(String, &Value)> {
    let rank = |ending: Ending| match ending {
        Ending::Completed => 0,
        Ending::Terminated => 1,
        _ => 2,
    };
    let ends = service.ends.iter().zip(end_reasons(service));
    let (end, reason) = ends.min_by_key(|(end, _)| rank(end.ending))?;
    Some((format!("{}: {reason}", end.ending.word()), &end.scenario))
}

/// A scenario without values, of a workflow that cannot be explored.
fn to_fill_in(workflow: &str, form: Option<(String, &Vec<Field<'_>>)>) -> Value {
    let mut scenario = json!({ "workflow": workflow, "expect": { "outcome": "completed" } });
    if let (Some(members), Some((form, fields))) = (scenario.as_object_mut(), form) {
        let takes_value = |field: &&Field<'_>| field.field_type != FieldType::FormSection;
        let names = fields.iter().filter(takes_value).filter_map(|field| field.name.value());
        let names = names.filter(|name| name.len() <= MAX_KEY_BYTES);
        let submit: Map<String, Value> = names.map(|name| (name.to_owned(), json!(""))).collect();
        members.insert("form".to_owned(), json!(form));
        members.insert("submit".to_owned(), Value::Object(submit));
    }
    scenario
}

/// The scenario beside a workflow: `a.workflow.json` and `a.json` have `a.scenario.yaml`.
pub fn scenario_path(workflow: &Path) -> Result<PathBuf, String> {
    let name = workflow.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| format!("{} has no name that a scenario could give", workflow.display()))?;
    let without = |name: &'static str, text: &str| -> Option<String> {
        let (stem, end) = text.split_at_checked(text.len().checked_sub(name.len())?)?;
        (end.eq_ignore_ascii_case(name) && !stem.is_empty()).then(|| stem.to_owned())
    };
    let stem = without(".json", name).unwrap_or_else(|| name.to_owned());
    let stem = without(".workflow", &stem).unwrap_or(stem);
    Ok(workflow.with_file_name(format!("{stem}.scenario.yaml")))
}
