//! Control flow and data flow of a service's workflows.

mod afterwards;
mod control;
mod effects;
mod exploration;
mod explore;
mod liveness;
mod loops;
mod outputs;
mod placeholder;
mod scope;
mod state;
mod taint;
mod usage;

use std::collections::BTreeMap;
use std::hash::BuildHasher;
use std::rc::Rc;

use foldhash::fast::FixedState;

use crate::catalog::ParameterKind;
use crate::collections::{HashMap, HashSet};
use crate::diagnostic::FileId;
use crate::document::{Document, NodeId};
use crate::model::{ActivityId, Kind, Parameter, Provider, Variable, Workflow};
use crate::project::{FormDocument, ServiceModel, WorkflowDocument};

pub use afterwards::{Fate, Question};
pub use control::{ControlFlow, Flow, Step};
pub use effects::{Condition, Effects, Names, Read, Value, VarId, Write, Writer, Written};
pub use exploration::{Decision, Exploration, Outcomes, Unassigned};
pub use loops::{BlindToExpiry, LoopFault, StrangeStatus};
pub use outputs::{Origin, Prefix, ProviderOutput, ProviderOutputs, Receiver, properties};
pub use placeholder::{Placeholder, placeholders};
pub use scope::{Meant, Resolution, Scope};
pub use taint::{TaintAnalysis, TaintPath, TaintPolicy, TaintSource, TaintStep, Transfer, variables_flowing_into};
pub use usage::Usage;

use effects::Collector;
use explore::{Explorer, Terrain};
use liveness::Liveness;
use state::{Constant, Fact, Knowledge, Slots, State};
use usage::{Fills, WritersByWorkflow};

/// An output that no variable receives, whose name is near to one that nobody writes: most likely
/// a mistyped prefix or property.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistyped {
    /// The provider activity.
    pub activity: ActivityId,
    /// The lost output's name.
    pub output: String,
    /// The variable that it most likely should be.
    pub variable: VarId,
}

/// One workflow with all that is known of its flow.
#[derive(Debug)]
pub struct Analysis<'p> {
    /// The file.
    pub file: FileId,
    /// Its JSON.
    pub document: &'p Document,
    /// Its activities and variables.
    pub workflow: &'p Workflow<'p>,
    /// The names that it may use.
    pub scope: Scope<'p>,
    /// The variable names that it does use.
    pub names: Names<'p>,
    /// What each activity reads and writes, by index.
    pub effects: Vec<Effects<'p>>,
    /// In which order activities run.
    pub control: ControlFlow,
    /// What was seen on all paths.
    pub paths: Exploration,
    /// Lost outputs that are near to a variable that nobody writes.
    pub mistyped: Vec<Mistyped>,
    /// Case statuses compared with texts that are no known status.
    pub strange_statuses: Vec<StrangeStatus<'p>>,
    /// What is wrong with each loop.
    pub loop_faults: BTreeMap<ActivityId, LoopFault<'p>>,
    /// Loops without a fault that wait for a case that can expire, and do not notice when it does.
    pub blind_to_expiry: Vec<BlindToExpiry>,
}

impl Analysis<'_> {
    /// The effects of an activity.
    pub fn effects(&self, id: ActivityId) -> Option<&Effects<'_>> {
        self.effects.get(id.0 as usize)
    }

    /// Whether any path reaches an activity.
    pub fn reaches(&self, id: ActivityId) -> bool {
        self.control.point(id).is_some_and(|point| self.paths.reaches(point))
    }

    /// Whether paths were merged at an activity, so that what is not known there proves nothing.
    pub fn is_merged(&self, id: ActivityId) -> bool {
        self.control.point(id).is_some_and(|point| self.paths.is_merged(point))
    }
}

/// A workflow whose effects are known but whose paths are not yet.
struct Collected<'p> {
    document: &'p WorkflowDocument<'p>,
    scope: Scope<'p>,
    names: Names<'p>,
    effects: Vec<Effects<'p>>,
    mistyped: Vec<Mistyped>,
}

/// Analyses the workflows of a service. `scopes` and `form_scopes` hold one scope a workflow and a
/// form, `opaque` the objects of activities that could not be read whole.
pub fn analyse<'p>(
    model: &'p ServiceModel<'p>,
    scopes: Vec<Scope<'p>>,
    form_scopes: &[Scope<'p>],
    opaque: &HashSet<(FileId, NodeId)>,
) -> (Vec<Analysis<'p>>, Usage) {
    let mut usage = Usage::of_forms(model, form_scopes);
    let mut all: Vec<Collected<'p>> =
        model.workflows.iter().zip(scopes).map(|(document, scope)| collect(model, document, scope, opaque)).collect();
    for collected in &all {
        usage.add_activities(&collected.names, &collected.effects);
        if collected.document.workflow.roots.is_unknown() {
            usage.add_activities(&collected.names, &[opaque_effects()]);
        }
    }
    let before = usage.clone();
    for collected in &mut all {
        adopt_mistyped(collected, &before, &mut usage);
    }
    let mut writers = WritersByWorkflow::default();
    for (index, collected) in all.iter().enumerate() {
        writers.add(index, &collected.names, &collected.effects);
    }
    let filled = filled_by_order_forms(model, form_scopes);
    let analyses = all
        .into_iter()
        .enumerate()
        .map(|(index, collected)| {
            let outside = |name: &str| writers.is_written_outside(index, name);
            explore(filled.as_ref(), collected, &usage, &outside)
        })
        .collect();
    (analyses, usage)
}

