//! The command line: what users and other programs rely on.

mod arguments;
mod baselines;
mod choosing;
mod commands;
mod config;
mod config_rules;
mod false_green;
mod first_word;
mod fixes;
mod output;
mod outside;
mod paths;
mod printing;
mod processes;
mod safety;
mod scripts;
mod services;
mod show_files;
mod show_settings;
mod stdin;
mod suppressions;
mod verbose;
mod walking;
mod whole_fixes;
mod width;
mod written;
