//! The command line: what users and other programs rely on.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that cannot go on fails"
)]

mod support;

mod cli {
    mod arguments;
    mod baselines;
    mod choosing;
    mod commands;
    mod config;
    mod config_rules;
    mod fixes;
    mod output;
    mod paths;
    mod processes;
    mod safety;
    mod scripts;
    mod services;
    mod stdin;
    mod suppressions;
    mod walking;
}
