//! The JavaScript of Code activities.

pub mod origin;
pub mod sandbox;

pub use sandbox::{Answer, Job, JsonVariable, Sandbox, ScriptFailure};
