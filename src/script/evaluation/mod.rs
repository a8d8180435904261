//! Runs the scripts of Code activities while documents are linted: in the sandbox, on generated values
//! for parameters whose values only an order provides.

mod budget;
mod cache;
mod evaluator;
mod outcome;
mod probe;
mod request;
mod runs;
mod values;

pub use evaluator::Evaluator;
pub use outcome::{Evaluation, Example};
pub use probe::{Concatenation, probe};
pub use request::{EvaluationRequest, ScriptInput, ScriptParameter};
