//! `wflint init`: starter files, which hold what they say.

mod config;
mod fields;
mod files;
mod scenario;
