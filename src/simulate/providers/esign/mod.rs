//! The e-signature provider: requests create cases, which people sign, reject or let expire.

mod cases;
mod lifecycle;
mod request;

pub use cases::{Cases, PendingParty};
pub use lifecycle::{act, expire, remind, status};
pub use request::{request, request_json};
