//! Which variable a name means.

use crate::config::Config;
use crate::model::Binding;
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
        let near = self.suggester.nearest(name, self.declarations.names());
        Resolution::Unknown(near.map(|name| Meant { name, by_id: false }))
    }

    /// What a bound name stands for, with the help of the binding's id and flag.
    pub fn resolve_binding(&self, binding: &Binding<'_>, name: &str) -> Resolution<'_, 'p> {
        if self.declarations.variable(name).is_none() && binding.system.value() == Some(true) {
            return Resolution::System;
        }
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
        self.config.system_variables.iter().any(|system| system == name)
            || self.config.catalog.is_common_output(name)
            || self.declarations.named(name).any(|declared| declared.variable.is_system.value() == Some(true))
    }
}
