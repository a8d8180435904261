//! The possible answers of a lookup.

/// An answer to a lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Every property has a value that may have one.
    Full,
    /// No property has a value, except those that have one already or that the filter asks for. A group has no members.
    Empty,
    /// Two members, each with every property.
    Two,
}
