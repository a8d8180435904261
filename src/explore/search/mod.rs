//! A uniform-cost search over the states of the simulator, until all are known (Russell and Norvig, Artificial
//! Intelligence, 3.4.2): `point` says where something is decided, `moves` what can happen there, `key` which states are
//! the same, `liveness` what still matters in them, `jump` how time passes in loops, and `cycles` which runs never end.

mod choice;
mod cycles;
mod explorer;
mod found;
mod future_reads;
mod jump;
mod key;
mod liveness;
mod lookups;
mod moves;
mod nodes;
mod observed;
mod oracle;
mod people;
mod point;
mod reads;
mod rerun;
mod search_run;
mod segment;
mod verdicts;
mod watch;

pub use choice::{Act, Alternatives, ApprovalRun, Choice, FieldChoices, LookupAnswer};
pub use explorer::{Explorer, Settings};
pub use found::{FoundEnd, FoundRun, Step};
pub use observed::Observation;
pub use oracle::{CallOutputs, SIMULATED_FAILURE, SearchOracle};
pub use people::{ignored, pending};
pub use reads::own_reads;
pub use search_run::SearchRun;
pub use verdicts::judge;
pub use watch::{Claim, Watch};
