//! One run of a scenario.
//!
//! [`Run`] is its state. What activities, providers and the form do to it is in their own modules;
//! here is what they share: steps and limits, variables, the timers of the clock.

mod decisions;
mod ended;
mod execute;
mod frame;
mod schedule;
mod scripts;
mod search;
mod stack;
mod state;
mod stuck;
mod time;
mod values;
mod waiting;

pub use ended::Ended;
pub use execute::run;
pub use frame::{ApprovalAnswer, ApprovalFrame, ApprovalStep, EventsFrame, Frame, LoopFrame};
pub use schedule::{GENERATED_ID_DIGITS, GENERATED_ID_PREFIX};
pub use scripts::{ScriptError, is_impure};
pub use search::{CallOutputs, LookedUp, Lookup, MadeUpDirectories, MadeUpDirectory, Question, Search};

pub use state::{Run, Timer};
pub use waiting::Waiting;
