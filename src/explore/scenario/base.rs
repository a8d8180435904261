//! The scenario that all runs of a service begin with.

use serde_json::{Map, Value, json};

use crate::explore::inputs::Inputs;
use crate::explore::order::Order;
use crate::synth::Submitted;

/// The scenario that all runs of a service begin with.
pub fn base(order: &Order<'_>, inputs: &Inputs) -> Map<String, Value> {
    let mut map = Map::new();
    map.insert("workflow".to_owned(), json!(order.workflow_name));
    if let Some(form) = &order.form_name {
        map.insert("form".to_owned(), json!(form));
    }
    let values = |entries: &[(String, Submitted)]| -> Map<String, Value> {
        entries.iter().map(|(name, value)| (name.clone(), value_of(value))).collect()
    };
    if !inputs.submit.is_empty() {
        map.insert("submit".to_owned(), Value::Object(values(&inputs.submit)));
    }
    if !inputs.variables.is_empty() {
        map.insert("variables".to_owned(), Value::Object(values(&inputs.variables)));
    }
    if let Some((name, _)) = &order.directory {
        map.insert("directory".to_owned(), json!(name));
    } else if !inputs.people.is_empty() {
        map.insert("directory".to_owned(), json!(inputs.people));
    }
    map
}

pub fn value_of(value: &Submitted) -> Value {
    match value {
        Submitted::Text(text) => json!(text),
        Submitted::File(file) => json!({ "file": file }),
    }
}
