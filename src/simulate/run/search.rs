//! Decisions of a search, where a scenario would say what happens.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use super::scripts::ScriptCache;
use crate::collections::HashMap;
use crate::ldap::Directory;
use crate::model::ActivityId;
use crate::simulate::variables::Slot;

/// The outputs of a call, without the prefix.
pub type CallOutputs = Vec<(String, Arc<str>)>;

/// What a search has decided for the step that comes next.
#[derive(Clone, Default)]
pub struct Search {
    /// Taken in this order.
    pub decided: VecDeque<usize>,
    /// What has to be decided before the step can be made.
    pub open: Option<Question>,
    /// By activity, what its call may return.
    pub results: Rc<HashMap<ActivityId, Vec<CallOutputs>>>,
    /// Variables whose field is not chosen yet, and that nothing has written since.
    pub open_fields: Vec<Slot>,
    /// The directory that is made up; `None` when one is given.
    pub directory: Option<Box<dyn MadeUpDirectory>>,
    pub scripts: Rc<ScriptCache>,
    /// Lookups that failed as no entry can be made that they find.
    pub only_failing: Vec<ActivityId>,
}

/// Something that a search decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Whether a call succeeds (0) or fails (1).
    Call(ActivityId),
    /// Which of so many results a call has.
    Result(ActivityId, usize),
    /// Which of so many answers a lookup gets.
    Lookup(ActivityId, usize),
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

/// What a lookup is about.
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

/// A directory that is made up as it is asked.
pub trait MadeUpDirectory {
    /// How many answers are possible; below two, the lookup is no choice.
    fn answers(&self, lookup: &Lookup<'_>) -> usize;
    /// Adds the entries that give a lookup one of its answers.
    fn supply(&mut self, lookup: &Lookup<'_>, answer: usize);
    /// Whether a lookup can only fail, as no entry can match its filter or have its identity.
    fn only_fails(&self, lookup: &Lookup<'_>) -> bool;
    fn directory(&self) -> Arc<Directory>;
    fn copy(&self) -> Box<dyn MadeUpDirectory>;
    fn as_any(&self) -> &dyn std::any::Any;
}

impl Clone for Box<dyn MadeUpDirectory> {
    fn clone(&self) -> Self {
        self.copy()
    }
}
