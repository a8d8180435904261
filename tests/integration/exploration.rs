//! `wflint explore`: its reports, its options, and the scenarios that it writes.

mod command;
mod data;
pub mod formats;
mod hostile;
mod human;
