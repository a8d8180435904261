//! `wflint diff`: what a change means.

mod changes;
mod data;
mod folders;
mod hidden;
mod properties;
