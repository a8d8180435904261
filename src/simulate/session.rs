//! The scenarios of one `--simulate`: plans them, runs them on several threads, and passes the results to a sink in order.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io;
use std::path::Path;
use std::sync::{Arc, mpsc};

use rayon::ThreadPool;
use rayon::prelude::*;

use super::coverage::Coverage;
use super::ending::{Check, Ended, check, run};
use super::events::{MAX_EVENT_VALUE, RunEvent, ended_words, events};
use super::load::{Loaded, LoadedScenario, scenario_problem};
use super::plan::{Documents, FormPlan, Plan, Prepared};
use super::program::Program;
use super::scenario::{Approvals, Spanned};
use super::scripts::Sandboxes;
use super::secrets::secrets;
use super::variables::VariableTable;
use super::words::EventWords;
use crate::common::collections::{HashMap, HashSet};
use crate::config::Config;
use crate::document::Document;
use crate::model::{ActivityKind, FieldType, Form, Lowering, Workflow};
use crate::redaction::Masker;
use crate::schema::DocumentKind;
use crate::script::Sandbox;
use crate::text::diagnostic::{Diagnostic, quote};
use crate::text::suggest::Suggester;

/// Runs that are under way or wait for an earlier one, for each thread.
const MAX_AHEAD_PER_THREAD: usize = 2;

/// Scenarios that are planned at once. A finished run borrows its plan, so all plans of a batch are dropped together.
const MAX_PLANNED: usize = 128;

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

/// A document in place of the workflow that a session has loaded.
pub struct Replacement<'r> {
    pub document: &'r Document,
    pub workflow: &'r Workflow<'r>,
    pub suggester: &'r Suggester,
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
        let check_names = |scenario: &LoadedScenario| match session.documents(scenario) {
            Some(Documents { workflow, form, config, .. }) => {
                let form = form.map(|form| form.form);
                let variables = &VariableTable::of_order(workflow, form, config);
                NameCheck { loaded: scenario, workflow, form, config, variables, suggester }.problems()
            }
            None => Vec::new(),
        };
        session.problems = loaded.scenarios.iter().flat_map(check_names).collect();
        session
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

    /// The documents that a scenario names.
    pub fn documents(&self, loaded: &LoadedScenario) -> Option<Documents<'_>> {
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

    /// Runs every scenario on a pool, and passes the runs to `sink` on the calling thread, which must
    /// not belong to the pool. `program` is this program's executable, which is started again to run
    /// scripts.
    pub fn run(
        &'p self,
        pool: &ThreadPool,
        program: &Path,
        sink: &mut dyn ScenarioSink,
    ) -> io::Result<SessionSummary<'p>> {
        let sandboxes = Sandboxes::new(program);
        let mut summary = SessionSummary::new(self.coverage());
        sink.begin()?;
        for batch in self.scenarios().chunks(MAX_PLANNED) {
            let plans = self.plans(batch, pool);
            run_in_order(&plans, &sandboxes, pool, &mut |finished| {
                summary.add(&finished);
                sink.scenario(&finished)
            })?;
        }
        sink.end(&summary)?;
        Ok(summary)
    }

    /// The plans of scenarios. Those of the same documents share what is prepared.
    pub(super) fn plans(&'p self, scenarios: &[&'p LoadedScenario], pool: &ThreadPool) -> Vec<Plan<'p>> {
        let pair = |scenario: &LoadedScenario| (scenario.workflow, scenario.form);
        let mut firsts: HashMap<_, (&LoadedScenario, Documents<'p>)> = HashMap::default();
        for scenario in scenarios {
            if let Some(documents) = self.documents(scenario) {
                firsts.entry(pair(scenario)).or_insert((scenario, documents));
            }
        }
        let prepare = |(pair, (scenario, documents)): (_, (&LoadedScenario, Documents<'p>))| {
            let loaded = [Some(scenario.workflow), scenario.form].into_iter().flatten();
            let loaded: Vec<_> = loaded.filter_map(|index| self.loaded.documents.get(index)).collect();
            let secrets = Arc::new(secrets(&loaded, documents.config));
            (pair, Prepared { secrets, ..documents.prepare() })
        };
        let prepared: HashMap<_, Prepared<'p>> = pool.install(|| firsts.into_par_iter().map(prepare).collect());
        let plan = |scenario: &&'p LoadedScenario| {
            Some(self.documents(scenario)?.plan(scenario, prepared.get(&pair(scenario))?.clone()))
        };
        scenarios.iter().filter_map(plan).collect()
    }

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
        let program = Program::new(workflow, &names, config);
        let prepared = Prepared { program, names: Arc::new(names), secrets: Arc::default() };
        let plan = Documents { document, workflow, ..documents }.plan(loaded, prepared);
        check(&plan, &run(&plan, sandbox)).iter().all(|check| check.passed)
    }
}

