//! `wflint --simulate` from outside: the examples, output, exit codes, hostile scripts, and
//! properties of every run.

mod examples;
mod hostile;
mod problems;
mod shown;
mod sinks;
