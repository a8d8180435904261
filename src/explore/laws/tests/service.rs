//! A service in a folder, and its runs.

use std::cell::RefCell;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::outcomes::{Decision, OutcomeKind};
use crate::config::{Config, FILE_NAME};
use crate::explore::laws::{Faults, Final, MonitorState, Monitors, ServiceNames, SetVariables, Verdict};
use crate::explore::order::{Order, read};
use crate::explore::search::SearchOracle;
use crate::facts::AnalyzedService;
use crate::model::ActivityId;
use crate::project::{self, File, Overrides, Project, Request, ServiceModel};
use crate::script::Sandbox;
use crate::simulate::{Plan, Prepared, Run, Scripts, Stop, Waiting, begin, continue_run, submit};
use crate::text::diagnostic::FileId;
use crate::text::suggest::Suggester;

pub const WORKFLOW: &str = "order.workflow.json";

pub struct Service {
    folder: TempDir,
}

/// What a run showed.
pub struct Played {
    pub state: MonitorState,
    pub verdicts: Vec<Verdict>,
    /// The pointer and message of each fault.
    pub faults: Vec<(String, String)>,
}

impl Played {
    /// The message of the only law, when it is broken.
    #[track_caller]
    pub fn broken(&self) -> Option<String> {
        let [verdict] = self.verdicts.as_slice() else { panic!("{:?}", self.verdicts) };
        verdict.breach.as_ref().map(|breach| breach.message.clone())
    }
}

impl Service {
    /// Of a workflow with these activities and declared variables.
    pub fn new(activities: &Value, variables: &[&str]) -> Self {
        let variables: Vec<Value> =
            variables.iter().zip(1..).map(|(name, id)| json!({ "id": id, "name": name })).collect();
        Self::of(&json!({ "activities": activities, "variables": variables }))
    }

    pub fn of(workflow: &Value) -> Self {
        let service = Self { folder: tempfile::tempdir().unwrap() };
        service.with(WORKFLOW, &workflow.to_string())
    }

    /// With another file.
    pub fn with(self, name: &str, text: &str) -> Self {
        std::fs::write(self.folder.path().join(name), text).unwrap();
        self
    }

    /// With an order form of these fields, which fill the variables of their names.
    pub fn with_form(self, name: &str, fields: &[&str]) -> Self {
        let fields: Vec<Value> = fields
            .iter()
            .map(|name| json!({ "name": name, "type": "InputText", "isBound": true, "boundTo": name }))
            .collect();
        self.with(name, &json!({ "fields": fields }).to_string())
    }

    pub fn path(&self, name: &str) -> PathBuf {
        std::fs::canonicalize(self.folder.path()).unwrap().join(name)
    }

    fn project(&self) -> Project {
        let request = Request { current: self.path(""), paths: vec![PathBuf::from(".")], ..Request::default() };
        project::find(&request).unwrap()
    }

    pub fn config(&self, text: &str) -> Config {
        std::fs::write(self.folder.path().join(FILE_NAME), text).unwrap();
        let config = Config::load(&self.path(FILE_NAME), &crate::files::boundary::Boundary::default()).unwrap();
        std::fs::remove_file(self.folder.path().join(FILE_NAME)).unwrap();
        config
    }

    /// Runs a scenario with these keys, with the laws of this configuration.
    pub fn play(&self, config: &str, scenario: &Value) -> Played {
        self.with_plan(scenario, |plan, service| {
            let config = self.config(config);
            let monitors = Monitors::new(&config.laws, plan, &self.path(WORKFLOW));
            run(plan, service, &monitors)
        })
    }

    pub fn names(&self) -> ServiceNames {
        self.with_plan(&json!({}), |plan, _| ServiceNames::of(plan, &self.path(WORKFLOW)))
    }

    /// The variables that laws read.
    pub fn variables(&self, config: &str) -> Vec<String> {
        self.with_plan(&json!({}), |plan, _| {
            let config = self.config(config);
            let slots = Monitors::new(&config.laws, plan, &self.path(WORKFLOW)).variables();
            slots.into_iter().map(|slot| plan.names.name(slot).to_owned()).collect()
        })
    }

