//! Which workflows of a service write a variable.

use std::borrow::Cow;

use super::effects::{Effects, VariableNames};
use super::form_users::all_writes;
use crate::collections::{HashMap, PrefixMap};
use crate::diagnostic::FileId;

/// Which workflows of a service write a variable: to each of them, the others are outside writers.
#[derive(Debug, Default)]
pub struct WritersByWorkflow<'p> {
    /// By the name of the variable.
    names: HashMap<Cow<'p, str>, Workflows>,
    /// By the prefix of the variables that they may write.
    prefixes: PrefixMap<Workflows>,
}

/// Some workflows of a service.
#[derive(Debug, Clone, Copy, Default)]
enum Workflows {
    #[default]
    None,
    One(FileId),
    Several,
}

impl<'p> WritersByWorkflow<'p> {
    /// Adds what the activities of a workflow write.
    pub fn add(&mut self, workflow: FileId, names: &VariableNames<'p>, effects: &[Effects<'p>]) {
        for write in all_writes(effects) {
            self.names.entry(names.to_kept(write.variable)).or_default().add(workflow);
        }
        for effects in effects {
            if let Some(prefix) = effects.may_write {
                self.prefixes.of(prefix).add(workflow);
            }
        }
    }

    /// Whether a workflow other than this one writes the variable, or may.
    pub fn is_written_outside(&self, workflow: FileId, name: &str) -> bool {
        self.names.get(name).is_some_and(|writers| writers.has_other_than(workflow))
            || self.prefixes.prefixes(name).any(|(_, writers)| writers.has_other_than(workflow))
    }
}

impl Workflows {
    fn add(&mut self, workflow: FileId) {
        *self = match *self {
            Self::None => Self::One(workflow),
            Self::One(known) if known == workflow => return,
            Self::One(_) | Self::Several => Self::Several,
        };
    }

    fn has_other_than(self, workflow: FileId) -> bool {
        match self {
            Self::None => false,
            Self::One(known) => known != workflow,
            Self::Several => true,
        }
    }
}
