//! What a change means for orders, as plain data for reports.

use std::sync::Arc;

use crate::explore::{Ending, ExploredService};

/// What a change means for orders.
#[derive(Debug, Clone, Default)]
pub struct Orders {
    /// Whether all that orders can do was seen on both sides.
    pub is_complete: bool,
    /// Why the exploration is not complete.
    pub reasons: Vec<String>,
    /// How many ends are on both sides.
    pub same: usize,
    pub ends: Sides<OrderEnd>,
    /// Approvals with how they can be decided: `Manager approval: approved`.
    pub approvals: Sides<String>,
    /// Methods that can be called.
    pub calls: Sides<String>,
    /// Kinds of mails that can be sent.
    pub mails: Sides<String>,
}

/// What only one side has.
#[derive(Debug, Clone)]
pub struct Sides<T> {
    pub gone: Vec<T>,
    pub new: Vec<T>,
}

impl<T> Default for Sides<T> {
    fn default() -> Self {
        Self { gone: Vec::new(), new: Vec::new() }
    }
}

impl<T> Sides<T> {
    pub const fn is_empty(&self) -> bool {
        self.gone.is_empty() && self.new.is_empty()
    }
}

/// An end of orders.
#[derive(Debug, Clone)]
pub struct OrderEnd {
    pub ending: Ending,
    /// Where it happens.
    pub activity: Option<String>,
    /// The last published status.
    pub status: Option<String>,
    /// The service that has this end, and the number of the end there.
    pub service: Arc<ExploredService>,
    pub number: usize,
}
