//! Assign: its body is split at the placeholders.

use std::ops::Range;

use super::source::{Readable, Target};
use crate::collections::HashSet;
use crate::document::NodeId;
use crate::graph::placeholders;
use crate::model;
use crate::simulate::variables::{Slot, VariableTable};

#[derive(Debug)]
pub struct Assign<'p> {
    pub body: Readable<Body<'p>>,
    pub result: Readable<Target<'p>>,
}

/// A string with placeholders.
#[derive(Debug, Default)]
pub struct Body<'p> {
    pub parts: Vec<Part<'p>>,
}

#[derive(Debug, Clone)]
pub enum Part<'p> {
    Text(&'p str),
    /// A placeholder, as a range of the string of a node.
    Variable {
        slot: Slot,
        name: &'p str,
        node: NodeId,
        range: Range<usize>,
    },
    /// A placeholder without a variable, the first with its name in the string; those after it are text.
    Undefined {
        name: &'p str,
        text: &'p str,
    },
}

impl<'p> Assign<'p> {
    pub(super) fn of(assign: &model::Assign<'p>, names: &VariableTable) -> Self {
        let body = match assign.body.known() {
            Some((node, body)) => Ok(Body { parts: parts(node, body, names) }),
            None if assign.body.is_unknown() => Err("body"),
            None => Ok(Body::default()),
        };
        let result =
            if assign.result.is_unknown() { Err("result") } else { Ok(Target::of(assign.result.get(), names)) };
        Self { body, result }
    }
}

fn parts<'p>(node: NodeId, body: &'p str, names: &VariableTable) -> Vec<Part<'p>> {
    let mut parts = Vec::new();
    let mut rest = 0;
    let mut undefined = HashSet::default();
    for placeholder in placeholders(body) {
        let name = placeholder.name;
        let range = placeholder.range;
        let slot = names.slot(name);
        if slot.is_none() && !undefined.insert(name) {
            continue;
        }
        parts.extend(text(body, rest..range.start));
        rest = range.end;
        parts.push(match slot {
            Some(slot) => Part::Variable { slot, name, node, range },
            None => Part::Undefined { name, text: body.get(range).unwrap_or_default() },
        });
    }
    parts.extend(text(body, rest..body.len()));
    parts
}

fn text(body: &str, range: Range<usize>) -> Option<Part<'_>> {
    body.get(range).filter(|text| !text.is_empty()).map(Part::Text)
}
