//! Explores the orders of a service.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::breaks::{Broken, LawJudge, Laws, Unlisted};
use super::cover::{candidates, covering};
use super::embed::Embedder;
use super::explored::{ApprovalDecision, CoverRun, ExploredEnd, ExploredService, PublishedStatus};
use super::given_directory::given_directory;
use super::inputs::{self, Declarations, Inputs, inputs};
use super::laws::{Faults, Monitors, ServiceNames, SetVariables, secrets_of};
use super::left_out::LeftOut;
use super::order::{Order, OrderForms, read};
use super::reached::{assumptions, possible, reached};
use super::replay::Replayer;
use super::results::results;
use super::scenario::base;
use super::search::{Alternatives, Explorer, FieldChoices, FoundEnd, Observers, SearchOracle, Settings};
use super::shown::{ShownEnds, claims, shown_claims, shown_ends};
use super::state_graph::StateGraph;
use crate::config::{BuiltInLaw, Config, Law};
use crate::facts::{AnalyzedService, Context};
use crate::files::boundary::Boundary;
use crate::graph::Analysis;
use crate::ldap::Directory;
use crate::project::{
    Content, File, FormDocument, Overrides, Project, Service, ServiceModel, WorkflowDocument, relative_name,
};
use crate::redaction::{Masker, Redactions};
use crate::schema::DocumentKind;
use crate::script::{Evaluator, Sandbox};
use crate::simulate::{Covered, Plan, Prepared, Run, Scripts, Slot, Stop, begin, submit};
use crate::synth::{Needs, PropertyUses, Submitted};
use crate::text::diagnostic::FileId;
use crate::text::source::SourceFile;
use crate::text::suggest::Suggester;

/// The settings of an exploration.
pub struct Request<'r> {
    pub project: &'r Project,
    /// This program, which runs scripts in a child process.
    pub program: &'r Path,
    /// What may be read.
    pub boundary: &'r Boundary,
    /// Overrides the limit of the configuration.
    pub max_states: Option<usize>,
    /// Whether faults are looked for in all runs, also where something fails or is empty by choice.
    pub proves: bool,
    /// The contents of files that are not read from the disk.
    pub overrides: &'r Overrides,
    /// Which candidate runs are wanted.
    pub covers: Covers<'r>,
    /// The states that are embedded for a reader who chooses, with the events of runs; 0 for the events alone, `None` for
    /// neither.
    pub embeds: Option<usize>,
    /// Called from time to time with the number of new states.
    pub progress: &'r (dyn Fn(usize) + Sync),
}

/// The candidate runs that are wanted besides those to the ends.
#[derive(Debug, Clone, Copy)]
pub enum Covers<'r> {
    Nothing,
    /// Runs that cover everything that exploring counts.
    Everything,
    /// Runs that cover these missing parts, by the absolute path of the workflow. Laws are not checked.
    Missing(&'r BTreeMap<PathBuf, BTreeSet<Covered>>),
}

/// The results for the orders of a workflow.
pub struct OrderResult {
    pub service: ExploredService,
    pub broken: Vec<Broken>,
    pub unlisted: Vec<Unlisted>,
    /// The names of the laws whose `when` some run meets.
    pub met: BTreeSet<String>,
    pub names: ServiceNames,
}

impl OrderResult {
    /// Covers the sensitive values of documents in what people play.
    fn redact(&mut self, redactions: &Redactions) {
        let ends = self.service.ends.iter_mut().map(|end| &mut end.events);
        let laws = self.broken.iter_mut().map(|broken| &mut broken.run.events);
        ends.chain(laws).flatten().for_each(|event| event.redact(redactions));
        self.service.graph.iter_mut().for_each(|graph| graph.redact(redactions));
        self.service
            .published
            .iter_mut()
            .flat_map(|it| &mut it.texts)
            .for_each(|it| redactions.redact_text(&mut it.text));
    }
}

