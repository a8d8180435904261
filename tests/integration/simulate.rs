//! `wflint --simulate` from outside: the examples, what is shown, exit codes, hostile scripts, and
//! what holds for every run.

mod examples;
mod hostile;
mod problems;
mod shown;
mod sinks;
