//! Runs the scripts of Code activities while documents are linted: in the sandbox, on made-up values for parameters
//! whose values only an order provides.
//!
//! A script is run on a few sets of values (`sample_sets`, of `sample_values`). Each run shows which sites of the script
//! it passes, and which of them made which part of the string in `Json` (`traced_run`, `trace.js`). Rules judge the string
//! of each run; a fault is reported only if every run that passes the site that makes it has it. Where the string is
//! joined JSON, the run is repeated with a quotation mark in each value (`quotation_marks`). `script_runs` puts it
//! together, `evaluator` keeps the results.

mod evaluator;
mod outcome;
mod quotation_marks;
mod request;
mod sample_sets;
mod sample_values;
mod script_runs;
mod traced_run;

pub use evaluator::Evaluator;
pub use outcome::{Ending, Evaluation, Extent, Failing, Run, RunValue, Stopped, Trace, UNDEFINED};
pub use request::{EvaluationRequest, ScriptInput, ScriptLimits, ScriptParameter};