/// What a reader needs who chooses by hand.
#[derive(Default)]
struct Embedded {
    graph: Option<StateGraph>,
    published: Vec<PublishedStatus>,
    decisions: Vec<ApprovalDecision>,
}

/// The results for a service.
#[derive(Default)]
pub struct ServiceResult {
    /// Index of its configuration.
    pub config: usize,
    pub explored: Vec<OrderResult>,
    pub unexplored: Vec<(FileId, String)>,
    pub sources: BTreeMap<FileId, SourceFile>,
    /// What could not be read.
    pub unreadable: Vec<String>,
}

/// Explores the orders of a service. Needs the stack of the threads of [`crate::lint::pool`].
pub fn explore_service(request: &Request<'_>, service: &Service) -> ServiceResult {
    let mut result = ServiceResult { config: service.config, ..ServiceResult::default() };
    let project = request.project;
    let read = project.read(service, request.overrides);
    result.unreadable.extend(read.unreadable.iter().map(|(_, reason)| reason.clone()));
    let Some(config) = project.configs.get(service.config) else { return result };
    let files: Vec<&File> = read.files.iter().collect();
    let suggester = Suggester::default();
    let model = ServiceModel::new(&files, config);
    let evaluator = Evaluator::new(request.program.to_path_buf());
    let analyzed = AnalyzedService::new(files.clone(), config, &model, &suggester, Some(&evaluator));
    let context = Context::new(&analyzed);
    for file in files.iter().filter(|file| project.is_reported(file.id)) {
        let is_other = match file.content {
            Content::Document(..) => true,
            Content::Resembling(..) => file.meant != Some(DocumentKind::Workflow),
            // Explore does not read signing cases.
            Content::Unrelated(_) => file.meant == Some(DocumentKind::SigningCase),
            _ => false,
        };
        if is_other {
            continue;
        }
        if let Err(reason) = file.workflow() {
            result.unexplored.push((file.id, reason));
        }
    }
    let is_reported = |analysis: &&Analysis<'_>| project.is_reported(analysis.file);
    let some_reported = context.workflows.iter().any(|analysis| is_reported(&analysis));
    let facts = ServiceFacts::new(&analyzed, &context, &model);
    let directory = given_directory(config, request.boundary).map_err(|error| error.0);
    for (analysis, workflow) in context.workflows.iter().zip(&model.workflows) {
        if some_reported && !is_reported(&analysis) {
            continue;
        }
        let explorer =
            OrderExplorer { request, service: &analyzed, context: &context, facts: &facts, workflow, analysis };
        let explored = explorer.explore(directory.as_ref());
        match explored {
            Ok(explored) => result.explored.push(explored),
            Err(reason) => result.unexplored.push((analysis.file, reason)),
        }
    }
    result.sources = read.files.into_iter().map(|file| (file.id, file.source)).collect();
    result
}

struct OrderExplorer<'e, 'a> {
    request: &'e Request<'e>,
    service: &'e AnalyzedService<'a>,
    context: &'e Context<'a>,
    facts: &'e ServiceFacts<'e, 'a>,
    workflow: &'e WorkflowDocument<'a>,
    analysis: &'e Analysis<'a>,
}

