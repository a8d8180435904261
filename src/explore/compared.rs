//! The texts that conditions compare variables with.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::graph::placeholders;
use crate::model::{ActivityKind, Binding, Literal};
use crate::simulate::{Plan, Slot};

/// The texts with which each variable, or a copy of it, is compared.
pub struct Compared {
    texts: BTreeMap<Slot, BTreeSet<Arc<str>>>,
}

impl Compared {
    /// `values`: those that variables may have at the start.
    pub fn new(plan: &Plan<'_>, values: impl Fn(Slot) -> Vec<Arc<str>>) -> Self {
        let mut compared = Self { texts: BTreeMap::new() };
        let mut copies = Vec::new();
        for activity in &plan.workflow.activities {
            if let Some(expression) = activity.expression() {
                for (one, other) in [(&expression.left, &expression.right), (&expression.right, &expression.left)] {
                    let slot = one.get().and_then(Binding::target).and_then(|(_, name)| plan.names.slot(name));
                    let Some(slot) = slot else { continue };
                    compared.texts.entry(slot).or_default().extend(other.get().and_then(text));
                    let other = other.get().and_then(Binding::target).and_then(|(_, name)| plan.names.slot(name));
                    if let Some(other) = other {
                        compared.texts.entry(slot).or_default().extend(values(other));
                    }
                }
            }
            if let ActivityKind::Assign(assign) = &activity.kind
                && let Some(body) = assign.body.value()
                && let Some(placeholder) = placeholders(body).next().filter(|it| it.range == (0..body.len()))
                && let Some(from) = plan.names.slot(placeholder.name)
                && let Some(to) = assign.result.get().and_then(Binding::target)
            {
                copies.extend(plan.names.slot(to.1).map(|to| (from, to)));
            }
        }
        compared.add_copies(&copies);
        compared
    }

    /// Sorted.
    pub fn texts(&self, slot: Slot) -> impl Iterator<Item = &Arc<str>> {
        self.texts.get(&slot).into_iter().flatten()
    }

    /// Adds the texts of each copy to its original.
    fn add_copies(&mut self, copies: &[(Slot, Slot)]) {
        loop {
            let mut has_changed = false;
            for (from, to) in copies {
                let texts = self.texts.get(to).cloned().unwrap_or_default();
                let known = self.texts.entry(*from).or_default();
                let before = known.len();
                known.extend(texts);
                has_changed |= known.len() > before;
            }
            if !has_changed {
                return;
            }
        }
    }
}

fn text(binding: &Binding<'_>) -> Option<Arc<str>> {
    if binding.target().is_some() {
        return None;
    }
    Some(Arc::from(match binding.literal()?.1 {
        Literal::Null => return None,
        Literal::Boolean(true) => "true",
        Literal::Boolean(false) => "false",
        Literal::Number(text) | Literal::Text(text) => text,
    }))
}
