//! What a name stands for.

/// What a name in a file stands for.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Symbol {
    /// A variable of the service.
    Variable(String),
    /// A form of the service, by the name of its file.
    Form(String),
    /// An activity, by its name.
    Activity(String),
}

/// What is done at a place with what the name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is declared.
    Declaration,
    /// A form declares it; if a workflow does so, this is a copy.
    FormDeclaration,
    /// It is named, neither read nor written.
    Mention,
    Read,
    Write,
    /// Read or written, or both.
    Both,
    /// The prefix, or the call, of an output that is written to the variable, whose name is not written here.
    Output,
}
