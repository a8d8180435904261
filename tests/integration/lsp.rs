//! `wflint lsp`: the process, with a client that speaks the protocol.

mod actions;
mod beside;
mod client;
mod completion;
mod drawing;
mod findings;
mod lifecycle;
mod named_files;
mod navigation;
mod own_rules;
mod plays;
mod runs;
mod saved;
mod settings;
mod slow_scripts;
#[cfg(target_os = "linux")]
mod stale;
mod trace;
mod typing;
