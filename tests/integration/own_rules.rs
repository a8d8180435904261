//! Rules of a team's own, beside those of wflint.

mod commands;
mod configuration;
mod cookbook;
pub mod findings;
mod fixes;
mod formats;
mod problems;
