//! Symbols: what names in files refer to.

use crate::diagnostic::FileId;

/// What a name in a file refers to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// A variable of the service.
    Variable(String),
    /// A workflow or form of the service.
    Document(FileId),
    /// An activity, by its name.
    Activity(String),
    /// A field of a form, by its name.
    Field(String),
    /// A provider method.
    Method(String),
    /// A rule or a group of rules, by code or name.
    Rule(String),
}

/// The role of an occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is declared.
    Declaration,
    /// A form declares it; if a workflow does so, this is a copy.
    FormDeclaration,
    /// It is named, neither read nor written.
    Mention,
    /// It is in the message of an expected failure, where a parameter may be meant.
    Message,
    Read,
    Write,
    /// Read or written, or both.
    Both,
    /// The prefix, or the call, of an output that is written to the variable, whose name is not written here.
    Output,
}