    fn with_plan<T>(&self, scenario: &Value, with: impl FnOnce(&Plan<'_>, &AnalyzedService<'_>) -> T) -> T {
        let project = self.project();
        let [service] = project.services.as_slice() else { panic!("one service") };
        let files = project.read(service, &Overrides::new()).files;
        let files: Vec<&File> = files.iter().collect();
        let config = &project.configs[service.config];
        let suggester = Suggester::default();
        let model = ServiceModel::new(&files, config);
        let analyzed = AnalyzedService::new(files, config, &model, &suggester, None);
        let is_main = |id: FileId| project.name_and_path(id).is_some_and(|(name, _)| name == WORKFLOW);
        let workflow = model.workflows.iter().find(|workflow| is_main(workflow.file)).unwrap();
        let order = Order {
            workflow,
            form: None,
            config,
            prepared: Prepared::new(workflow.workflow, None, config),
            workflow_name: WORKFLOW.to_owned(),
            form_name: None,
            directory: None,
        };
        let mut whole = json!({ "workflow": WORKFLOW });
        whole.as_object_mut().unwrap().extend(scenario.as_object().unwrap().clone());
        let read = read(&order, whole.as_object().unwrap()).unwrap();
        let plan = order.plan(&read.scenario, &read.directory);
        with(&plan, &analyzed)
    }
}

/// Each step of the run is a segment of its own.
fn run(plan: &Plan<'_>, service: &AnalyzedService<'_>, monitors: &Monitors<'_>) -> Played {
    let sandbox = RefCell::new(Sandbox::new(PathBuf::new()));
    let mut run = Run::new(plan, Scripts::new(&sandbox, plan.scenario.limits.all_scripts_time()));
    run.record.is_segment = true;
    // Every call succeeds.
    let mut oracle = SearchOracle { decided: [0; 100].into_iter().collect(), ..SearchOracle::default() };
    submit::fill(&mut run).unwrap();
    begin(&mut run);
    let analysis = service.workflows.iter().find(|analysis| analysis.file == plan.file).unwrap();
    let set = SetVariables::of(service);
    let observed = Faults::new(plan, service, analysis, &set);
    let (mut state, mut faults, mut timed_out) = (monitors.start(), Vec::new(), Vec::<ActivityId>::new());
    let stop = loop {
        let step = continue_run(&mut run, &mut oracle);
        monitors.advance(&mut state, &run.record, plan);
        let decided = run.record.approvals.iter().filter(|(_, decision)| *decision == Decision::TimedOut);
        timed_out.extend(decided.map(|(id, _)| *id));
        let found = observed.of(&run.record, &timed_out);
        let found = found.iter().flat_map(|met| observed.list(met, usize::MAX).0);
        faults.extend(found.map(|fault| (fault.location.pointer, fault.message)));
        run.record.begin_segment();
        match step {
            Ok(true) => {}
            Ok(false) => break None,
            Err(stop) => break Some(stop),
        }
    };
    let (outcome, failure) = match &stop {
        None => (OutcomeKind::Completed, None),
        Some(Stop::Terminated) => (OutcomeKind::Terminated, None),
        Some(Stop::Failed(failure)) => (OutcomeKind::Failed, Some(failure.message.as_str())),
        Some(_) => (OutcomeKind::Stuck, None),
    };
    let everybody_acted = run.waiting.iter().all(Waiting::is_empty);
    let end = Final { outcome, values: &run.values, failure, everybody_acted };
    Played { verdicts: monitors.judge(&state, &end), state, faults }
}

pub fn bound(variable: &str) -> Value {
    json!({ "isBound": true, "boundTo": variable })
}

pub fn assign(name: &str, variable: &str, body: &str) -> Value {
    json!({ "name": name, "type": "Assign", "result": bound(variable), "body": body })
}

pub fn status(name: &str, text: &str) -> Value {
    json!({ "name": name, "type": "Status", "statusTranslations": { "en-US": text } })
}

pub fn terminate() -> Value {
    json!({ "name": "End", "type": "Terminate" })
}

/// Asks boss@example.com.
pub fn approval(name: &str, events: &Value) -> Value {
    json!({
        "name": name,
        "type": "Approval",
        "assignees": [{ "type": "Parameter", "parameter": { "isBound": false, "value": "boss@example.com" } }],
        "notifyAssignees": { "isBound": false, "value": true },
        "activities": events
    })
}

/// Calls a method with static parameters.
pub fn provider(name: &str, method: &str, parameters: &[(&str, &str)]) -> Value {
    let parameter =
        |(name, value): &(&str, &str)| json!({ "name": name, "value": { "state": "static", "value": value } });
    let parameters: Vec<Value> = parameters.iter().map(parameter).collect();
    json!({ "name": name, "type": "Provider", "method": method, "providerParameters": parameters })
}
