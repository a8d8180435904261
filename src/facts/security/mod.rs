//! What rules about security share: secrets, masked and personal values, where values go, and names that deceive.

pub(super) mod masked;
pub(super) mod secrets;
pub(super) mod sinks;
pub(super) mod spoofing;
