//! A directory that is made up in a search.

use std::any::Any;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::asked::AskedDirectory;
use crate::ldap::Directory;
use crate::simulate::{LookedUp, Lookup, MadeUpDirectories, MadeUpDirectory};

/// A directory that runs of a search share. It caches the last lookup, because a search asks for the possible answers
/// first, and then for each of them.
pub struct SearchedDirectory {
    directory: AskedDirectory,
    last: RefCell<Option<(Question, MadeUpDirectories)>>,
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
}

impl MadeUpDirectory for SearchedDirectory {
    fn answered(&self, lookup: &Lookup<'_>) -> MadeUpDirectories {
        if let Some((question, answered)) = &*self.last.borrow()
            && question.is(lookup)
        {
            return Rc::clone(answered);
        }
        let possible = self.directory.possible(lookup);
        let answered: MadeUpDirectories =
            possible.map(|(_, answered)| Rc::new(Self::new(answered.directory)) as Rc<dyn MadeUpDirectory>).collect();
        *self.last.borrow_mut() = Some((Question::new(lookup), Rc::clone(&answered)));
        answered
    }

    fn only_fails(&self, lookup: &Lookup<'_>) -> bool {
        self.directory.only_fails(lookup)
    }

    fn directory(&self) -> Arc<Directory> {
        Arc::clone(self.directory.directory())
    }

    fn as_any(&self) -> &dyn Any {
        &self.directory
    }
}
