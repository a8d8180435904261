//! Name resolution: which variable a name refers to.

use std::cell::RefCell;
use std::hash::BuildHasher;

use crate::common::collections::{HashMap, HashSet};
use crate::config::Config;
use crate::model::{Binding, Workflow};
use crate::project::{Declarations, Declared};
use crate::text::suggest::Suggester;

/// Undefined names whose nearest variables are remembered; those of others are found again each time.
const MAX_KNOWN: usize = 1 << 16;

/// The variables that a document can use.
#[derive(Debug)]
pub struct Scope<'p> {
    pub declarations: Declarations<'p>,
    pub config: &'p Config,
    pub suggester: &'p Suggester,
    /// The results of `nearest` by the hash of the undefined name: several rules ask for each, and there may be very
    /// many.
    nearest: RefCell<HashMap<u64, Option<Box<str>>>>,
    /// Undeclared names for which some binding sets `isBoundToSystemVariable`.
    bound_as_system: HashSet<&'p str>,
}

#[derive(Debug, Clone, Copy)]
pub enum Resolution<'s, 'p> {
    Declared(&'s Declared<'p>),
    /// A variable of the platform, which need not be declared.
    System,
    /// The declarations are missing or incomplete, so the name may be a variable.
    Unknown,
    /// No variable has this name. With the one that was probably meant.
    Undefined(Option<Suggestion<'p>>),
}

/// The variable that was probably meant by an undefined name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suggestion<'p> {
    pub name: &'p str,
    /// Whether it has the `boundToId` of the binding, which is more certain than a similar name.
    pub by_id: bool,
}

/// A longer name is not recognized by its id, in bytes: each binding with that id would repeat it.
const MAX_MEANT: usize = 1024;

impl<'p> Scope<'p> {
    /// `workflows` are the document; of a form, those of its service.
    pub fn new<'w>(
        declarations: Declarations<'p>,
        config: &'p Config,
        suggester: &'p Suggester,
        workflows: impl IntoIterator<Item = &'w Workflow<'p>>,
    ) -> Self
    where
        'p: 'w,
    {
        let mut bound_as_system = HashSet::default();
        for activity in workflows.into_iter().flat_map(|workflow| &workflow.activities) {
            activity.bindings(|binding, _| {
                if let Some((_, name)) = binding.target().filter(|_| binding.system.value() == Some(true))
                    && declarations.variable(name).is_none()
                {
                    bound_as_system.insert(name);
                }
            });
        }
        Self { declarations, config, suggester, nearest: RefCell::default(), bound_as_system }
    }

    /// Resolves a name: declarations first, then variables of the platform. A name that is neither is undefined, but
    /// only if the declarations are complete.
    pub fn resolve(&self, name: &str) -> Resolution<'_, 'p> {
        if let Some(declared) = self.declarations.variable(name) {
            return Resolution::Declared(declared);
        }
        if self.is_system(name) {
            return Resolution::System;
        }
        if !self.is_complete() {
            return Resolution::Unknown;
        }
        Resolution::Undefined(self.nearest(name).map(|name| Suggestion { name, by_id: false }))
    }

    /// The other variables that may have been meant by an undefined name: those that are as similar to it as the
    /// suggested one.
    pub fn equally_near(&self, name: &str, suggestion: Suggestion<'_>) -> Vec<&'p str> {
        if suggestion.by_id {
            return Vec::new();
        }
        self.suggester.equally_near(name, suggestion.name, self.known_names())
    }

    /// The variables of the documents and of the platform.
    pub fn known_names(&self) -> impl Iterator<Item = &'p str> {
        self.declarations.names().chain(self.system_names())
    }

    fn nearest(&self, name: &str) -> Option<&'p str> {
        let hash = self.nearest.borrow().hasher().hash_one(name);
        if let Some(nearest) = self.nearest.borrow().get(&hash) {
            let nearest = nearest.as_deref()?;
            // The cache owns its strings; the same name is looked up again where it is borrowed for `'p`.
            let declared = self.declarations.variable(nearest).and_then(|declared| declared.variable.name.value());
            return declared.or_else(|| self.system_names().find(|&system| system == nearest));
        }
        let nearest = self.suggester.nearest(name, self.known_names());
        let mut known = self.nearest.borrow_mut();
        // Without a budget nothing is nearest, which is quickly found again.
        if known.len() < MAX_KNOWN && !self.suggester.is_exhausted() {
            known.insert(hash, nearest.map(Box::from));
        }
        drop(known);
        nearest
    }

    /// Resolves the name in a binding. If it is undefined, `boundToId` may show which variable was meant.
    pub fn resolve_binding(&self, binding: &Binding<'_>, name: &str) -> Resolution<'_, 'p> {
        match self.resolve(name) {
            Resolution::Undefined(nearest) => {
                let by_id = binding.bound_to_id.value().and_then(|id| self.declarations.with_id(id));
                let by_id = by_id.and_then(|declared| declared.variable.name.value());
                let by_id = by_id.filter(|name| name.len() <= MAX_MEANT);
                Resolution::Undefined(by_id.map(|name| Suggestion { name, by_id: true }).or(nearest))
            }
            resolution => resolution,
        }
    }

    /// Whether no other name than the known ones is a variable.
    pub fn is_complete(&self) -> bool {
        self.declarations.are_there && !self.declarations.are_incomplete
    }

    /// Whether the name is certainly a variable.
    pub fn has(&self, name: &str) -> bool {
        self.declarations.variable(name).is_some() || self.is_system(name)
    }

    /// Whether the name is a variable of the platform: a system variable, or an output of every provider activity.
    pub fn is_system(&self, name: &str) -> bool {
        self.is_provided(name) || self.config.catalog.is_common_output(name)
    }

    /// The names that are bound as system variables, and not declared.
    pub fn bound_as_system(&self) -> impl Iterator<Item = &'p str> {
        self.bound_as_system.iter().copied()
    }

    /// Whether the name is a system variable, which the platform writes: it is configured, bound as one, or declared as
    /// one.
    pub fn is_provided(&self, name: &str) -> bool {
        self.config.is_system_variable(name)
            || self.bound_as_system.contains(name)
            || self.declarations.named(name).any(|declared| declared.variable.details().is_system.may_be_true())
    }

    fn system_names(&self) -> impl Iterator<Item = &'p str> {
        let config: &'p Config = self.config;
        config.system_variables().chain(&config.catalog.common_outputs).map(String::as_str)
    }
}
