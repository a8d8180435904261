//! The input of the abstract interpreter.

use petgraph::graph::NodeIndex;

use super::calls::Call;
use super::choices::Choices;
use super::constant::Constant;
use super::control::{ControlFlow, Step};
use super::effects::{Effects, VarId, VariableNames};
use super::liveness::Liveness;
use super::passing::Passing;
use super::slots::Slots;
use super::structure::{ShapeKind, Structure};
use super::unions::Unions;
use crate::collections::{HashMap, HashSet};
use crate::document::Document;
use crate::model::ActivityId;

/// Entries of states that the interpreter may hold, however small the document is. An entry takes some 50 bytes.
pub const MIN_HELD: usize = 40_000;
/// Bytes of the document for each further entry.
const BYTES_PER_HELD: usize = 20;

/// How many entries of states an exploration may hold: in proportion to the document, so that the memory of a run is in
/// proportion to its documents.
pub fn max_held(document: &Document) -> usize {
    MIN_HELD + document.span(document.root()).range().len() / BYTES_PER_HELD
}

/// A workflow, prepared for the abstract interpreter.
#[derive(Debug, Clone, Copy)]
pub struct Program<'a, 'p> {
    pub structure: &'a Structure,
    pub control: &'a ControlFlow,
    /// By activity.
    pub effects: &'a [Effects<'p>],
    pub names: &'a VariableNames<'p>,
    pub slots: &'a Slots,
    pub liveness: &'a Liveness,
    pub passing: &'a Passing,
    pub unions: &'a Unions,
    /// Entries of states that may be held at one time.
    pub max_held: usize,
    /// Variables that different provider calls write.
    pub colliding: &'a HashSet<VarId>,
    /// Inputs of repeated provider calls that may change between two of them.
    pub changing_inputs: &'a HashSet<VarId>,
    /// Those of provider activities.
    pub calls: &'a HashMap<ActivityId, Call<'p>>,
    pub choices: &'a Choices,
}

impl Program<'_, '_> {
    /// Whether a point is a Terminate.
    pub fn is_terminate(&self, point: NodeIndex) -> bool {
        let Some(&Step::Run(id)) = self.control.graph.node_weight(point) else { return false };
        self.structure.get(id).is_some_and(|activity| activity.kind == ShapeKind::Terminate)
    }
}

/// A case status that every lookup returns, to find out whether a loop handles it.
#[derive(Debug, Clone)]
pub struct FixedStatus {
    pub variable: VarId,
    pub status: Constant,
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use super::Program;
    use crate::collections::{HashMap, HashSet};
    use crate::config::Types;
    use crate::document::{Document, Limits};
    use crate::graph::control::ControlFlow;
    use crate::graph::effects::{Effects, VariableNames};
    use crate::graph::liveness::Liveness;
    use crate::graph::passing::Passing;
    use crate::graph::slots::Slots;
    use crate::graph::state::AbstractState;
    use crate::graph::structure::Structure;
    use crate::graph::unions::Unions;
    use crate::model::{Lowering, Workflow};
    use crate::suggest::Suggester;

    /// Calls a function with the program of a workflow without variables, and the state in which it starts.
    pub fn with_program<T>(
        activities: &str,
        max_held: usize,
        run: impl FnOnce(Program<'_, '_>, AbstractState) -> T,
    ) -> T {
        let document = Document::parse(format!(r#"{{ "activities": [{activities}] }}"#), Limits::default()).unwrap();
        let (types, suggester) = (Types::default(), Suggester::default());
        let workflow = Workflow::lower(Lowering { document: &document, types: &types, suggester: &suggester });
        let (control, effects) = (ControlFlow::new(&workflow), vec![Effects::default(); workflow.activities.len()]);
        let (names, slots) = (VariableNames::default(), Arc::new(Slots::new(0, |_| false)));
        let structure = Structure::new(&workflow);
        let program = Program {
            structure: &structure,
            control: &control,
            effects: &effects,
            names: &names,
            slots: &slots,
            liveness: &Liveness::new(&control, &slots, &effects),
            passing: &Passing::new(&control, &structure, &slots, &effects, &HashSet::default()),
            unions: &Unions::new(&slots, &effects),
            max_held,
            colliding: &HashSet::default(),
            changing_inputs: &HashSet::default(),
            calls: &HashMap::default(),
            choices: &HashMap::default(),
        };
        run(program, AbstractState::new(Arc::clone(&slots), std::iter::empty()))
    }
}
