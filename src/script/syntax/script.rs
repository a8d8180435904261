//! The facts about a script that parses.

use std::ops::Range;

use super::built_ins::is_built_in;
use super::input_hints::InputHints;
use super::leaked_values::Leaked;
use super::sites::{Site, TopLevelReturn};
use super::tree::ValueKind;
use crate::common::collections::HashSet;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Script {
    /// Whether it has no statements.
    pub is_empty: bool,
    /// The first use of each kind of each name that the script does not declare, in source order.
    pub globals: Vec<Global>,
    /// What it declares at the top level, sorted.
    pub declarations: Vec<Declaration>,
    /// The properties of the global object that it names: `this.Name`, `globalThis["Name"]`.
    pub global_members: Vec<String>,
    /// Whether any global may be read out of sight: by `eval`, or through the global object.
    pub may_read_any: bool,
    /// The globals that may be set out of sight.
    pub set_out_of_sight: SetOutOfSight,
    /// The globals that are parsed as JSON: `JSON.parse(Name)`.
    pub read_as_json: Vec<String>,
    /// The string literals, and the templates without substitutions.
    pub strings: Vec<StringLiteral>,
    /// Comments, and the strings that select fields which are only read or shown, in the order of the script: what they
    /// name is not changed. Only of a script of a form.
    pub inert: Vec<Range<usize>>,
    /// Whether a script of a form may change its own field, as `Z(this)`.
    pub may_change_own_field: bool,
    /// Whether a script of a form may change fields that it does not name, as `Z('*')`.
    pub may_change_unnamed_fields: bool,
    /// The places where a string is run as code.
    pub dynamic: Vec<DynamicCode>,
    /// The offsets at which its lines start; empty for one line.
    pub line_starts: Vec<usize>,
    /// The assignments to `Json`.
    pub json: Json,
    /// The places that make the parts of a signing case, an outer one before those inside it.
    pub sites: Vec<Site>,
    /// What it expects of the values that it gets.
    pub hints: InputHints,
    /// Whether a value may decide what the script does, or the script inspects a value.
    pub has_condition: bool,
    /// The `return` statements outside of functions, in source order.
    pub returns: Box<[TopLevelReturn]>,
    /// Sorted by name, the globals of which it passes on less than the value.
    pub(super) partly_leaked: Box<[(Box<str>, Leaked)]>,
    /// Whether it begins with `'use strict'`.
    pub is_strict: bool,
}

impl Script {
    /// What of the value of a global it passes on.
    pub fn leaked(&self, name: &str) -> Leaked {
        let index = self.partly_leaked.binary_search_by_key(&name, |(known, _)| known);
        index.ok().and_then(|index| self.partly_leaked.get(index)).map_or(Leaked::Value, |(_, passed)| *passed)
    }

    /// Gives back the memory that was reserved for more: there may be very many scripts.
    pub(super) fn shrink(&mut self) {
        self.declarations.shrink_to_fit();
        self.global_members.shrink_to_fit();
        self.read_as_json.shrink_to_fit();
        self.strings.shrink_to_fit();
        self.inert.shrink_to_fit();
        self.globals.shrink_to_fit();
        self.dynamic.shrink_to_fit();
        self.line_starts.shrink_to_fit();
        self.sites.shrink_to_fit();
        self.json.assignments.shrink_to_fit();
    }

    /// The first read of each global that neither the script nor the language declares, and that is
    /// not among the `known` ones.
    pub fn unknown<'s>(&'s self, known: impl IntoIterator<Item = &'s str>) -> Vec<&'s Global> {
        let members = self.global_members.iter().map(String::as_str);
        // A name after `typeof` may be missing.
        let declared = self.globals.iter().filter(|global| global.is_declared || global.is_tested);
        let mut known: HashSet<&str> = known.into_iter().chain(members).collect();
        known.extend(declared.map(|global| global.name.as_str()));
        let mut unknown = Vec::new();
        for global in self.globals.iter().filter(|global| !is_built_in(&global.name) && !global.is_in_with) {
            if !self.may_set(&global.name) && known.insert(&global.name) {
                unknown.push(global);
            }
        }
        unknown
    }

    /// Whether a global may be set where that cannot be seen.
    pub fn may_set(&self, name: &str) -> bool {
        match &self.set_out_of_sight {
            SetOutOfSight::None => false,
            SetOutOfSight::Listed(names) => names.contains(name),
            SetOutOfSight::Any => true,
        }
    }
}

/// The globals that a script may set through `eval`, or the global object as a value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SetOutOfSight {
    #[default]
    None,
    /// Only those whose names the script has as properties or strings.
    Listed(Box<HashSet<String>>),
    Any,
}

/// One use of a name that the script does not declare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Global {
    pub name: String,
    pub range: Range<usize>,
    pub is_read: bool,
    pub is_written: bool,
    /// Whether it is the operand of `typeof`, which does not fail for an undeclared name.
    pub is_tested: bool,
    /// Whether it is an assignment that declares the name, as in sloppy mode.
    pub is_declared: bool,
    /// Whether it is in a `with` statement, whose object may have a property of this name.
    pub is_in_with: bool,
}

/// A top-level declaration.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Declaration {
    pub name: Box<str>,
    pub is_read: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StringLiteral {
    /// The value, without escapes.
    pub value: String,
    /// Without the quotes.
    pub range: Range<usize>,
    /// The name of the function that it is the first argument of.
    pub argument_of: Option<Box<str>>,
}

/// A place where a string is run as code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DynamicCode {
    /// `eval`, `Function`, `setTimeout`.
    pub name: String,
    /// The range of the name.
    pub range: Range<usize>,
}

/// What a script assigns to `Json`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Json {
    /// In source order; at most the first hundred.
    pub assignments: Vec<Assignment>,
    /// Whether there are more, so that it is unknown which one is the last.
    pub has_more_assignments: bool,
    pub assigned: Assigned,
    /// The first one that may append to `Json` before it is set; an index.
    pub unset_append: Option<usize>,
}

/// Whether `Json` is assigned when the script ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Assigned {
    #[default]
    Never,
    OnSomePaths,
    OnEveryPath,
    /// A function, a destructuring pattern or dynamic code may assign it.
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The identifier `Json`.
    pub target: Range<usize>,
    /// The assigned expression.
    pub value: Range<usize>,
    pub kind: ValueKind,
    /// Whether it is `+=`.
    pub is_append: bool,
    /// The globals that it joins to JSON text as they are, by `+` or a template.
    pub joined: Vec<JoinedName>,
    /// Whether it is definite that the value may still be there when the script ends.
    pub reaches_end: bool,
}

/// A global, and where it is joined to a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinedName {
    pub name: String,
    pub range: Range<usize>,
}
