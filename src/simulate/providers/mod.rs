//! Provider activities: `call` resolves and checks the parameters (`arguments`), asks the oracle, and calls the simulated
//! method, which is one of the directory (docs/scenarios.md, The directory) or of e-signature: a `request` creates
//! `cases`, which people sign, reject or let expire (`lifecycle`).

mod arguments;
mod call;
mod cases;
mod directory;
mod lifecycle;
mod request;

pub use arguments::{CallError, Output, Outputs};
pub use call::run;
pub use cases::{Cases, PendingParty};
pub use lifecycle::{act, expire, remind};
