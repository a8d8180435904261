//! Decisions of a search, where a scenario would say what happens.

use std::rc::Rc;
use std::sync::Arc;

use super::scripts::ScriptCache;
use crate::collections::HashMap;
use crate::ldap::Directory;
use crate::model::ActivityId;
use crate::simulate::variables::Slot;

/// The outputs of a call, without the prefix.
pub type CallOutputs = Vec<(String, Arc<str>)>;

/// The decisions of a search for the next step.
#[derive(Clone, Default)]
pub struct Search {
    /// Taken in this order.
    pub decided: Vec<usize>,
    /// How many of them the step has taken.
    pub taken: usize,
    /// The question to decide before the step can run.
    pub open: Option<Question>,
    /// The possible results of the call of each activity.
    pub results: Rc<HashMap<ActivityId, Vec<CallOutputs>>>,
    /// Variables whose field is not chosen yet, and that nothing has written since; sorted.
    pub open_fields: Vec<Slot>,
    /// The directory that is made up; `None` when one is given.
    pub directory: Option<Rc<dyn MadeUpDirectory>>,
    pub scripts: Rc<ScriptCache>,
    /// Lookups that failed as no entry can be made that they find.
    pub only_failing: Vec<ActivityId>,
}

impl Search {
    /// Whether the field of a variable is not chosen yet.
    pub fn is_open(&self, variable: Slot) -> bool {
        self.open_fields.binary_search(&variable).is_ok()
    }

    /// Notes that the field of a variable is chosen, or that the variable is written.
    pub fn close(&mut self, variable: Slot) {
        if let Ok(at) = self.open_fields.binary_search(&variable) {
            self.open_fields.remove(at);
        }
    }
}

/// Something that a search decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Whether a call succeeds (0) or fails (1).
    Call(ActivityId),
    /// Which result a call has, of this number of results.
    Result(ActivityId, usize),
    /// Which answer a lookup gets, of this number of answers.
    Lookup(ActivityId, usize),
}

impl Question {
    /// The activity whose call asks.
    pub const fn activity(self) -> ActivityId {
        match self {
            Self::Call(activity) | Self::Result(activity, _) | Self::Lookup(activity, _) => activity,
        }
    }
}

/// A question to the directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lookup<'l> {
    pub identity: &'l str,
    /// The properties that the call asks for.
    pub properties: Vec<String>,
    pub filter: Option<&'l str>,
    pub of: LookedUp,
}

/// What a lookup returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LookedUp {
    User,
    /// The members of a group.
    Members,
    /// The manager so many levels up.
    Manager(u32),
    /// The manager without a manager.
    TopManager,
}

/// Directories of which one is chosen.
pub type MadeUpDirectories = Rc<[Rc<dyn MadeUpDirectory>]>;

/// A directory that is made up lookup by lookup.
pub trait MadeUpDirectory {
    /// For each possible answer to a lookup, the directory with the entries that give it; below two, the lookup is no
    /// choice.
    fn answered(&self, lookup: &Lookup<'_>) -> MadeUpDirectories;
    /// Whether a lookup can only fail, as no entry can match its filter or have its identity.
    fn only_fails(&self, lookup: &Lookup<'_>) -> bool;
    fn directory(&self) -> Arc<Directory>;
    fn as_any(&self) -> &dyn std::any::Any;
}
