//! In place of `host.rs` in WebAssembly, which has no signals and servers.

use std::path::Path;

use super::graph::GraphOptions;
use super::world::{Exit, Failure, World};

/// Enters the folder that the host names, and sets the one of temporary files: WASI has neither.
pub(super) fn prepare() {
    if let Some(current) = std::env::var_os("PWD") {
        // The root otherwise.
        let _ = std::env::set_current_dir(current);
    }
    let _ = tempfile::env::override_temp_dir(Path::new("/tmp"));
}

pub(super) fn serve_picture(_: &GraphOptions, _: &mut World<'_>) -> Result<Exit, Failure> {
    Err(Failure::Message("`--serve` needs a network, which WebAssembly has not".to_owned()))
}

pub(super) fn serve_client(_: &World<'_>) -> Result<Exit, Failure> {
    Err(Failure::Message("there is no language server in WebAssembly".to_owned()))
}
