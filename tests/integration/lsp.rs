//! `wflint lsp`: the process, with a client that speaks the protocol.

mod client;
mod findings;
mod lifecycle;
mod typing;
