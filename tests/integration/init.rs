//! `wflint init`: starter files, which hold what they say.

mod all;
mod config;
mod fields;
mod files;
mod scenario;
