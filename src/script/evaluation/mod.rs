//! Runs the scripts of Code activities while documents are linted: in the sandbox, on sample values for parameters
//! whose values only an order provides.
//!
//! A script is run on several sets of values (`samples`). Each run shows which sites of the script it passes, and which
//! of them made which part of the string in `Json` (`instrument`, `trace.js`). Rules judge the string of each run; a
//! fault is reported only if every run that passes the site that makes it has it. Further sets are derived from what the
//! script compares in these runs (`derived`), and values with quotation marks show what is not escaped (`quoted`).
//!
//! Scripts with the same text and other fixed values share their runs where the values do not matter (`stand_ins`).

mod cache;
mod certain;
mod compiling;
mod correspondence;
mod derived;
mod evaluator;
mod failing_call;
mod fragments;
mod instrument;
mod json_sample;
mod observing;
mod outcome;
mod owned;
mod quoted;
mod request;
mod runner;
mod running;
mod runs;
mod samples;
mod separated;
mod stand_ins;
mod values;

pub use evaluator::Evaluator;
pub use outcome::{Ending, Evaluation, Extent, Failing, Run, RunValue, Stopped, Trace, UNDEFINED};
pub use owned::OwnedRequest;
pub use request::{EvaluationRequest, ScriptInput, ScriptLimits, ScriptParameter};
