//! `wflint lsp`: the process, with a client that speaks the protocol.

mod actions;
mod client;
mod findings;
mod lifecycle;
mod navigation;
#[cfg(target_os = "linux")]
mod stale;
mod typing;
