//! Dry runs: a scenario says what people do, and a run shows what the order does, on a virtual clock and with simulated
//! providers. Nothing leaves the machine (docs/scenarios.md).
//!
//! To read the interpreter in one sitting: `program` (the workflow, compiled), `run` (the state of a run and its stack),
//! `activities` (the step loop, a function for each type), `approvals`, `providers`, `clock` and `timers`; an [`Oracle`] says
//! what is not known before. Around it: `scenario` and `load` read files, `submit` fills in the form, `trace` records, `ending`
//! compares, and a [`Session`] runs many scenarios. docs/runs.md says how runs, searches and replays relate.

mod activities;
mod approvals;
mod clock;
mod coverage;
mod ending;
mod events;
mod load;
mod oracle;
mod plan;
mod program;
mod providers;
mod redact;
mod run;
pub mod scenario;
mod scripts;
mod secrets;
mod session;
mod strings;
pub mod subjects;
pub mod submit;
#[cfg(test)]
mod tests;
mod timers;
mod trace;
mod values;
mod variables;
mod words;

pub use crate::project::is_scenario;
pub use activities::{begin, continue_run};
pub use clock::{Due, Instant, Priority, show_duration};
pub use coverage::{Branch, Count, Coverage, Covered, LoopVisits, taken};
pub use ending::{Check, Ended, run};
pub use events::{
    MAX_EVENT_VALUE, RunEvent, RunEventKind, Warnings, ended_words, events, events_until, milliseconds, status_value,
    steps,
};
pub use load::{Loaded, LoadedDocument, LoadedScenario, Request, load, load_unsaved};
pub use oracle::{CallResult, CallSite, LookedUp, Lookup, LookupOfCall, Oracle, ScenarioOracle};
pub use plan::{FormPlan, Plan, Prepared, ScenarioIndex};
pub use providers::{CallError, Output, Outputs, PendingParty, act};
pub use redact::redact_errors;
pub use run::{
    ApprovalAnswer, ApprovalFrame, ApprovalStep, Checkpoint, Frame, GENERATED_ID_DIGITS, GENERATED_ID_PREFIX,
    LoopFrame, Run, Timer, Waiting,
};
pub use scenario::SigningAction;
pub use scripts::{Sandboxes, Scripts, is_impure};
pub use session::{FinishedScenario, Replacement, ScenarioSink, Session, SessionSummary};
pub use strings::{ConditionText, Text, equal, number, quote, quote_value, translation};
pub use trace::{Call, CaseEvent, Event, Failure, Mail, Record, Repeat, Stop, TraceEntry, UnsetRead, times};
pub use variables::{Slot, Values, VariableTable};
pub use words::{EventWords, rounds};
