//! Which variable a name means.

use std::cell::{OnceCell, RefCell};

use crate::collections::{HashMap, HashSet};
use crate::config::Config;
use crate::model::{Binding, Workflow};
use crate::project::{Declarations, Declared};
use crate::suggest::Suggester;

/// The names that a document may use.
#[derive(Debug)]
pub struct Scope<'p> {
    /// The variables that are declared.
    pub declarations: Declarations<'p>,
    /// The catalogue, system variables and types.
    pub config: &'p Config,
    /// For mistyped names.
    pub suggester: &'p Suggester,
    /// What was found to be meant by unknown names, each of which several rules ask for.
    meant: RefCell<HashMap<String, Option<String>>>,
    /// The declared names by their lower case; made when it is first asked for.
    folded: OnceCell<HashMap<String, String>>,
    /// Undeclared names that a binding says are variables of the platform.
    flagged: HashSet<&'p str>,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy)]
pub enum Resolution<'s, 'p> {
    /// A declared variable.
    Declared(&'s Declared<'p>),
    /// A variable of the platform, which need not be declared.
    System,
    /// There is no list of variables, or one that cannot be read whole.
    NotKnown,
    /// No variable has this name; the one that is probably meant.
    Unknown(Option<Meant<'p>>),
}

/// The variable that is probably meant by a name that no variable has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meant<'p> {
    /// Its name.
    pub name: &'p str,
    /// Whether the binding's id says so, which is more certain than a near name.
    pub by_id: bool,
}

impl<'p> Scope<'p> {
    /// The scope of a document; of a workflow, its bindings' flags count.
    pub fn new(
        declarations: Declarations<'p>,
        config: &'p Config,
        suggester: &'p Suggester,
        workflow: Option<&Workflow<'p>>,
    ) -> Self {
        let mut flagged = HashSet::default();
        for activity in workflow.into_iter().flat_map(|workflow| &workflow.activities) {
            activity.bindings(|binding, _| {
                if let Some((_, name)) = binding.target().filter(|_| binding.system.value() == Some(true))
                    && declarations.variable(name).is_none()
                {
                    flagged.insert(name);
                }
            });
        }
        Self { declarations, config, suggester, meant: RefCell::default(), folded: OnceCell::new(), flagged }
    }

    /// What a name in a document stands for.
    pub fn resolve(&self, name: &str) -> Resolution<'_, 'p> {
        if let Some(declared) = self.declarations.variable(name) {
            return Resolution::Declared(declared);
        }
        if self.is_system(name) {
            return Resolution::System;
        }
        if !self.declarations.are_there || self.declarations.are_incomplete {
            return Resolution::NotKnown;
        }
        Resolution::Unknown(self.nearest(name).map(|name| Meant { name, by_id: false }))
    }

    fn nearest(&self, name: &str) -> Option<&'p str> {
        let known = || self.declarations.names().chain(self.system_names());
        if let Some(meant) = self.meant.borrow().get(name) {
            let meant = meant.as_deref()?;
            let declared = self.declarations.variable(meant).and_then(|declared| declared.variable.name.value());
            return declared.or_else(|| self.system_names().find(|&system| system == meant));
        }
        let near = self.suggester.nearest(name, known());
        self.meant.borrow_mut().insert(name.to_owned(), near.map(str::to_owned));
        near
    }

    /// The declared name that differs from this one in case alone.
    pub fn in_other_case(&self, name: &str) -> Option<&'p str> {
        let folded = self
            .folded
            .get_or_init(|| self.declarations.names().map(|name| (name.to_lowercase(), name.to_owned())).collect());
        let declared = self.declarations.variable(folded.get(&name.to_lowercase())?)?;
        declared.variable.name.value().filter(|declared| *declared != name)
    }

    /// What a bound name stands for, with the help of the binding's id.
    pub fn resolve_binding(&self, binding: &Binding<'_>, name: &str) -> Resolution<'_, 'p> {
        match self.resolve(name) {
            Resolution::Unknown(near) => {
                let by_id = binding.bound_to_id.value().and_then(|id| self.declarations.with_id(id));
                let by_id = by_id.and_then(|declared| declared.variable.name.value());
                Resolution::Unknown(by_id.map(|name| Meant { name, by_id: true }).or(near))
            }
            resolution => resolution,
        }
    }

    /// Whether the platform provides a variable of this name: it is configured, flagged, or an
    /// output that every provider activity has.
    pub fn is_system(&self, name: &str) -> bool {
        self.is_provided(name) || self.config.catalog.is_common_output(name)
    }

    /// Whether the platform gives a variable of this name its value.
    pub fn is_provided(&self, name: &str) -> bool {
        self.config.system_variables.iter().any(|system| system == name)
            || self.flagged.contains(name)
            || self.declarations.named(name).any(|declared| declared.variable.is_system.value() == Some(true))
    }

    fn system_names(&self) -> impl Iterator<Item = &'p str> {
        let config: &'p Config = self.config;
        config.system_variables.iter().chain(&config.catalog.common_outputs).map(String::as_str)
    }
}
