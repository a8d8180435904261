//! Analyzes the workflows of a service: effects first, then what every path knows.

use std::rc::Rc;

use super::adopt::adopt_mistyped;
use super::analysis::Analysis;
use super::calls::{calls, contested};
use super::collected::{Collected, collect, opaque_effects};
use super::control::ControlFlow;
use super::effects::VarId;
use super::interpreter::Interpreter;
use super::liveness::{self, Liveness};
use super::program::Program;
use super::scope::Scope;
use super::slots::Slots;
use super::start::{Start, filled_by_order_forms};
use super::state::AbstractState;
use super::usage::{Usage, WritersByWorkflow};
use crate::collections::HashSet;
use crate::diagnostic::FileId;
use crate::document::NodeId;
use crate::project::ServiceModel;

/// Analyzes the workflows of a service. `scopes` and `form_scopes` hold one scope a workflow and a
/// form, `opaque` the objects of activities that could not be read whole.
pub fn analyze<'p>(
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
            interpret(filled.as_ref(), collected, &usage, &outside)
        })
        .collect();
    (analyses, usage)
}

/// Runs the abstract interpreter over a workflow.
fn interpret<'p>(
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
    let initial = Start { filled, scope: &scope, names: &names, usage, is_written_outside };
    let tested: HashSet<VarId> = effects.iter().flat_map(liveness::tested).collect();
    let is_kept = |id| tested.contains(&id) || contested.contains(&id) || !initial.of(id).assigned;
    let slots = Rc::new(Slots::new(names.len(), is_kept));
    let liveness = Liveness::new(&control, Rc::clone(&slots), &effects);
    let start = AbstractState::new(Rc::clone(&slots), slots.variables().iter().map(|&id| initial.of(id)).collect());
    let program = Program {
        workflow,
        control: &control,
        effects: &effects,
        names: &names,
        slots: &slots,
        liveness: &liveness,
        contested: &contested,
        calls: &calls,
    };
    let paths = Interpreter::new(program).run(start);
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
        slots,
        liveness,
        contested,
        calls,
    }
}