fn opaque_effects<'p>() -> Effects<'p> {
    let mut effects = Effects::default();
    effects.make_opaque();
    effects
}

fn collect<'p>(
    model: &ServiceModel<'p>,
    document: &'p WorkflowDocument<'p>,
    scope: Scope<'p>,
    opaque: &HashSet<(FileId, NodeId)>,
) -> Collected<'p> {
    let workflow = &document.workflow;
    let (mut names, mut effects) = Collector::collect(&scope, workflow);
    for (activity, effects) in workflow.activities.iter().zip(&mut effects) {
        if opaque.contains(&(document.file, activity.node)) || activity.children.is_unknown() {
            effects.make_opaque();
        }
        let form = activity.approval().and_then(|approval| model.form(approval.form.value()?));
        if let Some(form) = form {
            add_approval_form(form, &mut names, effects);
        }
    }
    Collected { document, scope, names, effects, mistyped: Vec::new() }
}

/// Approvers see the fields of their form, and fill those that are not readonly.
fn add_approval_form<'p>(form: &FormDocument<'p>, names: &mut Names<'p>, effects: &mut Effects<'p>) {
    for field in &form.form.fields {
        let Some((node, name)) = field.target() else { continue };
        let variable = names.add(name);
        effects.shows.push(variable);
        if field.readonly.value() != Some(true) {
            effects.writes.push(Write { variable, value: Written::Unknown, node, by: Writer::Form, guessed: false });
        }
    }
}

/// Lets lost outputs write the variable that they most likely were meant for, so that the one slip
/// is told once.
fn adopt_mistyped(collected: &mut Collected<'_>, before: &Usage, usage: &mut Usage) {
    let workflow = &collected.document.workflow;
    for (activity, effects) in workflow.activities.iter().zip(&mut collected.effects) {
        let Some(outputs) = effects.provider.as_ref() else { continue };
        let mut adopted = Vec::new();
        for output in &outputs.outputs {
            if output.receiver != Receiver::Nobody || output.origin == Origin::Default {
                continue;
            }
            let candidates = collected.scope.declarations.names().filter(|name| !before.is_surely_written(name));
            let near = collected.scope.suggester.nearest(&output.name, candidates);
            if let Some(variable) =
                near.filter(|near| !before.is_written(near)).and_then(|near| collected.names.id(near))
            {
                adopted.push((output.name.clone(), variable, output.is_status));
            }
        }
        for (output, variable, is_status) in adopted {
            let by = Writer::Output { is_status };
            usage.add_write(collected.names.name(variable), by);
            effects.writes.push(Write { variable, value: Written::Unknown, node: activity.node, by, guessed: true });
            collected.mistyped.push(Mistyped { activity: activity.id, output, variable });
        }
    }
}

fn explore<'p>(
    filled: Option<&HashSet<&str>>,
    collected: Collected<'p>,
    usage: &Usage,
    is_written_outside: &impl Fn(&str) -> bool,
) -> Analysis<'p> {
    let Collected { document, scope, names, effects, mistyped } = collected;
    let workflow = &document.workflow;
    let control = ControlFlow::new(workflow);
    let calls = calls(workflow, &scope);
    let is_common = |id| scope.config.catalog.is_common_output(names.name(id));
    let contested = contested(&effects, &calls, is_common);
    let facts = Start { filled, scope: &scope, names: &names, usage, is_written_outside };
    let tested: HashSet<VarId> = effects.iter().flat_map(liveness::tested).collect();
    let is_kept = |id| tested.contains(&id) || contested.contains(&id) || !facts.of(id).assigned;
    let slots = Rc::new(Slots::new(names.len(), is_kept));
    let liveness = Liveness::new(&control, Rc::clone(&slots), &effects);
    let start = State::new(Rc::clone(&slots), slots.variables().iter().map(|&id| facts.of(id)).collect());
    let terrain = Terrain {
        workflow,
        control: &control,
        effects: &effects,
        names: &names,
        slots: &slots,
        liveness: &liveness,
        contested: &contested,
        calls: &calls,
    };
    let paths = Explorer::new(terrain).run(start);
    let statuses = loops::status_variables(&terrain);
    let strange_statuses = loops::strange_statuses(&terrain, &statuses, scope.suggester);
    let is_system = |id| scope.is_system(names.name(id));
    let loop_faults = loops::faults(&terrain, &paths, &statuses, &strange_statuses, is_system);
    let blind_to_expiry = loops::blind_to_expiry(&terrain, &paths, &statuses, &loop_faults);
    let (file, document) = (document.file, document.document);
    Analysis {
        file,
        document,
        workflow,
        scope,
        names,
        effects,
        control,
        paths,
        mistyped,
        strange_statuses,
        loop_faults,
        blind_to_expiry,
    }
}

