//! Control flow and data flow of a service's workflows: facts only, rules decide which of them are faults.
//!
//! Read `effects` first: what each activity reads and writes (`collector`, `outputs` and `scope` find that out, `usage` is
//! the index of it for the whole service). `control` is the control-flow graph. `interpreter` runs a workflow abstractly along
//! every path, from the `state` at its `start`, and records `paths`; `transfer` and `refinement` say what activities and
//! conditions do to a state. Values are followed by queries to it (`path_query`): `taint`, `store`, and some facts.

mod analysis;
mod analyze;
mod calls;
mod collector;
mod control;
mod decisions;
mod effects;
mod interpreter;
mod liveness;
mod loop_outcome;
mod outputs;
mod path_query;
mod paths;
mod placeholders;
mod program_slice;
mod refinement;
mod scope;
mod start;
mod state;
mod state_sets;
mod store;
mod taint;
#[cfg(test)]
mod tests;
mod transfer;
mod usage;
mod value;

pub use analysis::Analysis;
pub use analyze::analyze;
pub use collector::MistypedOutput;
pub use control::{ControlFlow, Flow, Step};
pub use effects::{
    Condition, Effects, FormUsers, Hidden, OpaqueActivities, OperandValue, Read, VarId, VariableNames, Write, Writer,
    Written, all_writes,
};
pub use outputs::{Origin, Prefix, ProviderOutput, ProviderOutputs, Receiver, properties};
pub use path_query::{PathQuery, PointsBefore, QueryFacts};
pub use paths::{LoopOutcome, Outcomes, Overwrite, OverwritePaths, Paths, Reason, Unassigned};
pub use placeholders::{Placeholder, braces, placeholders, placeholders_of};
pub use scope::{Resolution, Scope, Suggestion};
pub use state::{Decision, DecisionTrail};
pub use store::{Store, StoreQuery, StoreUse};
pub use taint::{TaintPath, TaintPolicy, TaintSink, TaintSource, TaintStep, Transfer};
pub use usage::{FieldTarget, Usage};
