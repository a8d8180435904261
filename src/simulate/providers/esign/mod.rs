//! The e-signature provider: requests create cases, which people sign, reject or let expire.

mod case;
mod cases;
mod checks;
mod lifecycle;
mod request;
mod status;

pub use cases::{Cases, PendingParty};
pub use lifecycle::{act, expire, remind};
pub use request::{request, request_json};
pub use status::status;
