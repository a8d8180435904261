//! Analyzes the workflows of a service: effects, usage of variables, then abstract interpretation.

use std::cell::RefCell;
use std::sync::Arc;

use super::analysis::Analysis;
use super::calls::{Calls, RepeatedCalls, calls, output_calls};
use super::choices::{DropDown, choices_of_form, choices_of_workflow};
use super::control::ControlFlow;
use super::effects::{Effects, OpaqueActivities, VarId, Writer};
use super::interpreter::Interpreter;
use super::liveness::{self, Liveness};
use super::passing::Passing;
use super::program::{Program, max_held};
use super::scope::Scope;
use super::slots::Slots;
use super::start::{Start, filled_by_order_forms};
use super::state::AbstractState;
use super::structure::Structure;
use super::unions::Unions;
use super::usage::Usage;
use super::workflow_effects::WorkflowEffects;
use super::writers::WritersByWorkflow;
use crate::collections::{HashMap, HashSet};
use crate::project::ServiceModel;

/// `scopes` are by workflow and `form_scopes` by form.
pub fn analyze<'p>(
    model: &'p ServiceModel<'p>,
    scopes: Vec<Scope<'p>>,
    form_scopes: &[Scope<'p>],
    opaque: &OpaqueActivities,
) -> (Vec<Analysis<'p>>, Usage<'p>) {
    let mut usage = Usage::of_forms(model, form_scopes);
    let documents = model.workflows.iter().zip(scopes);
    let mut workflows: Vec<WorkflowEffects<'p>> = documents
        .map(|(document, scope)| WorkflowEffects::collect((model, form_scopes), document, scope, opaque))
        .collect();
    for workflow in &workflows {
        usage.add_activities(&workflow.names, &workflow.effects);
        if workflow.document.workflow.roots.is_unknown() {
            let mut unread = Effects::default();
            unread.make_opaque();
            usage.add_activities(&workflow.names, &[unread]);
        }
    }
    // Mistyped outputs need the usage of the whole service, and change it. The interpreter needs the result.
    for workflow in &mut workflows {
        workflow.attribute_mistyped_outputs(&usage);
    }
    for WorkflowEffects { names, mistyped, .. } in &workflows {
        for output in mistyped {
            usage.add_write(names, output.variable, Writer::Output { is_status: false });
        }
    }
    let mut writers = WritersByWorkflow::default();
    if workflows.len() > 1 {
        for workflow in &workflows {
            writers.add(workflow.document.file, &workflow.names, &workflow.effects);
        }
    }
    let before =
        Before { filled: filled_by_order_forms(model, form_scopes), choices: choices_of_form(model, form_scopes) };
    let analyses = workflows
        .into_iter()
        .map(|workflow| {
            let file = workflow.document.file;
            let is_written_outside = |name: &str| writers.is_written_outside(file, name);
            interpret(&before, workflow, &usage, &is_written_outside)
        })
        .collect();
    (analyses, usage)
}

/// What order forms do before a workflow starts.
struct Before<'p> {
    /// The result of [`filled_by_order_forms`].
    filled: Option<HashSet<&'p str>>,
    /// The result of [`choices_of_form`].
    choices: HashMap<&'p str, DropDown<'p>>,
}

fn interpret<'p>(
    before: &Before<'_>,
    workflow: WorkflowEffects<'p>,
    usage: &Usage<'_>,
    is_written_outside: &impl Fn(&str) -> bool,
) -> Analysis<'p> {
    let WorkflowEffects { document, scope, names, effects, mistyped } = workflow;
    let workflow = document.workflow;
    let (structure, control) = (Structure::new(workflow), ControlFlow::new(workflow));
    let calls = calls(workflow, &scope);
    let output_calls = output_calls(&effects, &calls);
    // Every call writes the common outputs.
    let is_common = |id| scope.config.catalog.is_common_output(names.name(id));
    let several = output_calls.iter().filter(|(_, calls)| **calls == Calls::Several).map(|(&id, _)| id);
    let RepeatedCalls { outputs, changing_inputs } = RepeatedCalls::new(&effects, &calls);
    let colliding: HashSet<VarId> = several.chain(outputs).filter(|&id| !is_common(id)).collect();
    let choices = choices_of_workflow(&before.choices, &scope, &names, &effects, is_written_outside);
    let initial = Start { filled: before.filled.as_ref(), scope: &scope, names: &names, usage, is_written_outside };
    let tested = names.set(effects.iter().flat_map(liveness::tested));
    let read = names.set(effects.iter().flat_map(|effects| &effects.reads).map(|read| read.variable));
    let may_be_unset = |id: VarId| read.contains(id.0 as usize) && !initial.of(id).assigned;
    let is_tracked = |id: VarId| tested.contains(id.0 as usize) || colliding.contains(&id) || may_be_unset(id);
    let slots = Arc::new(Slots::new(names.len(), is_tracked));
    let (liveness, unions) = (Liveness::new(&control, &slots, &effects), Unions::new(&slots, &effects));
    let passing = Passing::new(&control, &structure, &slots, &effects, &changing_inputs);
    let start = AbstractState::new(Arc::clone(&slots), slots.variables().iter().map(|&id| initial.of(id)));
    let program = Program {
        structure: &structure,
        max_held: max_held(document.document),
        control: &control,
        effects: &effects,
        names: &names,
        slots: &slots,
        liveness: &liveness,
        passing: &passing,
        unions: &unions,
        colliding: &colliding,
        changing_inputs: &changing_inputs,
        calls: &calls,
        choices: &choices,
    };
    let mut paths = Interpreter::new(program).run(start.for_exploration());
    if paths.has_to_be_explained() {
        paths.explain(Interpreter::new(program).explaining().run(start.for_exploration()));
    }
    Analysis {
        file: document.file,
        document: document.document,
        workflow,
        scope,
        names,
        effects,
        control,
        paths,
        structure,
        loop_outcomes: RefCell::default(),
        mistyped,
        start,
        slots,
        liveness,
        passing,
        unions,
        colliding,
        changing_inputs,
        calls,
        choices,
        output_calls,
    }
}
