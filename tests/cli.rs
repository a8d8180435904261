//! The command line: what users and other programs rely on.

mod support;

mod cli {
    mod arguments;
    mod choosing;
    mod commands;
    mod config;
    mod config_rules;
    mod output;
    mod paths;
    mod processes;
    mod safety;
    mod services;
    mod stdin;
    mod walking;
}
