//! The JavaScript of Code activities and forms.

pub mod evaluation;
pub mod pattern;
pub mod sandbox;
mod stack;
pub mod syntax;

pub use evaluation::{Evaluation, Evaluator};
pub use pattern::pattern_samples;
pub use sandbox::{
    Answer, Confinement, FailureKind, Job, JsonVariable, Memo, Sandbox, SandboxError, ScriptFailure, polls_of,
};
