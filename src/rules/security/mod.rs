//! `WF9`: security and privacy.

pub mod insecure_uri;
