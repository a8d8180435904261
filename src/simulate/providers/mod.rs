//! Provider activities: `call` resolves and checks the parameters (`arguments`), asks the oracle, and calls the simulated
//! method, which is one of the directory (docs/scenarios.md, The directory) or of e-signature.

mod arguments;
mod call;
mod directory;
mod esign;

pub use arguments::{CallError, Output, Outputs};
pub use call::run;
pub use esign::{Cases, PendingParty, act, expire, remind};
