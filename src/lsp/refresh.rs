//! Tells the client which requests to repeat because something outside of their document changed.

use gen_lsp_types::{CodeLensRefreshRequest, InlayHintRefreshRequest};

use super::stale::Stale;
use super::state::Server;

/// Asks the client to ask again, if it can.
pub fn refresh(server: &mut Server) {
    let Stale { hints, lenses } = std::mem::take(&mut server.stale);
    if hints && server.client.refreshes_hints {
        server.outbox.request::<InlayHintRefreshRequest>(&());
    }
    if lenses && server.client.refreshes_lenses {
        server.outbox.request::<CodeLensRefreshRequest>(&());
    }
}
