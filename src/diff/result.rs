//! The differences, as plain data for reports.

use super::changed_orders::Orders;
use crate::source::Position;

/// The differences of two sides.
#[derive(Debug, Default)]
pub struct Diff {
    /// Those whose meaning or folder differs, by their folders.
    pub services: Vec<ServiceDiff>,
    /// How many files differ in bytes alone.
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
    /// Empty for one that was added or removed.
    pub changes: Vec<Change>,
    /// What it means for orders; `None` if that was left out.
    pub orders: Option<Orders>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServiceChange {
    Added,
    Removed,
    /// From this folder.
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

/// One thing that differs, or one member of it.
#[derive(Debug, Clone)]
pub struct Change {
    pub kind: ChangeKind,
    pub what: What,
    /// The type of the activity, variable or field.
    pub type_name: Option<String>,
    /// The new one, or the old one of what was removed.
    pub name: Option<String>,
    /// The parameter or member that changed.
    pub member: Option<String>,
    /// The value as it is shown; a name, of what was renamed; the parent's name, of what was moved.
    pub before: Option<String>,
    pub after: Option<String>,
    pub old: Option<Spot>,
    pub new: Option<Spot>,
    pub details: Details,
}

/// What people see beside it.
#[derive(Debug, Clone, Default)]
pub struct Details {
    /// The file name of the document; of a removed thing, the old one.
    pub document: String,
    /// Of an added or removed thing: the name of what is around it.
    pub parent: Option<String>,
    /// How many more were added or removed with it, inside of it.
    pub inside: usize,
    /// Of a field: the variable that it is bound to.
    pub bound_to: Option<String>,
    /// Whether a field is required.
    pub is_required: bool,
    /// Whether the values are lines of a script: those that were removed, and those that were added.
    pub is_script: bool,
    /// Whether `member` is a parameter, for which absent and not set are the same.
    pub is_parameter: bool,
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

/// A place in a file of a side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// As reports show it.
    pub file: String,
    pub pointer: String,
    pub start: Position,
    pub end: Position,
}