impl<'a> OrderExplorer<'_, 'a> {
    fn explore(&self, directory: Result<&Option<(PathBuf, Directory)>, &String>) -> Result<OrderResult, String> {
        let order = self.order(directory.map_err(String::clone)?.as_ref())?;
        let sandbox = RefCell::new(Sandbox::new(self.request.program.to_path_buf()));
        let inputs = self.inputs(&order, &mut sandbox.borrow_mut())?;
        let mut base = read(&order, &base(&order, &inputs))?;
        // A search has limits of its own.
        base.scenario.limits.steps = u64::MAX;
        let plan = order.plan(&base.scenario, &base.directory);
        self.search(&order, &plan, &inputs, &sandbox)
    }

    fn inputs(&self, order: &Order<'_>, sandbox: &mut Sandbox) -> Result<Inputs, String> {
        let fields = own_fields(self.context.config);
        let service = inputs::Service {
            context: self.context,
            needs: &self.facts.needs,
            declarations: &self.facts.declarations,
            analysis: self.analysis,
            form: self.form()?,
            fields: &fields,
            directory: order.directory.as_ref().map(|(_, directory)| *directory),
        };
        let inputs = inputs(&service, sandbox);
        match inputs.problems.first() {
            Some(problem) => Err(problem.clone()),
            None => Ok(inputs),
        }
    }

    fn search<'p>(
        &self,
        order: &Order<'_>,
        plan: &'p Plan<'p>,
        inputs: &Inputs,
        sandbox: &RefCell<Sandbox>,
    ) -> Result<OrderResult, String> {
        let workflow = self.path(order.workflow.file);
        let laws = self.laws();
        let Laws { built_in, own } = laws;
        let monitors = Monitors::new(own, plan, workflow);
        let wants_faults = built_in.contains(&BuiltInLaw::NoFault) || self.request.proves;
        let faults = wants_faults.then(|| Faults::new(plan, self.service, self.analysis, &self.facts.set));
        let claims = if self.request.proves { claims(self.context, self.analysis, plan) } else { Vec::new() };
        let observers = Observers {
            monitors: &monitors,
            in_all_runs: self.request.proves,
            branches: matches!(self.request.covers, Covers::Missing(_)),
            faults: faults.as_ref(),
            claims: &claims,
        };
        let fields = field_choices(plan, inputs);
        let uses = || Rc::new(PropertyUses::of(self.analysis, &self.facts.needs, &inputs.comparisons));
        let lookups = order.directory.is_none().then(uses);
        let start = start(plan, sandbox, &fields, (inputs, lookups))?;
        let left_out = LeftOut::of(self.analysis);
        let mut explorer = Explorer::new(plan, start, self.settings(&fields, observers, &left_out));
        explorer.search();
        if let Some(failure) = sandbox.borrow().start_failure() {
            return Err(format!("scripts cannot be run: {failure}"));
        }
        let (secrets, wants_events) = (&self.facts.secrets, self.request.embeds.is_some());
        let replayer = Replayer { order, inputs, sandbox, wants_events, secrets };
        self.result(&replayer, &mut explorer, laws)
    }

    /// What a search has found, with its ends replayed.
    fn result<'p>(
        &self,
        replayer: &Replayer<'_, '_>,
        explorer: &mut Explorer<'_, 'p, '_>,
        laws: Laws<'_>,
    ) -> Result<OrderResult, String> {
        let (plan, observers) = (explorer.start.run.plan, explorer.settings.observers);
        let found = explorer.ends();
        let reached = reached(replayer, plan, explorer);
        let cut = explorer.cut();
        let shown = shown_ends(replayer, &found)?;
        let own = laws.own;
        let judge = LawJudge { replayer, plan, laws, observers };
        let breaks = judge.breaks(explorer, &found, cut.is_none().then_some(&reached))?;
        let candidates = self.candidates(replayer, explorer, &shown.runs)?;
        let masker = Arc::new(Masker::new(&shown.masked).with_secrets(replayer.secrets));
        let embedded = embedded(replayer, plan, explorer, &shown);
        let order = replayer.order;
        let mut result = OrderResult {
            service: ExploredService {
                workflow: order.workflow.file,
                form: order.form.map(|form| form.file),
                states: explorer.states(),
                cut,
                ends: shown.runs.into_iter().map(|run| run.end).collect(),
                reached,
                possible: possible(replayer, plan, explorer),
                assumptions: assumptions(plan, replayer.inputs, explorer, &found),
                masker,
                candidates,
                shown_claims: shown_claims(observers.claims, &found, replayer)?,
                graph: embedded.graph,
                published: embedded.published,
                decisions: embedded.decisions,
            },
            broken: breaks.listed,
            unlisted: breaks.unlisted,
            met: names_of_met(&found, own),
            names: ServiceNames::of(plan, self.path(order.workflow.file)),
        };
        if replayer.wants_events {
            let secrets = secrets_of(self.context.config, |name| self.facts.needs.is_masked(name));
            result.redact(&Redactions::new(self.context.sensitive_values(), []).and(secrets));
        }
        Ok(result)
    }

    fn settings<'s>(
        &'s self,
        fields: &'s FieldChoices,
        observers: Observers<'s>,
        left_out: &'s LeftOut<'s>,
    ) -> Settings<'s> {
        let config = &self.context.config.explore;
        let max_states = self.request.max_states.unwrap_or(config.max_states);
        let progress = self.request.progress;
        let embeds = self.request.embeds;
        Settings { fields, assume: config.assume, max_states, observers, left_out, embeds, progress }
    }

    /// The candidate runs that were requested.
    fn candidates(
        &self,
        replayer: &Replayer<'_, '_>,
        explorer: &mut Explorer<'_, '_, '_>,
        ends: &[CoverRun],
    ) -> Result<Vec<CoverRun>, String> {
        match self.request.covers {
            Covers::Nothing => Ok(Vec::new()),
            Covers::Everything => candidates(replayer, explorer, ends),
            Covers::Missing(all) => match all.get(self.path(replayer.order.workflow.file)) {
                Some(missing) => covering(replayer, explorer, ends, missing),
                None => Ok(Vec::new()),
            },
        }
    }

    fn laws(&self) -> Laws<'_> {
        let config = self.context.config;
        match self.request.covers {
            _ if self.request.proves => Laws { built_in: &BuiltInLaw::ALL, own: &config.laws },
            Covers::Missing(_) => Laws { built_in: &[], own: &[] },
            Covers::Nothing | Covers::Everything => Laws { built_in: &config.explore.laws, own: &config.laws },
        }
    }

    fn path(&self, id: FileId) -> &Path {
        self.request.project.name_and_path(id).map_or(Path::new(""), |(_, path)| path)
    }

    fn form(&self) -> Result<Option<&FormDocument<'a>>, String> {
        let name = self.request.project.name_and_path(self.analysis.file).map_or("", |(name, _)| name);
        self.facts.forms.form_of(name)
    }

    fn order<'o>(&'o self, directory: Option<&'o (PathBuf, Directory)>) -> Result<Order<'o>, String> {
        let project = self.request.project;
        let path = |id: FileId| project.name_and_path(id).map(|(_, path)| path);
        let missing = || "cannot read the workflow".to_owned();
        let workflow = self.workflow;
        let (_, own) = project.name_and_path(workflow.file).ok_or_else(missing)?;
        let folder = own.parent().unwrap_or(own);
        let form = self.form()?;
        let duplicate = |id: FileId| self.service.file(id)?.duplicate_key();
        if let Some(duplicate) = duplicate(workflow.file) {
            return Err(duplicate);
        }
        if let Some((form, duplicate)) = form.and_then(|form| Some((form, duplicate(form.file)?))) {
            let name = project.name_and_path(form.file).map_or("", |(name, _)| name);
            return Err(format!("{duplicate} of {name}"));
        }
        Ok(Order {
            workflow,
            form,
            config: self.context.config,
            prepared: Prepared::new(workflow.workflow, form.map(|form| form.form), self.context.config),
            workflow_name: relative_name(own, folder),
            form_name: form.and_then(|form| path(form.file)).map(|path| relative_name(path, folder)),
            directory: directory.map(|(path, directory)| (relative_name(path, folder), directory)),
        })
    }
}

