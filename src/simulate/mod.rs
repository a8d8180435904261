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
mod providers;
mod quote;
mod run;
pub mod scenario;
mod schedule;
mod session;
mod sink;
mod stop;
mod submit;
mod text;
mod trace;
mod unused;
mod variables;

pub use assumption::Assumption;
pub use clock::{Instant, show_duration};
pub use comparison::Condition;
pub use coverage::Coverage;
pub use expect::Check;
pub use load::{Loaded, Request, is_scenario, load, load_unsaved};
pub use plan::Plan;
pub use quote::{quote, quote_value};
pub use run::Ended;
pub use session::Session;
pub use sink::{FinishedScenario, ScenarioSink, SessionSummary};
pub use stop::{Failure, Stop};
pub use text::Text;
pub use trace::{Call, CaseEvent, Event, Mail, Record, Repeat, TraceEntry};
pub use variables::Slot;
