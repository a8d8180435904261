//! `interface.json`: the one description of what rules pass and get. The checks of the prelude, the declarations and the
//! reference are made from it.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Value, json};

static INTERFACE: LazyLock<Interface> =
    // Compiled into the program; a test reads it.
    LazyLock::new(|| serde_json::from_str(include_str!("../interface.json")).unwrap_or_default());

#[derive(Debug, Default, Deserialize)]
pub(super) struct Interface {
    pub shapes: BTreeMap<String, Shape>,
    /// Name, type of the node, description.
    pub visitors: Vec<(String, String, String)>,
}

/// An object.
#[derive(Debug, Deserialize)]
pub(super) struct Shape {
    pub about: String,
    pub members: Vec<Member>,
}

/// Key, with `?` if it may be absent; type; description.
#[derive(Debug, Deserialize)]
pub(super) struct Member(pub String, pub String, pub String);

impl Member {
    pub fn key(&self) -> &str {
        self.0.trim_end_matches('?')
    }

    pub fn is_optional(&self) -> bool {
        self.0.ends_with('?')
    }
}

pub(super) fn interface() -> &'static Interface {
    &INTERFACE
}

/// The shapes as the prelude checks them, as JSON.
pub(super) fn checked_shapes() -> String {
    let shape = |shape: &Shape| {
        let member = |it: &Member| json!({ "key": it.key(), "type": it.1, "isOptional": it.is_optional() });
        let known: Vec<&str> = shape.members.iter().map(Member::key).collect();
        json!({ "members": shape.members.iter().map(member).collect::<Vec<_>>(), "known": known })
    };
    let shapes: BTreeMap<&str, Value> =
        interface().shapes.iter().map(|(name, it)| (name.as_str(), shape(it))).collect();
    json!(shapes).to_string()
}

/// The names of the visitors, as JSON.
pub(super) fn visitor_names() -> String {
    json!(interface().visitors.iter().map(|(name, ..)| name).collect::<Vec<_>>()).to_string()
}
