//! The JavaScript of Code activities.

pub mod sandbox;

pub use sandbox::{Answer, Job, JsonVariable, Sandbox, ScriptFailure};