/// What a reader needs who chooses by hand, if it is requested.
fn embedded<'p>(
    replayer: &Replayer<'_, '_>,
    plan: &'p Plan<'p>,
    explorer: &Explorer<'_, 'p, '_>,
    shown: &ShownEnds<'_>,
) -> Embedded {
    let Some(recorder) = &explorer.recorder else { return Embedded::default() };
    let masked: Vec<_> = shown.masked.iter().chain(&recorder.masked).cloned().collect();
    let Replayer { order, inputs, secrets, .. } = replayer;
    let masker = Masker::new(&masked).with_secrets(secrets);
    let ends: Vec<&ExploredEnd> = shown.runs.iter().map(|run| &run.end).collect();
    let indices = &shown.indices;
    let embedder = Embedder { order, inputs, plan, masker: &masker, ends: indices, recorder, explorer };
    Embedded { graph: embedder.graph(&ends), published: embedder.published(), decisions: embedder.decisions() }
}

/// The names of the laws whose `when` some run meets.
fn names_of_met(found: &[FoundEnd<'_, '_>], laws: &[Law]) -> BTreeSet<String> {
    let met = found.iter().flat_map(|end| &end.judged.met).filter_map(|law| laws.get(*law));
    met.map(|law| law.name.value.clone()).collect()
}