/// The variables that have a value when the workflow begins, because an order form fills them; `None`
/// when it may be any.
fn filled_by_order_forms<'p>(model: &'p ServiceModel<'p>, scopes: &[Scope<'p>]) -> Option<HashSet<&'p str>> {
    let forms = model.forms.iter().zip(scopes).filter(|(form, _)| form.is_order_form);
    let fields = forms.flat_map(|(form, scope)| form.form.fields.iter().map(move |field| usage::fills(field, scope)));
    let mut filled = HashSet::default();
    for fills in fields {
        match fills {
            Fills::Variable(name) => drop(filled.insert(name)),
            Fills::Nothing => {}
            Fills::Anything => return None,
        }
    }
    Some(filled)
}

/// What is known of each variable when the workflow begins.
struct Start<'s, 'p, F> {
    filled: Option<&'s HashSet<&'s str>>,
    scope: &'s Scope<'p>,
    names: &'s Names<'p>,
    usage: &'s Usage,
    is_written_outside: &'s F,
}

impl<F: Fn(&str) -> bool> Start<'_, '_, F> {
    fn of(&self, id: VarId) -> Fact {
        let name = self.names.name(id);
        let declarations = &self.scope.declarations;
        let from_outside = self.filled.is_none_or(|filled| filled.contains(name))
            || self.usage.is_filled_by_the_order(name)
            || (self.is_written_outside)(name)
            || !declarations.are_there
            || self.scope.is_provided(name);
        let mut declared = declarations.named(name).map(|declared| &declared.variable);
        let is_preset = declared.clone().any(Variable::is_preset);
        let only_by_value = declared.clone().all(Variable::is_preset_by_value_alone);
        let value = declared.find_map(|variable| variable.value.value().filter(|value| !value.is_empty()));
        let value = value.filter(|_| !from_outside && only_by_value);
        Fact {
            // What nothing writes is told by a rule of its own.
            assigned: from_outside || is_preset || !self.usage.is_surely_written(name),
            value: value.map_or(Knowledge::Any, |value| Knowledge::Is(Constant::text(value))),
            output_of: None,
        }
    }
}

/// What each provider activity asks for, its prefix left out: two alike are one call repeated.
fn calls(workflow: &Workflow<'_>, scope: &Scope<'_>) -> HashMap<ActivityId, u64> {
    let providers = workflow.activities.iter().filter_map(|activity| match &activity.kind {
        Kind::Provider(provider) => Some((activity.id, provider)),
        _ => None,
    });
    providers.map(|(id, provider)| (id, call(provider, scope))).collect()
}

/// A fingerprint of a provider's method and inputs.
fn call(provider: &Provider<'_>, scope: &Scope<'_>) -> u64 {
    let method = provider.method.value().unwrap_or_default();
    let prefix = scope.config.catalog.method(method).and_then(|method| method.parameter_of_kind(ParameterKind::Prefix));
    let prefix = prefix.map(|prefix| prefix.name.as_str());
    let hash = |parameter: &Parameter<'_>| {
        let binding = parameter.value.get();
        let target = binding.and_then(|binding| binding.target()).map(|(_, name)| name);
        let literal = binding.and_then(|binding| binding.literal()).map(|(_, literal)| literal);
        FixedState::default().hash_one((parameter.name.value(), target, literal))
    };
    let inputs = provider.parameters().filter(|parameter| parameter.name.value() != prefix && !parameter.is_empty());
    // A sum, because their order does not matter.
    let inputs = inputs.fold(0u64, |sum, parameter| sum.wrapping_add(hash(parameter)));
    FixedState::default().hash_one((method, inputs))
}

/// Variables that two calls that are not alike write.
fn contested(
    effects: &[Effects<'_>],
    calls: &HashMap<ActivityId, u64>,
    is_common: impl Fn(VarId) -> bool,
) -> HashSet<VarId> {
    let mut first: HashMap<VarId, Option<&u64>> = HashMap::default();
    let mut contested = HashSet::default();
    for (id, effects) in (0..).map(ActivityId).zip(effects) {
        for write in effects.writes.iter().filter(|write| matches!(write.by, Writer::Output { .. })) {
            let call = calls.get(&id);
            if *first.entry(write.variable).or_insert(call) != call && !is_common(write.variable) {
                contested.insert(write.variable);
            }
        }
    }
    contested
}
