//! Requests that the client has canceled before they were handled.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::message::Incoming;

/// Their ids. Messages that wait are looked at when they arrive, so that a request is known to be canceled before it is
/// its turn.
#[derive(Debug, Clone, Default)]
pub struct Canceled(Arc<Mutex<Vec<Value>>>);

impl Canceled {
    /// Looks at a message that arrives.
    pub fn note(&self, message: &Incoming) {
        if let Some(id) = id_in(message) {
            self.ids().push(id.clone());
        }
    }

    /// Whether a request is canceled.
    pub fn has(&self, id: &Value) -> bool {
        self.ids().contains(id)
    }

    /// Forgets the request that a message cancels, when it is the turn of the message.
    pub fn forget(&self, message: &Incoming) {
        if let Some(id) = id_in(message) {
            let mut ids = self.ids();
            if let Some(index) = ids.iter().position(|known| known == id) {
                ids.swap_remove(index);
            }
        }
    }

    fn ids(&self) -> MutexGuard<'_, Vec<Value>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The request that a message cancels.
fn id_in(message: &Incoming) -> Option<&Value> {
    match message {
        Incoming::Notification { method, params } if method == "$/cancelRequest" => params.get("id"),
        _ => None,
    }
}
