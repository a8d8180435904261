//! The input of the abstract interpreter.

use super::constant::Constant;
use super::control::ControlFlow;
use super::effects::{Effects, VarId, VariableNames};
use super::liveness::Liveness;
use super::slots::Slots;
use crate::collections::{HashMap, HashSet};
use crate::model::{ActivityId, Workflow};

/// A workflow, prepared for the abstract interpreter.
#[derive(Debug, Clone, Copy)]
pub struct Program<'a, 'p> {
    pub workflow: &'a Workflow<'p>,
    pub control: &'a ControlFlow,
    /// By activity.
    pub effects: &'a [Effects<'p>],
    pub names: &'a VariableNames<'p>,
    pub slots: &'a Slots,
    pub liveness: &'a Liveness,
    /// Variables that different provider calls write.
    pub colliding: &'a HashSet<VarId>,
    /// Fingerprints of the provider calls: equal for a repeated call.
    pub calls: &'a HashMap<ActivityId, u64>,
}

/// A case status that every lookup returns, to find out whether a loop handles it.
#[derive(Debug, Clone)]
pub struct FixedStatus {
    pub variable: VarId,
    pub status: Constant,
}
