//! The result of a comparison, as plain data for reports.

use std::sync::Arc;

use crate::explore::{Ending, ExploredService};
use crate::text::source::Position;

/// The differences of two sides.
#[derive(Debug, Default)]
pub struct Diff {
    /// The services that changed or moved, by folder.
    pub services: Vec<ServiceDiff>,
    /// The number of files that differ only in bytes, not in meaning.
    pub noise: usize,
    /// What could not be read, with the reason.
    pub unreadable: Vec<String>,
    /// Whether a side holds a document, or a file that should be one.
    pub has_documents: bool,
}

#[derive(Debug, Clone)]
pub struct ServiceDiff {
    /// The folder below the new side; below the old one, if it was removed.
    pub service: String,
    pub change: ServiceChange,
    /// The file names of its workflows; without any, of its documents.
    pub documents: Vec<String>,
    /// Empty for an added or removed service.
    pub changes: Vec<Change>,
    /// The changes of what orders can do; `None` if they were not explored.
    pub orders: Option<Orders>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServiceChange {
    Added,
    Removed,
    /// Moved from this folder.
    Moved(String),
    Changed,
}

impl ServiceChange {
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Moved(_) => "moved",
            Self::Changed => "changed",
        }
    }
}

/// One element that differs, or one member of it. There may be very many, so each is kept small.
#[derive(Debug, Clone)]
pub struct Change {
    pub kind: ChangeKind,
    pub what: What,
    /// The type of the activity, variable or field.
    pub type_name: Option<Box<str>>,
    /// The new name; the old one of a removed element.
    pub name: Option<Box<str>>,
    /// The parameter or member that changed.
    pub member: Option<Box<str>>,
    /// The old value, as shown: for a renamed element its name, for a moved one the name of its parent.
    pub before: Option<Box<str>>,
    pub after: Option<Box<str>>,
    pub files: Arc<ChangedFiles>,
    pub old: Option<Box<Spot>>,
    pub new: Option<Box<Spot>>,
    /// Of an added or removed element; `None` if all are as by default.
    pub details: Option<Box<Details>>,
    /// Whether the values are lines of a script: those that were removed, and those that were added.
    pub is_script: bool,
    /// Whether `member` is a parameter, for which absent and not set are the same.
    pub is_parameter: bool,
}

/// The document in which something changed.
#[derive(Debug, Default)]
pub struct ChangedFiles {
    /// The file name; the old one of a removed document.
    pub document: String,
    /// The file of each side, as reports show it.
    pub old: Option<String>,
    pub new: Option<String>,
}

/// Details of an added or removed element, for reports.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Details {
    /// The name of the element around it.
    pub parent: Option<Box<str>>,
    /// The number of elements inside it that were added or removed with it.
    pub inside: usize,
    /// The variable to which a field is bound.
    pub bound_to: Option<Box<str>>,
    /// Whether a field is required.
    pub is_required: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    Added,
    Removed,
    Changed,
    Renamed,
    Moved,
}

impl ChangeKind {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Changed => "changed",
            Self::Renamed => "renamed",
            Self::Moved => "moved",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    Activity,
    Variable,
    Field,
    Case,
}

impl What {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Activity => "activity",
            Self::Variable => "variable",
            Self::Field => "field",
            Self::Case => "case",
        }
    }
}

/// A place in the file of a side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    pub pointer: Box<str>,
    pub start: Position,
    pub end: Position,
}

/// What a change means for orders.
#[derive(Debug, Clone, Default)]
pub struct Orders {
    /// Whether all that orders can do was seen on both sides.
    pub is_complete: bool,
    /// Why the exploration is not complete.
    pub reasons: Vec<String>,
    /// How many ends are on both sides.
    pub same: usize,
    pub ends: Sides<OrderEnd>,
    /// Approvals with how they can be decided: `Manager approval: approved`.
    pub approvals: Sides<String>,
    /// Methods that can be called.
    pub calls: Sides<String>,
    /// Kinds of mails that can be sent.
    pub mails: Sides<String>,
}

/// What only one side has.
#[derive(Debug, Clone)]
pub struct Sides<T> {
    pub gone: Vec<T>,
    pub new: Vec<T>,
}

impl<T> Default for Sides<T> {
    fn default() -> Self {
        Self { gone: Vec::new(), new: Vec::new() }
    }
}

impl<T> Sides<T> {
    pub const fn is_empty(&self) -> bool {
        self.gone.is_empty() && self.new.is_empty()
    }
}

/// An end of orders.
#[derive(Debug, Clone)]
pub struct OrderEnd {
    pub ending: Ending,
    /// Where it happens.
    pub activity: Option<String>,
    /// The last published status.
    pub status: Option<String>,
    /// The service that has this end, and the number of the end there.
    pub service: Arc<ExploredService>,
    pub number: usize,
}
