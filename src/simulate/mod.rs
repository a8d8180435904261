//! Dry runs: a scenario says what people do, and a run shows what the order does, on a virtual
//! clock and with simulated providers. Nothing leaves the machine (docs/scenarios.md).

mod activity;
mod assumption;
mod clock;
mod coverage;
mod expect;
mod find;
mod load;
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
mod trace;
mod unused;
mod variables;

pub use activity::sides;
pub use assumption::Assumption;
pub use clock::{Instant, show_duration};
pub use coverage::Coverage;
pub use expect::Check;
pub use load::{Loaded, Request, load};
pub use plan::Plan;
pub use quote::quote;
pub use run::Ended;
pub use session::Session;
pub use sink::{FinishedScenario, ScenarioSink, SessionSummary};
pub use stop::{Failure, Stop};
pub use trace::{Call, CaseEvent, Entry, Event, Mail, Record, Text};
pub use variables::Slot;
