//! The targets, which the bounded run of the main package shares.

#![allow(dead_code, reason = "the support of the integration tests is used in part")]

#[path = "../../tests/fuzz/targets.rs"]
pub mod targets;
