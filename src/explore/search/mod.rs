//! A uniform-cost search over the states of the simulator, until all are known (Russell and Norvig, Artificial
//! Intelligence, 3.4.2): `oracle` says where something is decided, `moves` what can happen there, `key` which states are
//! the same, `future_reads` what still matters in them, `jump` how time passes in loops, and `cycles` which runs never end.
//! A `recorder` keeps what a reader needs who chooses by hand.

mod choice;
mod cycles;
mod explorer;
mod future_reads;
mod jump;
mod key;
mod moves;
mod nodes;
mod observed;
mod oracle;
mod recorder;
mod rerun;
mod search_run;

pub use choice::{Alternatives, ApprovalRun, Choice, FieldChoices, PossibleResult, SearchDecision};
pub use explorer::{Explorer, Settings};
pub use future_reads::own_reads;
pub use observed::Observation;
pub use oracle::{Point, PossibleResults, Question, SIMULATED_FAILURE, SearchOracle, static_prefix};
pub use recorder::{RecordedMove, RecordedState, Recorder};
pub use rerun::{FoundEnd, FoundRun, Step};
pub use search_run::{Claim, Observers, SearchRun, ignored, judge, pending};
