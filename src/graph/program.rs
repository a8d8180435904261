//! The input of the abstract interpreter.

use super::calls::Call;
use super::constant::Constant;
use super::control::ControlFlow;
use super::effects::{Effects, VarId, VariableNames};
use super::liveness::Liveness;
use super::slots::Slots;
use super::structure::Structure;
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
    /// Entries of states that may be held at one time.
    pub max_held: usize,
    /// Variables that different provider calls write.
    pub colliding: &'a HashSet<VarId>,
    /// Inputs of repeated provider calls that may change between two of them.
    pub changing_inputs: &'a HashSet<VarId>,
    /// Those of provider activities.
    pub calls: &'a HashMap<ActivityId, Call<'p>>,
}

/// A case status that every lookup returns, to find out whether a loop handles it.
#[derive(Debug, Clone)]
pub struct FixedStatus {
    pub variable: VarId,
    pub status: Constant,
}
