//! A directory that is made up in a search.

use std::cell::RefCell;
use std::rc::Rc;

use super::asked::AskedDirectory;
use crate::simulate::{LookedUp, Lookup};

/// Directories of which one is chosen.
type Directories = Rc<[Rc<SearchedDirectory>]>;

/// A directory that runs of a search share. It caches the last lookup, because a search asks for the possible answers
/// first, and then for each of them.
pub struct SearchedDirectory {
    directory: AskedDirectory,
    last: RefCell<Option<(Question, Directories)>>,
}

/// A [`Lookup`] that owns its strings.
struct Question {
    identity: String,
    properties: Vec<String>,
    filter: Option<String>,
    of: LookedUp,
}

impl Question {
    fn new(lookup: &Lookup<'_>) -> Self {
        Self {
            identity: lookup.identity.to_owned(),
            properties: lookup.properties.clone(),
            filter: lookup.filter.map(str::to_owned),
            of: lookup.of,
        }
    }

    fn is(&self, lookup: &Lookup<'_>) -> bool {
        self.identity == lookup.identity
            && self.properties == lookup.properties
            && self.filter.as_deref() == lookup.filter
            && self.of == lookup.of
    }
}

impl SearchedDirectory {
    pub const fn new(directory: AskedDirectory) -> Self {
        Self { directory, last: RefCell::new(None) }
    }

    /// For each possible answer to a lookup, the directory with the entries that give it; below two, the lookup is no
    /// choice.
    pub fn answered(&self, lookup: &Lookup<'_>) -> Directories {
        if let Some((question, answered)) = &*self.last.borrow()
            && question.is(lookup)
        {
            return Rc::clone(answered);
        }
        let possible = self.directory.possible(lookup);
        let answered: Directories = possible.map(|(_, answered)| Rc::new(Self::new(answered.directory))).collect();
        *self.last.borrow_mut() = Some((Question::new(lookup), Rc::clone(&answered)));
        answered
    }

    /// Whether a lookup can only fail, as no entry can match its filter or have its identity.
    pub fn only_fails(&self, lookup: &Lookup<'_>) -> bool {
        self.directory.only_fails(lookup)
    }

    pub const fn asked(&self) -> &AskedDirectory {
        &self.directory
    }
}
