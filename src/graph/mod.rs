//! Control flow and data flow of a service's workflows.
//!
//! `effects` is what each activity reads and writes, `control` is the control-flow graph. `interpreter` runs a workflow
//! abstractly along every path and records `paths`. `store` finds dead stores, and `taint` follows values from sources
//! to sinks. This layer only collects facts: rules decide which of them are faults.

mod analysis;
mod analyze;
mod calls;
mod choices;
mod collector;
mod constant;
mod control;
mod decisions;
mod effects;
mod form_users;
mod interpreter;
mod known_values;
mod liveness;
mod mistyped;
mod outputs;
mod passing;
mod path_query;
mod paths;
mod placeholder;
mod points_before;
mod program;
mod refinement;
mod relevance;
mod scope;
mod slots;
mod start;
mod state;
mod store;
mod structure;
mod taint;
#[cfg(test)]
mod tests;
mod trail;
mod transfer;
mod turns;
mod unions;
mod usage;
mod value;
mod visited;
mod workflow_effects;
mod writers;

pub use analysis::Analysis;
pub use analyze::analyze;
pub use control::{ControlFlow, Flow, Step};
pub use effects::{
    Condition, Effects, Hidden, OpaqueActivities, OperandValue, Read, VarId, VariableNames, Write, Writer, Written,
};
pub use form_users::{FormUsers, all_writes};
pub use mistyped::MistypedOutput;
pub use outputs::{Origin, Prefix, ProviderOutput, ProviderOutputs, Receiver, properties};
pub use path_query::{Facts, MAX_QUERY_COST, PathQuery};
pub use paths::{LoopOutcome, Outcomes, Overwrite, OverwritePaths, Paths, Reason, Unassigned};
pub use placeholder::{Placeholder, placeholders};
pub use points_before::PointsBefore;
pub use scope::{Resolution, Scope, Suggestion};
pub use store::{StoreQuery, StoreUse};
pub use taint::{
    FeasiblePaths, TaintAnalysis, TaintPath, TaintPolicy, TaintSource, TaintStep, Transfer, variables_flowing_into,
};
pub use trail::Decision;
pub use usage::{FieldTarget, Usage};
pub use writers::WritersByWorkflow;
