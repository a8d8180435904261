//! Control flow and data flow of a service's workflows.
//!
//! `effects` says what each activity reads and writes, `control` in which order activities run. `interpreter` runs a
//! workflow abstractly along every path, and `paths` holds what it saw; `taint` follows values. This layer only
//! observes: what is wrong with it, rules decide.

mod adopt;
mod analysis;
mod analyze;
mod calls;
mod collected;
mod constant;
mod control;
mod effects;
mod interpreter;
mod liveness;
mod mistyped;
mod outputs;
mod paths;
mod placeholder;
mod program;
mod scope;
mod slots;
mod start;
mod state;
mod store;
mod taint;
mod usage;
mod value;

pub use analysis::{Analysis, LoopOutcome};
pub use analyze::analyze;
pub use control::{ControlFlow, Flow, Step};
pub use effects::{Condition, Effects, OperandValue, Read, VarId, VariableNames, Write, Writer, Written};
pub use mistyped::Mistyped;
pub use outputs::{Origin, Prefix, ProviderOutput, ProviderOutputs, Receiver, properties};
pub use paths::{Decision, Outcomes, Paths, Unassigned};
pub use placeholder::{Placeholder, placeholders};
pub use scope::{Meant, Resolution, Scope};
pub use store::{StoreQuery, StoreUse};
pub use taint::{TaintAnalysis, TaintPath, TaintPolicy, TaintSource, TaintStep, Transfer, variables_flowing_into};
pub use usage::Usage;
