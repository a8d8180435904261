//! `wflint --simulate`: examples, reports, exit codes, hostile scripts, and invalid scenarios.

mod calls;
mod coverage;
mod ending;
mod examples;
mod form;
mod hostile;
mod instants;
mod names;
pub mod order;
mod problems;
mod rounds;
mod shown;
mod signing;
mod sinks;
mod suggest;
mod timeline;
