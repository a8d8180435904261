//! `wflint diff`: what a change means.

mod attack;
mod changes;
mod data;
mod folders;
mod git;
mod hidden;
mod markdown;
mod orders;
mod properties;
