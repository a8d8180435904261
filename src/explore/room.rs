//! How much the runs that are shown of a service may hold.

use std::cell::Cell;

use serde_json::Value;

/// Bytes of the scenarios of a service's ends and broken laws, more or less. Each end may need a scenario that is as
/// long as the workflow.
const MAX_SHOWN: usize = 64 << 20;
/// Bytes of a value, with its place in an array or an object.
const VALUE: usize = 96;

/// The room for the scenarios of one service.
#[derive(Debug)]
pub struct Room {
    left: Cell<usize>,
    is_exceeded: Cell<bool>,
}

impl Room {
    pub const fn new() -> Self {
        Self { left: Cell::new(MAX_SHOWN), is_exceeded: Cell::new(false) }
    }

    /// Whether there is room for a scenario and so many other parts. There is none once one was too large.
    pub fn has(&self, scenario: &Value, others: usize) -> bool {
        let bytes = size(scenario) + others * VALUE;
        match self.left.get().checked_sub(bytes).filter(|_| !self.is_exceeded.get()) {
            Some(left) => self.left.set(left),
            None => self.is_exceeded.set(true),
        }
        !self.is_exceeded.get()
    }

    pub const fn is_exceeded(&self) -> bool {
        self.is_exceeded.get()
    }
}

fn size(value: &Value) -> usize {
    let inside = match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(size).sum(),
        Value::Object(entries) => entries.iter().map(|(key, value)| VALUE + key.len() + size(value)).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    VALUE + inside
}
