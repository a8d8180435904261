//! `wflint --simulate`: examples, reports, exit codes, hostile scripts, and invalid scenarios.

mod examples;
mod hostile;
mod problems;
mod shown;
mod sinks;