/// The values of `explore.fields`.
fn own_fields(config: &Config) -> BTreeMap<String, Vec<String>> {
    config.explore.fields.iter().map(|(name, values)| (name.value.clone(), values.clone())).collect()
}

/// A run whose form is submitted, and which has begun.
fn start<'p, 's>(
    plan: &'p Plan<'p>,
    sandbox: &'s RefCell<Sandbox>,
    fields: &FieldChoices,
    (inputs, lookups): (&Inputs, Option<Rc<PropertyUses>>),
) -> Result<(Run<'p, 's>, SearchOracle), String> {
    let scripts = Scripts::new(sandbox, plan.scenario.limits.all_scripts_time()).remembering();
    let mut run = Run::new(plan, scripts);
    run.record.is_segment = true;
    let open_fields: BTreeSet<Slot> =
        fields.fields.iter().filter(|field| field.values.len() > 1).filter_map(|field| field.variable).collect();
    let oracle = SearchOracle {
        results: Rc::new(results(plan, &inputs.comparisons, fields)),
        open_fields: open_fields.into_iter().collect(),
        lookups,
        ..SearchOracle::default()
    };
    submit::fill(&mut run).map_err(|stop| match stop {
        Stop::Refused(failure) | Stop::Failed(failure) => {
            format!("the form does not accept what was made up: {}", failure.message)
        }
        _ => "the form cannot be filled".to_owned(),
    })?;
    begin(&mut run);
    // There are many states, and each would have a copy.
    run.record.times_begun = Vec::new();
    Ok((run, oracle))
}

/// The fields whose variables exist.
fn field_choices(plan: &Plan<'_>, inputs: &Inputs) -> FieldChoices {
    let fields = inputs.fields.iter().map(|field| {
        let text = |value: &Submitted| match value {
            Submitted::Text(text) => text.as_str().into(),
            Submitted::File(_) => "".into(),
        };
        Alternatives {
            variable: plan.names.slot(&field.variable),
            values: field.alternatives.iter().map(|alternative| text(&alternative.value)).collect(),
            nothing: field.alternatives.iter().map(|alternative| alternative.is_nothing).collect(),
        }
    });
    FieldChoices { fields: fields.collect() }
}

pub struct ServiceFacts<'f, 'a> {
    pub needs: Needs<'f>,
    pub declarations: Declarations<'f, 'a>,
    pub forms: OrderForms<'f, 'a>,
    pub set: SetVariables<'f>,
    /// The secrets of the documents and the configuration.
    pub secrets: Arc<Redactions>,
}

impl<'f, 'a> ServiceFacts<'f, 'a> {
    pub fn new(service: &'f AnalyzedService<'a>, context: &'f Context<'a>, model: &'f ServiceModel<'a>) -> Self {
        let needs = Needs::of(context);
        let secrets = secrets_of(context.config, |name| needs.is_masked(name));
        Self {
            needs,
            declarations: Declarations::of(context),
            forms: OrderForms::of(model),
            set: SetVariables::of(service),
            secrets: Arc::new(Redactions::of_runs(context.secret_values()).and(secrets)),
        }
    }
}
