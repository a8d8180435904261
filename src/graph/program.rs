//! What the abstract interpreter runs.

use super::constant::Constant;
use super::control::ControlFlow;
use super::effects::{Effects, VarId, VariableNames};
use super::liveness::Liveness;
use super::slots::Slots;
use crate::collections::{HashMap, HashSet};
use crate::model::{ActivityId, Workflow};

/// A workflow as the interpreter runs it.
#[derive(Debug, Clone, Copy)]
pub struct Program<'a, 'p> {
    pub workflow: &'a Workflow<'p>,
    pub control: &'a ControlFlow,
    /// By activity.
    pub effects: &'a [Effects<'p>],
    pub names: &'a VariableNames<'p>,
    /// The variables whose state is kept.
    pub slots: &'a Slots,
    /// Which knowledge is still of use at each point.
    pub liveness: &'a Liveness,
    /// Variables that two provider activities with different input write.
    pub contested: &'a HashSet<VarId>,
    /// What the provider activities ask for, to tell a repeated call from another one.
    pub calls: &'a HashMap<ActivityId, u64>,
}

/// A case status that every lookup gives, for the question whether a loop handles it.
#[derive(Debug, Clone)]
pub struct FixedStatus {
    pub variable: VarId,
    pub status: Constant,
}
