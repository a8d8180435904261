//! Dry runs: a scenario says what people do, and a run shows what the order does, on a virtual
//! clock and with simulated providers. Nothing leaves the machine (docs/scenarios.md).
//!
//! `load` reads scenarios and the documents that they name, a [`Session`] plans and runs them, `run`
//! is the state of one run, `activity`, `providers` and `submit` change it, `trace` records what
//! happened, and `expect` compares that with the scenario.

mod activity;
mod assumption;
mod clock;
mod comparison;
mod coverage;
mod expect;
mod load;
mod names;
mod plan;
mod program;
mod providers;
mod quote;
mod redact;
mod run;
mod sandboxes;
pub mod scenario;
mod scenario_index;
mod schedule;
mod session;
mod sink;
mod stop;
pub mod submit;
#[cfg(test)]
mod tests;
mod text;
mod trace;
mod trial;
mod unused;
mod variables;

pub use activity::{SIMULATED_FAILURE, begin, continue_run};
pub use assumption::Assumption;
pub use clock::{Due, Priority};
pub use clock::{Instant, show_duration};
pub use comparison::{Condition, equal};
pub use coverage::{Branch, Count, Coverage, Covered, LoopVisits, taken};
pub use expect::Check;
pub use load::{Loaded, LoadedDocument, LoadedScenario, Request, is_scenario, load, load_unsaved};
pub use plan::{FormPlan, Plan, Prepared};
pub use providers::esign::PendingParty;
pub use providers::esign::act;
pub use quote::{quote, quote_value};
pub use redact::redact_errors;
pub use run::{ApprovalAnswer, ApprovalFrame, ApprovalStep, Frame, LoopFrame, Run, Timer, Waiting, is_impure};
pub use run::{CallOutputs, LookedUp, Lookup, MadeUpDirectories, MadeUpDirectory, Question, Search};
pub use run::{Ended, run};
pub use run::{GENERATED_ID_DIGITS, GENERATED_ID_PREFIX};
pub use sandboxes::Sandboxes;
pub use scenario::SigningAction;
pub use scenario_index::ScenarioIndex;
pub use session::Session;
pub use sink::{FinishedScenario, ScenarioSink, SessionSummary};
pub use stop::{Failure, Stop};
pub use text::{Text, number, translation};
pub use trace::{Call, CaseEvent, Event, Mail, Record, Repeat, TraceEntry, UnsetRead, times};
pub use trial::Replacement;
pub use variables::{Slot, Values, VariableTable};
