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
mod control;
mod decision_trail;
mod decisions;
mod effects;
mod form_users;
mod interpreter;
mod liveness;
mod loop_outcome;
mod mistyped;
mod outputs;
mod passthrough;
mod path_query;
mod paths;
mod placeholder;
mod program_slice;
mod refinement;
mod scope;
mod start;
mod state;
mod store;
mod taint;
#[cfg(test)]
mod tests;
mod transfer;
mod unions;
mod usage;
mod value;
mod visited;
mod workflow_effects;
mod writers;

pub use analysis::Analysis;
pub use analyze::analyze;
pub use control::{ControlFlow, Flow, Step};
pub use decision_trail::{Decision, DecisionTrail};
pub use effects::{
    Condition, Effects, Hidden, OpaqueActivities, OperandValue, Read, VarId, VariableNames, Write, Writer, Written,
};
pub use form_users::{FormUsers, all_writes};
pub use mistyped::MistypedOutput;
pub use outputs::{Origin, Prefix, ProviderOutput, ProviderOutputs, Receiver, properties};
pub use path_query::{PathQuery, PointsBefore, QueryFacts};
pub use paths::{LoopOutcome, Outcomes, Overwrite, OverwritePaths, Paths, Reason, Unassigned};
pub use placeholder::{Placeholder, placeholders};
pub use scope::{Resolution, Scope, Suggestion};
pub use store::{Store, StoreQuery, StoreUse};
pub use taint::{TaintPath, TaintPolicy, TaintSink, TaintSource, TaintStep, Transfer};
pub use usage::{FieldTarget, Usage};
pub use writers::WritersByWorkflow;