/// Runs plans in parallel, and delivers the results one by one, in the order of the plans.
fn run_in_order<'p>(
    plans: &'p [Plan<'p>],
    sandboxes: &Sandboxes,
    pool: &ThreadPool,
    deliver: &mut dyn FnMut(FinishedScenario<'p>) -> io::Result<()>,
) -> io::Result<()> {
    let max_ahead = MAX_AHEAD_PER_THREAD * pool.current_num_threads();
    pool.in_place_scope(|scope| {
        let mut waiting = plans.iter();
        // Each run has a channel of its own, and the oldest is received first. That keeps the order,
        // and a run that panics closes its channel, where a shared one would be waited on forever.
        let mut started = VecDeque::new();
        loop {
            while started.len() < max_ahead
                && let Some(plan) = waiting.next()
            {
                let (sender, receiver) = mpsc::sync_channel(1);
                scope.spawn(move |_| {
                    let ended = sandboxes.lend(|sandbox| run(plan, sandbox));
                    let checks = check(plan, &ended);
                    // There is no receiver after the sink has failed.
                    let _ = sender.send((ended, checks));
                });
                started.push_back((plan, receiver));
            }
            // On the only thread of the pool, as in WebAssembly, nobody else runs them.
            while pool.yield_now() == Some(rayon::Yield::Executed) {}
            // No run is left, or one has panicked: the scope passes the panic on.
            let Some((plan, oldest)) = started.pop_front() else { return Ok(()) };
            let Ok((ended, checks)) = oldest.recv() else { return Ok(()) };
            let masker = Masker::new(ended.values.masked()).with_secrets(&plan.secrets);
            deliver(FinishedScenario { plan, ended, checks, masker })?;
        }
    })
}

pub struct FinishedScenario<'p> {
    pub plan: &'p Plan<'p>,
    pub ended: Ended<'p>,
    pub checks: Vec<Check>,
    /// Hides secrets, and the values that masked variables had in this run.
    pub masker: Masker,
}

impl FinishedScenario<'_> {
    /// Whether every expectation was met.
    pub fn passed(&self) -> bool {
        self.checks.iter().all(|check| check.passed)
    }

    /// The words for what happened, with values of so many characters.
    pub const fn words(&self, max_value_len: usize) -> EventWords<'_> {
        let record = &self.ended.record;
        EventWords { plan: self.plan, record, masker: &self.masker, max_value_len, is_for_page: false }
    }

    /// What happened, with how it ended. Masked values are covered.
    pub fn events(&self) -> Vec<RunEvent> {
        let (words, ended) = (self.words(MAX_EVENT_VALUE), &self.ended);
        let why = ended.failure().map(|failure| words.failure(&failure.message));
        let outcome = ended.outcome().word();
        let mut events = events(&words);
        events.push(RunEvent::ended(ended.elapsed, outcome, ended_words(outcome, ended.elapsed, why.as_deref())));
        events
    }
}

/// The totals of a session, in scenarios.
#[derive(Debug)]
pub struct SessionSummary<'p> {
    /// Scenarios that ran: those that passed and those that failed.
    pub scenarios: usize,
    pub passed: usize,
    pub failed: usize,
    /// One entry for each workflow that was found or that a scenario names, sorted by the files' names.
    pub coverage: Vec<Coverage<'p>>,
}

impl<'p> SessionSummary<'p> {
    pub(super) const fn new(coverage: Vec<Coverage<'p>>) -> Self {
        Self { scenarios: 0, passed: 0, failed: 0, coverage }
    }

    pub(super) fn add(&mut self, finished: &FinishedScenario<'_>) {
        self.scenarios += 1;
        *(if finished.passed() { &mut self.passed } else { &mut self.failed }) += 1;
        if let Some(workflow) = self.coverage.iter_mut().find(|workflow| workflow.file == finished.plan.file) {
            workflow.add(&finished.ended.record);
        }
    }
}

/// Receives the finished scenarios of a session, one at a time and in the order of their files'
/// names, whatever the number of threads. An error ends the session.
pub trait ScenarioSink {
    /// Called once, before the first scenario.
    fn begin(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// Called once for each scenario.
    fn scenario(&mut self, finished: &FinishedScenario<'_>) -> io::Result<()>;

    /// Called once, after the last scenario.
    fn end(&mut self, summary: &SessionSummary<'_>) -> io::Result<()>;
}

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
        let undefined = names
            .filter(|name| self.variables.slot(&name.value).is_none() && !self.config.is_system_variable(&name.value));
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
